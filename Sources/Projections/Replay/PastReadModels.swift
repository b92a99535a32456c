import Domain
package import EventStore
package import Logging
package import Postgres
import ServiceLifecycle
import Synchronization

/// Read models as they were: each built from the log up to a position, in a schema of its own, when it is first asked for, and
/// kept for those who ask again.
///
/// One is built at a time; those who ask for the same share it. There are never more than `capacity`: the one that nobody has used
/// for longest makes room, and where all are in use the caller is refused. What a process that died left behind is dropped by the
/// next.
package final class PastReadModels: Service {
    /// Why there is no past read model to be had now. All pass.
    package enum Problem: Error, Sendable, Equatable {
        /// As many as may be are in use.
        case full
        /// It is still being built; it will be there when the caller comes again.
        case building
        /// The service does not run, or has lost the database.
        case unavailable
    }

    private typealias Continuation = CheckedContinuation<Int64, any Error>
    private typealias Shelf = SideShelf<Continuation>

    private struct State {
        var shelf: Shelf
        var nextID: UInt64 = 0
        /// While the database is there.
        var workshop: Workshop?
    }

    /// What holds for as long as one connection lives.
    private struct Workshop {
        let keeper: Int64
        let orders: AsyncStream<Shelf.Order>.Continuation
    }

    private let configuration: PostgresConfiguration
    private let models: [String: any ReadModel]
    private let opener: any SealOpener
    private let idleTime: Duration
    private let logger: Logger
    private let pool: PostgresPool
    private let reader: LogReader
    private let state: Mutex<State>

    /// - Parameters:
    ///   - configuration: of `Projections.configuration`; two connections are made.
    ///   - capacity: how many may be there at once.
    ///   - idleTime: how long one stays that nobody uses.
    package init(
        configuration: PostgresConfiguration,
        opener: any SealOpener,
        models: [any ReadModel] = Projections.models,
        capacity: Int = 4,
        idleTime: Duration = .seconds(600),
        logger: Logger
    ) {
        self.configuration = configuration
        self.models = Dictionary(uniqueKeysWithValues: models.map { ($0.name, $0) })
        self.opener = opener
        self.idleTime = idleTime
        self.logger = logger
        pool = PostgresPool(configuration, maximumConnections: 1, logger: logger)
        reader = LogReader(pool: pool)
        state = Mutex(State(shelf: Shelf(capacity: capacity)))
    }

    /// The last recorded position.
    package func head() async throws -> Position {
        try await reader.head()
    }

    /// The last position recorded at or before a time; `.start` where nothing was.
    package func position(at time: Int64) async throws -> Position {
        try await reader.lastPosition(at: time)
    }

    /// When the event at a position was recorded, in microseconds since the Unix epoch; nil where there is none.
    package func time(of position: Position) async throws -> Int64? {
        try await reader.events(from: position, through: position).first?.recordedAt
    }

    /// Lends a read model as it was when the log ended at `position`.
    ///
    /// - Parameters:
    ///   - model: its name, one of those given to `init`.
    ///   - position: at most the head of the log.
    ///   - patience: how long the caller waits for it to be built.
    ///   - body: is given the schema, which stays until it returns.
    /// - Throws: `Problem`; what kept the model from being built; what the body throws.
    package func with<T: Sendable>(
        _ model: String,
        asOf position: Position,
        patience: Duration,
        _ body: @Sendable (_ schema: String) async throws -> T
    ) async throws -> T {
        guard let model = models[model] else { throw Problem.unavailable }
        let key = Shelf.Key(model: model.name, position: position)
        let keeper = try await acquire(key, patience: patience)
        defer {
            // What was lost with another connection counts no users any more.
            state.withLock { if $0.workshop?.keeper == keeper { $0.shelf.release(key, now: .now) } }
        }
        return try await body(Self.schema(model, position, keeper: keeper).name)
    }

    private static func schema(_ model: any ReadModel, _ position: Position, keeper: Int64) -> SideSchema {
        SideSchema(model, at: position, suffix: String(keeper, radix: 36))
    }

    /// Builds and drops until the task is cancelled or the service group shuts down.
    package func run() async throws {
        await cancelWhenGracefulShutdown {
            var backoff = Backoff(first: .milliseconds(100), longest: .seconds(5))
            while !Task.isCancelled {
                do {
                    try await self.serve()
                } catch {
                    if Task.isCancelled { break }
                    self.logger.warning("past read models are unavailable; trying again", metadata: ["error": "\(error)"])
                    try? await Task.sleep(for: backoff.next())
                }
            }
        }
        await pool.close()
    }

    // MARK: Asking

    /// - Returns: the keeper of what may now be used until `release`.
    private func acquire(_ key: Shelf.Key, patience: Duration) async throws -> Int64 {
        let id = state.withLock { state in
            state.nextID += 1
            return state.nextID
        }
        // How it went is only for the first of the two to say, which ends whenever the second dismisses it.
        return try await withTaskGroup(of: Result<Int64, any Error>?.self, returning: Result<Int64, any Error>.self) { group in
            group.addTask {
                do { return .success(try await self.wait(for: key, as: id)) } catch { return .failure(error) }
            }
            group.addTask {
                try? await Task.sleep(for: patience)
                if !Task.isCancelled { self.dismiss(id, for: key, with: Problem.building) }
                return nil
            }
            defer { group.cancelAll() }
            for await case .some(let result) in group { return result }
            return .failure(CancellationError())
        }.get()
    }

    private func wait(for key: Shelf.Key, as id: UInt64) async throws -> Int64 {
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                let outcome = state.withLock { state -> Result<Int64, any Error>? in
                    guard let workshop = state.workshop else { return .failure(Problem.unavailable) }
                    let (answer, orders) = state.shelf.ask(for: key, as: id, continuation, now: .now)
                    // Under the lock, so that what is dropped and what is built stay in order.
                    for order in orders { workshop.orders.yield(order) }
                    switch answer {
                    case .ready: return .success(workshop.keeper)
                    case .wait: return nil
                    case .full: return .failure(Problem.full)
                    }
                }
                if let outcome {
                    continuation.resume(with: outcome)
                } else if Task.isCancelled {
                    dismiss(id, for: key, with: CancellationError())
                }
            }
        } onCancel: {
            dismiss(id, for: key, with: CancellationError())
        }
    }

    private func dismiss(_ id: UInt64, for key: Shelf.Key, with error: any Error) {
        state.withLock { $0.shelf.dismiss(id, for: key) }?.resume(throwing: error)
    }

    // MARK: Building

    /// Ends with an error where the connection is lost: with it goes the right to what was built.
    private func serve() async throws {
        let connection = try await PostgresConnection.connect(configuration, logger: logger)
        do {
            let keeper = try await connection.run { connection in
                try SideSchema.sweep(on: connection)
                return try SideSchema.makeKeeper(on: connection)
            }
            let (orders, continuation) = AsyncStream.makeStream(of: Shelf.Order.self)
            state.withLock { $0.workshop = Workshop(keeper: keeper, orders: continuation) }
            try await withThrowingTaskGroup(of: Void.self) { group in
                group.addTask {
                    for await order in orders { try await self.carryOut(order, on: connection, keeper: keeper) }
                }
                group.addTask {
                    while true {
                        try await Task.sleep(for: min(self.idleTime / 4, .seconds(10)))
                        try await connection.execute("select 1")
                        self.expire()
                    }
                }
                defer { group.cancelAll() }
                try await group.next()
            }
        } catch {
            await giveUp(connection)
            throw error
        }
        await giveUp(connection)
    }

    private func expire() {
        state.withLock { state in
            for order in state.shelf.expire(before: .now - idleTime) { state.workshop?.orders.yield(order) }
        }
    }

    private func giveUp(_ connection: PostgresConnection) async {
        let (waiters, workshop) = state.withLock { state in
            defer { state.workshop = nil }
            return (state.shelf.reset(), state.workshop)
        }
        for waiter in waiters { waiter.resume(throwing: Problem.unavailable) }
        let keeper = workshop?.keeper
        // Where this fails, whoever sweeps next does it.
        try? await connection.run { connection in
            guard let keeper else { return }
            for row in try connection.query("select schema from read_shadow.sides where keeper = $1", keeper) {
                let name = try row.get(0, String.self)
                try connection.transaction { try SideSchema.drop(name, on: $0) }
            }
        }
        await connection.close()
    }

    private func carryOut(_ order: Shelf.Order, on connection: PostgresConnection, keeper: Int64) async throws {
        switch order {
        case .drop(let key):
            guard let model = models[key.model] else { return }
            let schema = Self.schema(model, key.position, keeper: keeper)
            try await connection.run { connection in
                try connection.transaction { try SideSchema.drop(schema.name, on: $0) }
            }
        case .build(let key):
            guard let model = models[key.model] else { return }
            let schema = Self.schema(model, key.position, keeper: keeper)
            do {
                let builder = ReadModelBuilder(model, pool: pool, opener: opener)
                try await schema.build(on: connection, keeper: keeper, builder: builder) { _ in }
                for waiter in state.withLock({ $0.shelf.built(key, now: .now) }) { waiter.resume(returning: keeper) }
            } catch {
                for waiter in state.withLock({ $0.shelf.failed(key) }) { waiter.resume(throwing: error) }
                try Task.checkCancellation()
                guard await connection.isUsable else { throw error }
                logger.warning("a past read model could not be built", metadata: ["read_model": "\(key.model)", "error": "\(error)"])
                try await connection.run { connection in
                    try connection.transaction { try SideSchema.drop(schema.name, on: $0) }
                }
            }
        }
    }
}
