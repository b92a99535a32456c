import Domain
package import EventStore
import FoundationEssentials
package import Logging
package import Postgres
import Synchronization

/// Keeps one read model up with the log: what a batch of events changes is written in one transaction with the checkpoint.
package final class ProjectionTarget: SubscriptionTarget {
    private static let lease = Duration.seconds(5)

    let projector: Projector
    let tables: ReadModelTables
    let checkpoint: Checkpoint
    let pool: PostgresPool
    let logger: Logger
    private let isPrepared = Mutex(false)
    /// What is known of the events that it could not apply.
    let letters = Mutex(DeadLetters.Standing())

    package var name: String { projector.model.name }

    /// All: a model that follows the whole log has considered every position at once, so that whoever waits to read their
    /// own write never waits for a model that the write does not concern. What it does not want it does not decode.
    package var contexts: Set<String>? { nil }

    /// - Parameter pool: connections of `Projections.configuration`.
    package init(
        _ model: any ReadModel,
        decoded: DecodedEvents = DecodedEvents(),
        opener: any SealOpener,
        pool: PostgresPool,
        logger: Logger
    ) {
        projector = Projector(model, decoded: decoded, opener: opener)
        tables = ReadModelTables(model: model, schema: Projections.schema)
        checkpoint = Checkpoint(table: .readModels, name: model.name, replica: UUID(), lease: Self.lease)
        self.pool = pool
        var logger = logger
        logger[metadataKey: "read_model"] = "\(model.name)"
        self.logger = logger
    }

    /// Makes the model anew if its definition is not the one stored, once in the life of this process: a replica that finds
    /// later that another definition took its place stands back, or an old version would fight with its successor.
    package func acquire() async throws -> Position? {
        let mayRebuild = !isPrepared.withLock { $0 }
        let (model, tables, checkpoint) = (projector.model, tables, checkpoint)
        let definition = model.definition
        let (position, replaced, standing) = try await pool.transaction { connection -> (Position?, Bool, DeadLetters.Standing?) in
            let stored = try Self.storedDefinition(of: model, on: connection)
            var rebuilt = false
            if stored != definition {
                guard mayRebuild else { return (nil, false, nil) }
                rebuilt = try Self.rebuild(tables, definition: definition, on: connection)
            }
            let position = try checkpoint.acquire(connection)
            let standing = try position.map { try Self.deadLetters.standing(of: model.name, at: $0, on: connection) }
            return (position, rebuilt && stored != nil, standing)
        }
        isPrepared.withLock { $0 = true }
        if let standing { heed(standing) }
        if replaced { logger.notice("the read model is defined anew; building it from the first event") }
        return position
    }

    package func release() async throws {
        let checkpoint = checkpoint
        try await pool.withConnection { try checkpoint.release($0) }
    }

    private static func storedDefinition(of model: any ReadModel, on connection: isolated PostgresConnection) throws -> String? {
        try connection.query("select definition from read.checkpoints where name = $1", model.name).first.map {
            try $0.get(0, String.self)
        }
    }

    /// - Returns: false where another replica did it while this one waited.
    private static func rebuild(
        _ tables: ReadModelTables,
        definition: String,
        on connection: isolated PostgresConnection
    ) throws -> Bool {
        let model = tables.model
        try connection.execute("select pg_advisory_xact_lock(hashtextextended($1, 7310584019240))", model.name)
        guard try storedDefinition(of: model, on: connection) != definition else { return false }
        try tables.drop(on: connection)
        try tables.create(on: connection)
        try deadLetters.forgetWaiting(of: model.name, on: connection)
        // Without an owner: whoever applies the old definition's events now finds its checkpoint moved.
        try connection.execute(
            """
            insert into read.checkpoints (name, definition) values ($1, $2)
            on conflict (name) do update
               set definition = excluded.definition, position = 0, changed = 0, owner = null, lease_until = null
            """,
            model.name,
            definition
        )
        return true
    }
}
