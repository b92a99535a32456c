import TestSupport
import Testing

@testable import Postgres

@Suite("Bookkeeping of the pool")
struct PoolStateTests {
    private typealias State = PoolState<Int>

    private let start = ContinuousClock.now

    /// An action in a form that can be compared.
    private enum Step: Equatable {
        case open, close(Int), hand(Int, UInt64), refuse(UInt64, PostgresError.Kind), wake(Duration), finished
    }

    private func steps(_ actions: [State.Action]) -> [Step] {
        actions.map { action in
            switch action {
            case .open: .open
            case .close(let connection): .close(connection)
            case .hand(let connection, let waiter, _): .hand(connection, waiter)
            case .refuse(let waiter, let error): .refuse(waiter, error.kind)
            case .wake(let time): .wake(time - start)
            case .finished: .finished
            }
        }
    }

    private func state(_ connections: Int, waiters: Int = 100) -> State {
        State(maximumConnections: connections, maximumWaiters: waiters, waitTimeout: .seconds(5))
    }

    private let refusal = PostgresError(.connectionFailed, "no")

    @Test("Opens up to the bound, serves in order of arrival, and reuses what was used last")
    func order() {
        var state = state(2)
        #expect(steps(state.acquire(1, now: start)) == [.open, .wake(.seconds(5))])
        #expect(steps(state.acquire(2, now: start)) == [.open])
        #expect(steps(state.acquire(3, now: start)) == [])
        #expect(steps(state.opened(10, now: start)) == [.hand(10, 1)])
        #expect(steps(state.opened(20, now: start)) == [.hand(20, 2)])
        #expect(steps(state.release(20, now: start)) == [.hand(20, 3)])
        #expect(steps(state.release(10, now: start)) == [])
        #expect(steps(state.release(20, now: start)) == [])
        #expect(steps(state.acquire(4, now: start)) == [.hand(20, 4)])
        #expect(state.total == 2)
    }

    @Test("A connection that another gives back first serves the caller for whom one is being opened")
    func lateOpening() {
        var state = state(2)
        _ = state.acquire(1, now: start)
        _ = state.opened(10, now: start)
        #expect(steps(state.acquire(2, now: start)).contains(.open))
        #expect(steps(state.release(10, now: start)) == [.hand(10, 2)])
        #expect(steps(state.opened(20, now: start)) == [])
        #expect(state.idleCount == 1)
    }

    @Test("After a failure one attempt at a time is made, ever later, and success brings the rest")
    func backoff() {
        var state = State(maximumConnections: 3, maximumWaiters: 100, waitTimeout: .seconds(60))
        for waiter: UInt64 in 1...3 { _ = state.acquire(waiter, now: start) }
        #expect(state.opening == 3)
        // Attempts that fail together count once.
        #expect(steps(state.failedToOpen(refusal, now: start, jitter: 1)) == [.wake(.milliseconds(50))])
        #expect(steps(state.failedToOpen(refusal, now: start, jitter: 1)) == [])
        #expect(steps(state.failedToOpen(refusal, now: start, jitter: 1)) == [])
        var now = start + .milliseconds(50)
        for wait in [100, 200, 400, 800, 1600, 3200, 3200] {
            #expect(steps(state.wake(now, now: now)) == [.open, .wake(.seconds(60))])
            let next = now + .milliseconds(wait)
            #expect(steps(state.failedToOpen(refusal, now: now, jitter: 1)) == [.wake(next - start)])
            // A new caller does not make it try sooner.
            #expect(steps(state.acquire(UInt64(wait) + 10, now: now)) == [])
            _ = state.cancel(UInt64(wait) + 10)
            now = next
        }
        #expect(steps(state.wake(now, now: now)) == [.open, .wake(.seconds(60))])
        #expect(steps(state.opened(10, now: now)) == [.hand(10, 1), .open, .open])
    }

    @Test("Only the wake asked for last counts, so timers do not multiply")
    func wakes() {
        var state = state(1)
        _ = state.acquire(1, now: start)
        _ = state.opened(10, now: start)
        // Given one timer is running for waiter 1's deadline, which is long served.
        for waiter: UInt64 in 2..<1000 {
            #expect(steps(state.acquire(waiter, now: start)).filter { $0 != .open } == [])
            #expect(state.cancel(waiter) == true)
        }
        #expect(steps(state.wake(start + .seconds(5), now: start + .seconds(5))) == [])
        #expect(steps(state.acquire(1000, now: start + .seconds(6))) == [.wake(.seconds(11))])
        #expect(steps(state.wake(start + .seconds(7), now: start + .seconds(7))) == [])
        #expect(steps(state.wake(start + .seconds(11), now: start + .seconds(11))) == [.refuse(1000, .poolTimeout)])
    }

    @Test("Those whose time is up are refused, in order, with the reason why no connection can be made")
    func timeouts() {
        var state = state(1)
        _ = state.acquire(1, now: start)
        _ = state.acquire(2, now: start + .seconds(1))
        _ = state.acquire(3, now: start + .seconds(2))
        #expect(state.cancel(2) == true)
        #expect(state.cancel(2) == false)
        #expect(steps(state.wake(start + .seconds(5), now: start + .seconds(5))) == [.refuse(1, .poolTimeout), .wake(.seconds(7))])
        #expect(steps(state.failedToOpen(refusal, now: start + .seconds(6), jitter: 0)) == [.wake(.milliseconds(6025))])
        let retry = start + .milliseconds(6025)
        #expect(steps(state.wake(retry, now: retry)) == [.open, .wake(.seconds(7))])
        #expect(steps(state.wake(start + .seconds(7), now: start + .seconds(7))) == [.refuse(3, .connectionFailed)])
        #expect(state.cancel(1) == false)
    }

    @Test("A broken connection is closed before another is opened, so the bound holds")
    func discard() {
        var state = state(1)
        _ = state.acquire(1, now: start)
        _ = state.opened(10, now: start)
        _ = state.acquire(2, now: start)
        #expect(steps(state.discard(10, now: start)) == [.close(10)])
        #expect(state.total == 1)
        #expect(steps(state.didClose(now: start)) == [.open])
        #expect(steps(state.opened(20, now: start)) == [.hand(20, 2)])
    }

    @Test("Closing ends when what was lent, opened and closing is gone")
    func close() {
        var state = state(4)
        for waiter: UInt64 in 1...4 { _ = state.acquire(waiter, now: start) }
        _ = state.opened(10, now: start)
        _ = state.opened(20, now: start)
        _ = state.release(20, now: start)
        // 10 is lent to 1, 20 to 3, two are being opened, 4 waits.
        #expect(steps(state.close()) == [.refuse(4, .poolClosed)])
        #expect(steps(state.acquire(5, now: start)) == [.refuse(5, .poolClosed)])
        #expect(steps(state.failedToOpen(refusal, now: start, jitter: 0)) == [])
        #expect(steps(state.opened(30, now: start)) == [.close(30)])
        #expect(steps(state.release(10, now: start)) == [.close(10)])
        #expect(steps(state.discard(20, now: start)) == [.close(20)])
        #expect(steps(state.didClose(now: start)) == [])
        #expect(steps(state.didClose(now: start)) == [])
        #expect(steps(state.didClose(now: start)) == [.finished])
        #expect(state.isClosed)
        #expect(steps(state.close()) == [])
    }

    @Test("Random events never exceed the bound, never serve twice, and forget nobody", arguments: 0..<20 as Range<UInt64>)
    func random(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        var state = state(3, waiters: 20)
        var now = start
        var waiting: Set<UInt64> = []
        var lent: [Int] = []
        var pending = (open: 0, close: 0)
        var wakes: [ContinuousClock.Instant] = []
        var next: (waiter: UInt64, connection: Int) = (0, 0)

        func apply(_ actions: [State.Action]) {
            for action in actions {
                switch action {
                case .open: pending.open += 1
                case .close: pending.close += 1
                case .hand(let connection, let waiter, _):
                    #expect(waiting.remove(waiter) != nil)
                    #expect(!lent.contains(connection))
                    lent.append(connection)
                case .refuse(let waiter, _): #expect(waiting.remove(waiter) != nil)
                case .wake(let time): wakes.append(time)
                case .finished: Issue.record("finished without being closed")
                }
            }
            #expect(state.total <= 3)
            #expect(state.leased == lent.count)
            #expect(state.opening == pending.open)
            #expect(state.closing == pending.close)
            #expect(state.waiterCount == waiting.count)
            #expect(waiting.isEmpty || state.idleCount == 0)
            #expect(waiting.isEmpty || !wakes.isEmpty, "nobody would wake those who wait")
        }

        for _ in 0..<2000 {
            now += .milliseconds(Int.random(in: 0...50, using: &generator))
            while let due = wakes.filter({ $0 <= now }).min() {
                wakes.removeAll { $0 == due }
                apply(state.wake(due, now: now))
            }
            switch Int.random(in: 0..<8, using: &generator) {
            case 0...2:
                next.waiter += 1
                waiting.insert(next.waiter)
                apply(state.acquire(next.waiter, now: now))
            case 3 where !waiting.isEmpty:
                let waiter = waiting.sorted()[Int.random(in: 0..<waiting.count, using: &generator)]
                waiting.remove(waiter)
                #expect(state.cancel(waiter) == true)
            case 4 where !lent.isEmpty:
                let connection = lent.remove(at: Int.random(in: 0..<lent.count, using: &generator))
                apply(Bool.random(using: &generator) ? state.release(connection, now: now) : state.discard(connection, now: now))
            case 5 where pending.open > 0:
                pending.open -= 1
                next.connection += 1
                apply(state.opened(next.connection, now: now))
            case 6 where pending.open > 0:
                pending.open -= 1
                apply(state.failedToOpen(refusal, now: now, jitter: 0.5))
            case 7 where pending.close > 0:
                pending.close -= 1
                apply(state.didClose(now: now))
            default: break
            }
        }
        // Given nothing more happens, everybody is refused when their time is up.
        for _ in 0..<200 where !waiting.isEmpty {
            guard let due = wakes.min() else { break }
            wakes.removeAll { $0 == due }
            now = max(now, due)
            apply(state.wake(due, now: now))
        }
        #expect(waiting.isEmpty)
        #expect(wakes.count < 10)
    }
}
