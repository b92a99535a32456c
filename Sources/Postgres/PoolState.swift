/// The bookkeeping of a pool, without connections being opened, timers or continuations: it decides, ``PostgresPool`` acts.
///
/// `Connection` is generic so that tests can drive it with plain values.
struct PoolState<Connection: Sendable> {
    /// What the owner has to do, outside the lock.
    enum Action {
        /// Open a connection and report back with `opened` or `failedToOpen`.
        case open
        /// Let a waiter have a connection.
        case hand(Connection, waiter: UInt64, idleSince: ContinuousClock.Instant?)
        /// Tell a waiter that it gets none.
        case refuse(waiter: UInt64, PostgresError)
        /// Close a connection and report back with `didClose`.
        case close(Connection)
        /// Call `wake` with this time when it has come.
        case wake(at: ContinuousClock.Instant)
        /// The pool is closed and every connection is back.
        case finished
    }

    private struct Idle {
        let connection: Connection
        let since: ContinuousClock.Instant
    }

    private struct Waiter {
        let id: UInt64
        let deadline: ContinuousClock.Instant
    }

    private enum Phase {
        case open, closing, closed
    }

    let maximumConnections: Int
    let maximumWaiters: Int
    let waitTimeout: Duration

    private var phase = Phase.open
    // Used as a stack: the connection used last is used next, and the rest can cool down.
    private var idle: [Idle] = []
    private(set) var leased = 0
    private(set) var opening = 0
    private(set) var closing = 0
    // In order of arrival, which is the order of deadlines, as all wait equally long. Those that left are skipped when
    // they come to the front; `present` says who is still there.
    private var queue: [Waiter] = []
    private var front = 0
    private var present: Set<UInt64> = []
    private var failures = 0
    private var notBefore: ContinuousClock.Instant?
    // The one `wake` asked for that counts; one superseded by an earlier one is ignored when it comes.
    private var nextWake: ContinuousClock.Instant?
    private var lastFailure: PostgresError?

    init(maximumConnections: Int, maximumWaiters: Int, waitTimeout: Duration) {
        self.maximumConnections = maximumConnections
        self.maximumWaiters = maximumWaiters
        self.waitTimeout = waitTimeout
    }

    var idleCount: Int { idle.count }
    var waiterCount: Int { present.count }
    /// Connections that exist, are being made or being closed; never more than the maximum.
    var total: Int { idle.count + leased + opening + closing }

    // MARK: Events

    /// A caller wants a connection. It will be handed one or refused, once, in this call's actions or later ones.
    mutating func acquire(_ waiter: UInt64, now: ContinuousClock.Instant) -> [Action] {
        guard phase == .open else { return [.refuse(waiter: waiter, Self.poolClosed)] }
        if let free = idle.popLast() {
            leased += 1
            return [.hand(free.connection, waiter: waiter, idleSince: free.since)]
        }
        guard present.count < maximumWaiters else {
            return [.refuse(waiter: waiter, PostgresError(.poolOverloaded, "too many callers wait for a connection"))]
        }
        let deadline = now + waitTimeout
        queue.append(Waiter(id: waiter, deadline: deadline))
        present.insert(waiter)
        return open(now: now) + wakeInTime(now: now)
    }

    /// A waiter no longer wants a connection. False if it has been handed one or refused already.
    mutating func cancel(_ waiter: UInt64) -> Bool {
        guard present.remove(waiter) != nil else { return false }
        skipAbsent()
        return true
    }

    /// A lease has ended and the connection is good.
    mutating func release(_ connection: Connection, now: ContinuousClock.Instant) -> [Action] {
        leased -= 1
        return offer(connection, now: now)
    }

    /// A lease has ended and the connection is broken.
    mutating func discard(_ connection: Connection, now: ContinuousClock.Instant) -> [Action] {
        leased -= 1
        closing += 1
        return [.close(connection)]
    }

    /// A connection has been closed as `close` asked for.
    mutating func didClose(now: ContinuousClock.Instant) -> [Action] {
        closing -= 1
        return phase == .open ? open(now: now) : finishIfDone()
    }

    /// A connection asked for by `open` is there.
    mutating func opened(_ connection: Connection, now: ContinuousClock.Instant) -> [Action] {
        opening -= 1
        failures = 0
        notBefore = nil
        lastFailure = nil
        // After failures a single connection was tried; now the others may follow.
        return offer(connection, now: now) + (phase == .open ? open(now: now) : [])
    }

    /// A connection asked for by `open` could not be made.
    ///
    /// - Parameter jitter: from 0 to 1, so that many programs do not come back in step.
    mutating func failedToOpen(_ error: PostgresError, now: ContinuousClock.Instant, jitter: Double) -> [Action] {
        opening -= 1
        guard phase == .open else { return finishIfDone() }
        lastFailure = error
        // Attempts begun together fail together, which tells no more than one of them.
        if notBefore.map({ $0 <= now }) ?? true {
            failures += 1
            notBefore = now + Self.backoff(failures: failures, jitter: jitter)
        }
        return wakeInTime(now: now)
    }

    /// The time that a `wake` named has come.
    mutating func wake(_ time: ContinuousClock.Instant, now: ContinuousClock.Instant) -> [Action] {
        guard time == nextWake else { return [] }
        nextWake = nil
        // The timer's clock may differ a little from ours.
        let now = max(now, time)
        var actions: [Action] = []
        skipAbsent()
        while front < queue.count, queue[front].deadline <= now {
            let waiter = queue[front].id
            present.remove(waiter)
            actions.append(.refuse(waiter: waiter, lastFailure ?? Self.timeout))
            skipAbsent()
        }
        return phase == .open ? actions + open(now: now) + wakeInTime(now: now) : actions
    }

    /// No more connections are given out; those waiting are refused.
    mutating func close() -> [Action] {
        guard phase == .open else { return [] }
        phase = .closing
        var actions = idle.map { Action.close($0.connection) }
        closing += idle.count
        idle.removeAll()
        for waiter in queue[front...] where present.contains(waiter.id) {
            actions.append(.refuse(waiter: waiter.id, Self.poolClosed))
        }
        queue.removeAll()
        front = 0
        present.removeAll()
        return actions + finishIfDone()
    }

    var isClosed: Bool { phase == .closed }

    // MARK: Decisions

    /// Gives a connection to whoever waits longest, or keeps it.
    private mutating func offer(_ connection: Connection, now: ContinuousClock.Instant) -> [Action] {
        guard phase == .open else {
            closing += 1
            return [.close(connection)]
        }
        skipAbsent()
        guard front < queue.count else {
            idle.append(Idle(connection: connection, since: now))
            return []
        }
        let waiter = queue[front].id
        present.remove(waiter)
        skipAbsent()
        leased += 1
        return [.hand(connection, waiter: waiter, idleSince: nil)]
    }

    /// As many connections as callers wait for, within the bound; after a failure one at a time, and not too soon.
    private mutating func open(now: ContinuousClock.Instant) -> [Action] {
        if let notBefore, now < notBefore { return [] }
        var wanted = min(present.count - opening, maximumConnections - total)
        if failures > 0 { wanted = min(wanted, 1 - opening) }
        guard wanted > 0 else { return [] }
        opening += wanted
        return Array(repeating: .open, count: wanted)
    }

    /// Has the owner call `wake` when the first waiter's time is up or a connection may be tried again.
    private mutating func wakeInTime(now: ContinuousClock.Instant) -> [Action] {
        guard front < queue.count else { return [] }
        var time = queue[front].deadline
        if let notBefore, notBefore > now { time = min(time, notBefore) }
        if let nextWake, nextWake <= time { return [] }
        nextWake = time
        return [.wake(at: time)]
    }

    private mutating func finishIfDone() -> [Action] {
        guard phase == .closing, total == 0 else { return [] }
        phase = .closed
        return [.finished]
    }

    private mutating func skipAbsent() {
        while front < queue.count, !present.contains(queue[front].id) { front += 1 }
        // Dropping the used half now and then keeps both memory and work in proportion.
        if front > 32, front * 2 > queue.count {
            queue.removeFirst(front)
            front = 0
        }
    }

    private static func backoff(failures: Int, jitter: Double) -> Duration {
        let limit = Duration.milliseconds(50) * (1 << min(failures - 1, 6))
        // 50 ms doubled up to 3.2 s; half of it fixed, half by chance.
        return limit / 2 + (limit / 2) * jitter
    }

    private static var poolClosed: PostgresError { PostgresError(.poolClosed, "the pool is closed") }
    private static var timeout: PostgresError { PostgresError(.poolTimeout, "no connection came free in time") }
}
