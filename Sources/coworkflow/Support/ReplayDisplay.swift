import EventStore
import Projections
import Synchronization

/// Tells on standard error how far a replay is: a line for each phase.
final class ReplayDisplay: Sendable {
    private struct State {
        var phase: ReplayProgress.Phase?
        var line: ProgressLine?
    }

    private let name: String
    private let state = Mutex(State())

    init(name: String) {
        self.name = name
    }

    /// Shows what `body` reports, and leaves a clean line.
    func showing<Result>(_ body: (@escaping @Sendable (ReplayProgress) -> Void) async throws -> Result) async rethrows -> Result {
        defer { state.withLock { $0.line?.finish() } }
        return try await body { self.show($0) }
    }

    private func show(_ progress: ReplayProgress) {
        state.withLock { state in
            if state.phase != progress.phase {
                state.line?.finish()
                state.phase = progress.phase
                state.line = ProgressLine("\(name): \(progress.phase.rawValue)", from: progress.position.rawValue)
            }
            state.line?.report(progress.position.rawValue, of: progress.goal.rawValue)
        }
    }
}
