import Dispatch
package import Logging
import Synchronization

/// A bounded set of connections to one database, shared by any number of tasks.
///
/// ```swift
/// let pool = PostgresPool(try PostgresConfiguration(url: url), maximumConnections: 8, logger: logger)
/// let count = try await pool.withConnection { c in
///     try c.query("SELECT count(*) FROM item WHERE kind = $1", "chair")[0].get(0, Int.self)
/// }
/// ```
///
/// Connections are opened when wanted, up to the bound. Callers beyond it wait in line. A connection that broke is replaced; while the
/// database cannot be reached, attempts are made ever less often, and callers are refused when they have waited `waitTimeout`.
///
/// A connection returns to the pool without an open transaction, but keeps what else a closure did to its session: use
/// `SET LOCAL` inside a transaction rather than `SET`, and leave no advisory locks or temporary tables.
///
/// Statements are not repeated after a connection was lost: whether to repeat is the caller's decision. A connection that the server had
/// closed while it lay in the pool is noticed before anything is sent and replaced silently.
package final class PostgresPool: Sendable {
    private typealias State = PoolState<PostgresConnection>

    private struct Guarded {
        var state: State
        var waiters: [UInt64: CheckedContinuation<Lease, any Error>] = [:]
        var nextWaiter: UInt64 = 0
        var closers: [CheckedContinuation<Void, Never>] = []
        var openings: UInt64 = 0
    }

    private struct Lease: Sendable {
        let connection: PostgresConnection
        let idleSince: ContinuousClock.Instant?
    }

    /// How its connections are made.
    package let configuration: PostgresConfiguration
    private let logger: Logger
    private let guarded: Mutex<Guarded>
    private let trustedIdleTime: Duration
    private let timers = DispatchQueue(label: "postgres.pool")

    /// Opens nothing yet.
    ///
    /// - Parameters:
    ///   - maximumConnections: the bound; at least 1.
    ///   - waitTimeout: how long a caller waits for a connection before it is refused.
    ///   - maximumWaiters: how many callers may wait; further ones are refused at once (`poolOverloaded`).
    ///   - trustedIdleTime: a connection that lay idle for longer is asked for a sign of life, a round trip, before it is lent.
    package init(
        _ configuration: PostgresConfiguration,
        maximumConnections: Int,
        waitTimeout: Duration = .seconds(5),
        maximumWaiters: Int = 10_000,
        trustedIdleTime: Duration = .seconds(30),
        logger: Logger
    ) {
        precondition(maximumConnections > 0, "a pool needs at least one connection")
        self.configuration = configuration
        self.logger = logger
        self.trustedIdleTime = trustedIdleTime
        guarded = Mutex(
            Guarded(
                state: State(
                    maximumConnections: maximumConnections,
                    maximumWaiters: maximumWaiters,
                    waitTimeout: waitTimeout
                )
            )
        )
    }

    /// Lends a connection to a closure, which runs on the connection and cannot await.
    ///
    /// - Parameter cancelsStatements: whether the task's cancellation ends a statement in flight; see
    ///   ``PostgresConnection/runCancellable(_:)``. For what only reads or is done again. Unless asked for, a closure once begun runs to its
    ///   end: mostly it writes what somebody was promised, and is over sooner than a rollback and a second attempt would be.
    /// - Throws: what the closure throws; `CancellationError` if the task was cancelled before the closure began; ``PostgresError`` of
    ///   kind `poolTimeout`, `poolOverloaded`, `poolClosed`, or why no connection could be made.
    @discardableResult
    package func withConnection<T: Sendable>(
        cancelsStatements: Bool = false,
        _ body: @Sendable (isolated PostgresConnection) throws -> T
    ) async throws -> T {
        guard cancelsStatements else { return try await lend(to: body, nil) }
        let canceller = StatementCanceller()
        return try await withTaskCancellationHandler {
            try await lend(to: body, canceller)
        } onCancel: {
            canceller.cancel()
        }
    }

    private func lend<T: Sendable>(
        to body: @Sendable (isolated PostgresConnection) throws -> T,
        _ canceller: StatementCanceller?
    ) async throws -> T {
        while true {
            let lease = try await acquire()
            guard !Task.isCancelled else {
                giveBack(lease.connection, usable: true)
                throw CancellationError()
            }
            let askForLife = lease.idleSince.map { .now - $0 > trustedIdleTime } ?? false
            switch await lease.connection.serve(askForLife: askForLife, checkHangUp: lease.idleSince != nil, canceller, body) {
            case .stale:
                // Nothing was sent. Each round takes one dead connection out of the pool, so this ends.
                giveBack(lease.connection, usable: false)
            case .served(let result, let usable):
                giveBack(lease.connection, usable: usable)
                return try result.get()
            }
        }
    }

    /// Lends a connection and runs the closure in a transaction; see ``PostgresConnection/transaction(isolation:readOnly:_:)``.
    @discardableResult
    package func transaction<T: Sendable>(
        isolation: PostgresIsolation? = nil,
        readOnly: Bool = false,
        cancelsStatements: Bool = false,
        _ body: @Sendable (isolated PostgresConnection) throws -> T
    ) async throws -> T {
        try await withConnection(cancelsStatements: cancelsStatements) { connection in
            try connection.transaction(isolation: isolation, readOnly: readOnly, body)
        }
    }

    /// Refuses new callers and those waiting, and returns when the last connection lent out is back and closed.
    package func close() async {
        await withCheckedContinuation { continuation in
            let actions = guarded.withLock { guarded in
                guarded.closers.append(continuation)
                let actions = guarded.state.close()
                return actions.isEmpty && guarded.state.isClosed ? [.finished] : actions
            }
            perform(actions)
        }
    }

    /// How many connections are open, how many of them are lent out, and how many callers wait.
    package var usage: (open: Int, leased: Int, waiting: Int) {
        guarded.withLock { ($0.state.idleCount + $0.state.leased, $0.state.leased, $0.state.waiterCount) }
    }

    /// How many connections have been opened so far. As long as it stays the same, all that is read over the pool comes from a server that
    /// has not been started anew: whoever crashes ends every connection.
    package var openings: UInt64 {
        guarded.withLock { $0.openings }
    }

    // MARK: Leases

    private func acquire() async throws -> Lease {
        let waiter = guarded.withLock { guarded in
            guarded.nextWaiter += 1
            return guarded.nextWaiter
        }
        return try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                let actions = guarded.withLock { guarded in
                    guarded.waiters[waiter] = continuation
                    return guarded.state.acquire(waiter, now: .now)
                }
                perform(actions)
                // The handler may have run before there was anything to cancel.
                if Task.isCancelled { cancel(waiter) }
            }
        } onCancel: {
            cancel(waiter)
        }
    }

    private func cancel(_ waiter: UInt64) {
        let continuation = guarded.withLock { guarded in
            guarded.state.cancel(waiter) ? guarded.waiters.removeValue(forKey: waiter) : nil
        }
        continuation?.resume(throwing: CancellationError())
    }

    private func giveBack(_ connection: PostgresConnection, usable: Bool) {
        perform(
            guarded.withLock { guarded in
                usable
                    ? guarded.state.release(connection, now: .now)
                    : guarded.state.discard(connection, now: .now)
            }
        )
    }

    // MARK: Actions

    private func perform(_ actions: [State.Action]) {
        for action in actions {
            switch action {
            case .open: open()
            case .hand(let connection, let waiter, let idleSince):
                take(waiter)?.resume(returning: Lease(connection: connection, idleSince: idleSince))
            case .refuse(let waiter, let error): take(waiter)?.resume(throwing: error)
            case .close(let connection):
                connection.onQueue { [self] connection in
                    connection.close()
                    perform(guarded.withLock { $0.state.didClose(now: .now) })
                }
            case .wake(let time):
                let delay = max(.zero, ContinuousClock.now.duration(to: time)).wholeMilliseconds
                timers.asyncAfter(deadline: .now() + .milliseconds(Int(delay))) { [weak self] in
                    self?.wake(time)
                }
            case .finished:
                let closers = guarded.withLock { guarded in
                    defer { guarded.closers.removeAll() }
                    return guarded.closers
                }
                closers.forEach { $0.resume() }
            }
        }
    }

    private func take(_ waiter: UInt64) -> CheckedContinuation<Lease, any Error>? {
        guarded.withLock { $0.waiters.removeValue(forKey: waiter) }
    }

    private func wake(_ time: ContinuousClock.Instant) {
        perform(guarded.withLock { $0.state.wake(time, now: .now) })
    }

    private func open() {
        // The pool stays alive until the attempt, bounded in time, is over: waiters hold it anyway.
        PostgresConnection.open(configuration, logger: logger) { [self] result in
            switch result {
            case .success(let connection):
                perform(
                    guarded.withLock { guarded in
                        guarded.openings += 1
                        return guarded.state.opened(connection, now: .now)
                    }
                )
            case .failure(let error):
                // Whoever waits is told; this is for the details.
                logger.debug(
                    "postgres connection failed",
                    metadata: [
                        "database": .string(configuration.description),
                        "error": .string(error.description),
                        "server": .string(error.serverMessage ?? ""),
                    ]
                )
                let jitter = Double.random(in: 0...1)
                perform(guarded.withLock { $0.state.failedToOpen(error, now: .now, jitter: jitter) })
            }
        }
    }
}

extension PostgresConnection {
    /// How a lease from the pool went.
    enum Service<T: Sendable>: Sendable {
        /// The connection was dead before anything was sent.
        case stale
        /// The closure ran; whether the connection may be lent again.
        case served(Result<T, any Error>, usable: Bool)
    }

    /// Looks whether the server is still there, runs the closure and leaves no transaction open: all in one hop.
    func serve<T: Sendable>(
        askForLife: Bool,
        checkHangUp: Bool,
        _ canceller: StatementCanceller?,
        _ body: @Sendable (isolated PostgresConnection) throws -> T
    ) -> Service<T> {
        if checkHangUp, !hasNotHungUp() { return .stale }
        if askForLife, !answers() { return .stale }
        let result = Result { try withCanceller(canceller) { try body(self) } }
        rollBack()
        return .served(result, usable: isUsable)
    }
}
