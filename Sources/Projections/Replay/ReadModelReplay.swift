package import EventStore
package import Logging
package import Postgres

/// Builds a read model anew from the first event beside the live one, compares the two where both stand at the same position, and
/// puts the new one in the other's place in one transaction. Queries and the live subscription go on all the while.
///
/// A run that was killed is taken up by the next one of the same definition.
package struct ReadModelReplay: Sendable {
    /// Another run builds the same read model now, or what this one had built is of no use any more: a skip was taken back.
    package struct AlreadyRunning: Error, CustomStringConvertible {
        let model: String

        package var description: String { "another replay of \(model) is running, or a skip was taken back meanwhile" }
    }

    /// An event cannot be applied.
    package struct Halted: Error, Equatable, CustomStringConvertible {
        let event: RecordedEvent
        /// Why, without anything that the event says.
        package let reason: String

        package var position: Position { event.position }
        package var description: String { "the event at position \(position), a \(event.type), cannot be applied: \(reason)" }
    }

    /// The live model has other rows, and does not come to an erasure that would explain it.
    package struct Behind: Error, Equatable, CustomStringConvertible {
        let model: String
        let position: Position
        let erasure: Position

        package var description: String {
            """
            \(model) stands at position \(position) and has other rows; whether they are wrong is seen when it has come to the erasure at \
            position \(erasure)
            """
        }
    }

    /// What came of it.
    package enum Outcome: Sendable, Equatable {
        /// The new model serves. The differences are those that were forced; the position is where the two were compared, nil where there was
        /// nothing to compare with: no live model, or one of another definition.
        case switched(at: Position, compared: Position?, differences: [TableDifference])
        /// The live model has other rows, and stays.
        case different(at: Position, [TableDifference])
    }

    /// Where a run can be made to fail, to see whether the next one gets on from there.
    enum Step: Hashable, Sendable {
        case taken
        case written
        case indexed
        case paused
        case compared
        case replaced
        case switched
    }

    private let model: any ReadModel
    private let configuration: PostgresConfiguration
    private let opener: any SealOpener
    private let logger: Logger
    private let patience: Duration
    private let step: @Sendable (Step) async throws -> Void

    /// - Parameter configuration: of `Projections.configuration`; three connections are made.
    package init(_ model: any ReadModel, configuration: PostgresConfiguration, opener: any SealOpener, logger: Logger) {
        self.init(model, configuration: configuration, opener: opener, logger: logger) { _ in }
    }

    /// - Parameter patience: how long the live model may take to come to an erasure, where it has other rows.
    init(
        _ model: any ReadModel,
        configuration: PostgresConfiguration,
        opener: any SealOpener,
        logger: Logger,
        patience: Duration = .seconds(30),
        step: @escaping @Sendable (Step) async throws -> Void
    ) {
        self.model = model
        self.configuration = configuration
        self.opener = opener
        self.logger = logger
        self.patience = patience
        self.step = step
    }

    /// Builds, compares and switches.
    ///
    /// - Parameters:
    ///   - force: switches also where the live model has other rows.
    ///   - progress: is told after every batch and at the beginning of every phase.
    /// - Throws: `AlreadyRunning`; `Halted`, where `deadletters` tells of the event and can have it skipped; `Behind`, unless it is forced.
    ///   What was built until then stays for the next run.
    package func run(
        force: Bool = false,
        progress: @escaping @Sendable (ReplayProgress) -> Void = { _ in }
    ) async throws -> Outcome {
        let pool = PostgresPool(configuration, maximumConnections: 1, logger: logger)
        do {
            let control = try await PostgresConnection.connect(configuration, logger: logger)
            let writer = try await PostgresConnection.connect(configuration, logger: logger)
            let outcome = try await Self.closing([control, writer]) {
                try await Self.lock(model, on: control)
                let run = ReplayRun(
                    model: model, control: control, writer: writer, pool: pool, opener: opener, patience: patience, step: step,
                    progress: progress
                )
                return try await run.outcome(force: force)
            }
            await pool.close()
            return outcome
        } catch {
            if let halted = error as? Halted { try await setAside(halted, pool) }
            await pool.close()
            if error is CheckpointMoved { throw AlreadyRunning(model: model.name) }
            throw error
        }
    }

    private func setAside(_ halted: Halted, _ pool: PostgresPool) async throws {
        let name = model.name
        try await pool.withConnection { connection in
            try DeadLetters(.readModels).setAside(halted.event, because: halted.reason, byRebuildOf: name, on: connection)
        }
    }

    /// Drops what earlier runs left behind: the tables that were replaced, a build that was given up, models kept as of a position. Waits
    /// for whoever reads them, without standing in anybody's way.
    ///
    /// - Throws: `AlreadyRunning` where one is being built.
    package func dropLeftovers() async throws {
        let model = model
        let control = try await PostgresConnection.connect(configuration, logger: logger)
        try await Self.closing([control]) {
            try await Self.lock(model, on: control)
            try await control.run { try Leftovers.forget(of: model.name, on: $0) }
            while try await !control.run({ try Leftovers.dropForgotten(of: model.name, on: $0) }) {
                try await Task.sleep(for: .milliseconds(200))
            }
            try await control.run { try SideSchema.sweep(on: $0) }
        }
    }

    /// Builds the model as of a position into a schema of its own, which stays until `dropLeftovers`.
    ///
    /// - Returns: the schema's name.
    /// - Throws: `AlreadyRunning`; `SideSchema.Forgotten`, where somebody was erased meanwhile: nothing stays then.
    package func build(
        asOf position: Position,
        progress: @escaping @Sendable (ReplayProgress) -> Void = { _ in }
    ) async throws -> String {
        let side = SideSchema(model, at: position)
        let pool = PostgresPool(configuration, maximumConnections: 1, logger: logger)
        do {
            let control = try await PostgresConnection.connect(configuration, logger: logger)
            try await Self.closing([control]) {
                try await Self.lock(model, on: control)
                let keeper = try await control.run { connection in
                    try SideSchema.sweep(on: connection)
                    return try SideSchema.makeKeeper(on: connection)
                }
                let builder = ReadModelBuilder(model, pool: pool, opener: opener)
                try await side.build(on: control, keeper: keeper, builder: builder) {
                    progress(ReplayProgress(phase: .loading, position: $0, goal: position))
                }
                try await step(.indexed)
                try await control.run { try side.keep(on: $0) }
            }
            await pool.close()
            return side.name
        } catch {
            await pool.close()
            throw error
        }
    }

    /// One run at a time. The lock goes with the connection, so that a killed one stands in nobody's way.
    private static func lock(_ model: any ReadModel, on control: PostgresConnection) async throws {
        let isFree = try await control.query("select pg_try_advisory_lock(hashtextextended($1, 7310584019241))", model.name).first
        guard try isFree?.get(0, Bool.self) == true else { throw AlreadyRunning(model: model.name) }
    }

    private static func closing<T>(_ connections: [PostgresConnection], _ body: () async throws -> T) async throws -> T {
        do {
            let value = try await body()
            for connection in connections { await connection.close() }
            return value
        } catch {
            for connection in connections { await connection.close() }
            throw error
        }
    }
}
