import Dispatch
import Synchronization

/// Ends on the server what a cancelled task's statements do, and keeps further ones from being sent.
///
/// The connection's thread says when a statement begins and ends; anybody may cancel, once and for all. A statement is over only when no
/// request to cancel it is under way any more, so none can hit the next.
final class StatementCanceller: Sendable {
    private struct State {
        var isCancelled = false
        var statement: CancelRequest?
        var isAsking = false
    }

    private static let queue = DispatchQueue(label: "postgres.cancel", attributes: .concurrent)

    private let state = Mutex(State())
    private let statementEnded = DispatchSemaphore(value: 0)
    private let askingEnded = DispatchSemaphore(value: 0)

    /// Whether the task has been cancelled.
    var isCancelled: Bool { state.withLock { $0.isCancelled } }

    /// From any thread; does not block.
    func cancel() {
        let request = state.withLock { state -> CancelRequest? in
            state.isCancelled = true
            guard let request = state.statement, !state.isAsking else { return nil }
            state.isAsking = true
            return request
        }
        guard let request else { return }
        Self.queue.async { [self] in ask(request) }
    }

    /// Before a statement is sent; false if it must not be, because the task has been cancelled.
    func begin(_ request: CancelRequest) -> Bool {
        state.withLock { state in
            guard !state.isCancelled else { return false }
            state.statement = request
            return true
        }
    }

    /// After the statement's last result has been read, on the thread that began it, which may block.
    func end() {
        let isAsking = state.withLock { state in
            state.statement = nil
            return state.isAsking
        }
        guard isAsking else { return }
        statementEnded.signal()
        askingEnded.wait()
        state.withLock { $0.isAsking = false }
    }

    /// A request that overtakes its statement is lost, so it is repeated until the statement is over.
    private func ask(_ request: CancelRequest) {
        var pause = 10
        repeat {
            request.send()
            pause = min(pause * 2, 1000)
        } while statementEnded.wait(timeout: .now() + .milliseconds(pause)) == .timedOut
        askingEnded.signal()
    }
}
