import EventStore

extension LogReader {
    /// The last erasure that a live model at a position has still to come to. Until it has, it may show what a replay without the key makes
    /// `[apagado]` of, so rows that differ say nothing; once it has, they are the same.
    func erasure(for model: any ReadModel, after position: Position) async throws -> Position? {
        let types = model.erasures
        return types.isEmpty ? nil : try await lastPosition(ofTypes: types, after: position)
    }
}
