import Postgres

/// A subscription cannot go on: it waits for its operator, and looks again now and then.
package struct SubscriptionHalted: Error, Sendable, Equatable {
    /// The event that it waits at.
    package let position: Position
    /// Why, without anything that the event says.
    package let reason: String

    package init(at position: Position, because reason: String) {
        self.position = position
        self.reason = reason
    }
}

/// Tells events that cannot be applied from servers that are not well, and finds them.
package enum Poison {
    /// Why an event is to blame for an error, without anything that it says; nil where it is not to blame, and trying again is
    /// all there is to do.
    package static func reason(for error: any Error) -> String? {
        switch error {
        case is CancellationError, is CheckpointMoved, is SubscriptionHalted: nil
        case Keyring.Problem.masterMissing: nil
        case let error as PostgresError: isOfData(error) ? error.description : nil
        case let error as any PlainlyDescribed: error.description
        default: "\(type(of: error))"
        }
    }

    /// Whether the server says that it is the values: data exception, a constraint, a limit of the program.
    private static func isOfData(_ error: PostgresError) -> Bool {
        guard !error.isConnectionLost else { return false }
        if error.kind == .encoding { return true }
        return ["22", "23", "54"].contains { error.sqlState?.hasPrefix($0) ?? false }
    }

    /// Applies events in one go. Where one of them is to blame for a failure, it finds that one by halves: all before it is
    /// applied by then, and `blame` says what becomes of it. If `blame` throws, what comes after is left alone.
    ///
    /// - Parameters:
    ///   - apply: applies events after a position up to another, all or none.
    ///   - blame: gets the event, why, and the same two positions.
    package static func search(
        _ events: ArraySlice<RecordedEvent>,
        after position: Position,
        through end: Position,
        apply: (ArraySlice<RecordedEvent>, Position, Position) async throws -> Void,
        blame: (RecordedEvent, String, Position, Position) async throws -> Void
    ) async throws {
        do {
            try await apply(events, position, end)
        } catch {
            guard let first = events.first, let reason = reason(for: error) else { throw error }
            guard events.count > 1 else { return try await blame(first, reason, position, end) }
            let middle = events.startIndex + events.count / 2
            let border = events[middle - 1].position
            try await search(events[..<middle], after: position, through: border, apply: apply, blame: blame)
            try await search(events[middle...], after: border, through: end, apply: apply, blame: blame)
        }
    }
}
