import Domain
package import EventStore
import FoundationEssentials
package import Logging
package import Postgres
import Synchronization

/// Keeps one read model up with the log: what a batch of events changes is written in one transaction with the checkpoint.
package final class ProjectionTarget: SubscriptionTarget {
    private static let lease = Duration.seconds(5)
    /// How often it looks, at least, whether something that lies beside it can be dropped.
    static let lookBeside = Duration.seconds(1)

    let projector: Projector
    let tables: ReadModelTables
    let checkpoint: Checkpoint
    let pool: PostgresPool
    let logger: Logger
    private let turn: RebuildTurn
    private let isPrepared = Mutex(false)
    /// The event that its rebuild halted at.
    let rebuildHalt = Mutex<Position?>(nil)
    /// What is known of the events that it could not apply.
    let letters = Mutex(DeadLetters.Standing())
    /// When it last looked whether something that lies beside it can be dropped; nil where it is to look at once.
    let lookedBeside = Mutex<ContinuousClock.Instant?>(nil)

    package var name: String { projector.model.name }

    /// All: a model that follows the whole log has considered every position at once, so that whoever waits to read their
    /// own write never waits for a model that the write does not concern. What it does not want it does not decode.
    package var contexts: Set<String>? { nil }

    /// - Parameters:
    ///   - pool: connections of `Projections.configuration`.
    ///   - turn: of all read models that one process keeps.
    package init(
        _ model: any ReadModel,
        decoded: DecodedEvents = DecodedEvents(),
        opener: any SealOpener,
        pool: PostgresPool,
        turn: RebuildTurn = RebuildTurn(),
        logger: Logger
    ) {
        projector = Projector(model, decoded: decoded, opener: opener)
        tables = ReadModelTables(model: model, schema: Projections.schema)
        checkpoint = Checkpoint(table: .readModels, name: model.name, replica: UUID(), lease: Self.lease)
        self.pool = pool
        self.turn = turn
        var logger = logger
        logger[metadataKey: "read_model"] = "\(model.name)"
        self.logger = logger
    }

    /// Where the model is stored in another definition, it is built anew beside the old rows, which are served until it takes their
    /// place: once in the life of this process. A replica that finds later that another definition took its place stands
    /// back, or an old version would fight with its successor.
    package func acquire() async throws -> Position? {
        let (model, tables, checkpoint) = (projector.model, tables, checkpoint)
        let stored = try await pool.withConnection { try LiveModel.find(model, on: $0)?.definition }
        if let stored, stored != model.definition {
            guard !isPrepared.withLock({ $0 }), turn.take() else { return nil }
            defer { turn.giveBack() }
            logger.notice("the read model is defined anew; building it beside the old one")
            do {
                let replay = ReadModelReplay(model, configuration: pool.configuration, opener: projector.opener, logger: logger)
                _ = try await replay.run()
            } catch is ReadModelReplay.AlreadyRunning {
                return nil
            } catch let halted as ReadModelReplay.Halted {
                rebuildHalt.withLock { $0 = halted.position }
                throw SubscriptionHalted(at: halted.position, because: halted.reason)
            }
        }
        rebuildHalt.withLock { $0 = nil }
        let (position, standing) = try await pool.transaction { connection -> (Position?, DeadLetters.Standing?) in
            try Self.createIfMissing(tables, on: connection)
            guard try LiveModel.find(model, on: connection)?.definition == model.definition else { return (nil, nil) }
            let position = try checkpoint.acquire(connection)
            return (position, try position.map { try Self.deadLetters.standing(of: model.name, at: $0, on: connection) })
        }
        isPrepared.withLock { $0 = true }
        if let standing { heed(standing) }
        if position != nil { try await dropForgotten() }
        return position
    }

    package func release() async throws {
        let checkpoint = checkpoint
        try await pool.withConnection { try checkpoint.release($0) }
    }

    /// What lies beside the model and was marked when somebody was erased. What somebody reads now is left for the next time.
    func dropForgotten() async throws {
        let name = name
        try await pool.withConnection { try Leftovers.dropForgotten(of: name, on: $0) }
        lookedBeside.withLock { $0 = .now }
    }

    /// A model that there never was begins with empty tables, so that it can be asked at once and says where it stands.
    private static func createIfMissing(_ tables: ReadModelTables, on connection: isolated PostgresConnection) throws {
        let model = tables.model
        guard try LiveModel.find(model, on: connection) == nil else { return }
        try connection.execute("select pg_advisory_xact_lock(hashtextextended($1, 7310584019240))", model.name)
        guard try LiveModel.find(model, on: connection) == nil else { return }
        try tables.drop(on: connection)
        try tables.create(on: connection)
        try connection.execute("insert into read.checkpoints (name, definition) values ($1, $2)", model.name, model.definition)
    }
}
