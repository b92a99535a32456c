package import Logging
import Synchronization

/// A connection to RabbitMQ that mends itself.
///
/// `run()` keeps it up on a thread of its own, which sends, receives and answers heartbeats; nothing here blocks the calling
/// thread. Without a connection, publishing fails at once: whoever has something to lose keeps it and tries again.
package final class AMQPConnection: Sendable {
    let core: ConnectionCore

    /// - Parameter topology: Declared on every connect, before the connection counts as up.
    package init(_ configuration: AMQPConfiguration, topology: AMQPTopology = .init(), logger: Logger) {
        core = ConnectionCore(configuration: configuration, topology: topology, logger: logger)
    }

    /// Keeps the connection up until the task is cancelled, then sends what is queued (for 0.6 s at most), closes, ends the
    /// consumers and fails whoever still waits. To be called once.
    ///
    /// After a failure it tries again, waiting 50 ms at first and 2 s at most; refused credentials and a topology that
    /// conflicts with what exists at the broker are logged and retried too. While a TCP connection is being opened,
    /// cancellation takes effect only after it (`connectTimeout`).
    /// - Throws: `.invalidConfiguration`, or `.closed` when it was called before.
    package func run() async throws {
        try core.configuration.validate()
        let wakeUp = try WakeUp()
        try core.begin(wakeUp)
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                ConnectionThread(core: core, wakeUp: wakeUp).start { continuation.resume() }
            }
        } onCancel: {
            core.requestStop()
        }
    }

    package var isConnected: Bool { core.state.withLock { $0.isConnected } }

    /// Whether the broker has said that it takes no messages, for want of memory or disk.
    package var isBlocked: Bool { core.state.withLock { $0.isBlocked } }

    /// Counts connections from one; zero before the first.
    package var generation: UInt64 { core.state.withLock { $0.generation } }

    /// Each access gives a stream of its own, which starts with the present state and ends with `run()`.
    package var states: AsyncStream<AMQPConnectionState> { core.observe() }

    /// Waits until the connection is up.
    /// - Throws: After the timeout, why the broker refuses us or we it, if so (`.authenticationFailed`, `.serverRefused`,
    ///   `.tlsFailed`), otherwise `.timedOut`; `.closed` when `run()` has ended; `.cancelled`.
    package func waitUntilConnected(timeout: Duration) async throws(AMQPError) {
        let states = self.states
        let outcome = await withTaskGroup(of: AMQPError?.self) { group in
            group.addTask {
                for await state in states {
                    if case .connected = state { return nil }
                }
                return Task.isCancelled ? .cancelled : .closed
            }
            group.addTask {
                do {
                    try await Task.sleep(for: timeout)
                    return .timedOut
                } catch {
                    return .cancelled
                }
            }
            defer { group.cancelAll() }
            return await group.next() ?? .cancelled
        }
        guard let outcome else { return }
        let reason = core.state.withLock { $0.lastFailure }
        let isRefusal = reason.map { [.authenticationFailed, .tlsFailed].contains($0) || $0.replyCode != nil } ?? false
        if outcome == .timedOut, isRefusal, let reason { throw reason }
        throw outcome
    }
}
