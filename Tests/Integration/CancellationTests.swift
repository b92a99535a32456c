import Synchronization
import TestSupport
import Testing

/// A service group cancels what it runs when one of its services fails; whatever does not end then keeps a broken process alive.
@Suite struct CancellationTests {
    private struct Broken: Error {}

    private final class Outcome: Sendable {
        let error = Mutex<(any Error)?>(nil)
    }

    @Test("When one part fails, all roles end")
    func cancelled() async throws {
        let outcome = Outcome()
        // Not a child of this task: what does not end would hold up the test that says so.
        Task {
            do {
                try await TestSystem.run(.init()) { throw Broken() }
            } catch {
                outcome.error.withLock { $0 = error }
            }
        }
        try await eventually("all roles have ended", within: .seconds(30)) { outcome.error.withLock { $0 } != nil }
        #expect(outcome.error.withLock { $0 } is Broken)
    }
}
