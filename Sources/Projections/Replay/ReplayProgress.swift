package import EventStore

/// How far a replay has come.
package struct ReplayProgress: Sendable, Equatable {
    package enum Phase: String, Sendable {
        case loading
        case indexing
        case comparing
        case switching
    }

    package let phase: Phase
    /// Considered up to here.
    package let position: Position
    /// Where the replay wants to be; it moves while the log goes on.
    package let goal: Position
}
