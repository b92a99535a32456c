import EventStore
import FoundationEssentials
import Postgres

/// A read model under construction in the shadow schema: its tables, and the row that says how far they have come. Both change
/// in one transaction, so that whoever takes up the work of a killed process knows where it stood.
actor ShadowBuild {
    /// How far the tables have come.
    struct Standing: Sendable, Equatable {
        var position = Position.start
        /// The last position that changed a row.
        var changed = Position.start
        var isIndexed = false
    }

    static let schema = "read_shadow"

    nonisolated let tables: ReadModelTables
    private let writer: PostgresConnection
    private(set) var standing: Standing

    private nonisolated var name: String { tables.model.name }

    private init(_ tables: ReadModelTables, _ standing: Standing, writer: PostgresConnection) {
        self.tables = tables
        self.standing = standing
        self.writer = writer
    }

    /// Takes up what there is, or begins anew: where there is nothing, where it was of another definition, or where it comes from another
    /// log, which is shown by the event it stopped at.
    ///
    /// - Parameter goal: what is past this is of no use.
    static func take(_ model: any ReadModel, goal: Position, on writer: PostgresConnection) async throws -> ShadowBuild {
        let tables = ReadModelTables(model: model, schema: schema)
        let standing = try await writer.run { connection in
            if let standing = try find(tables, goal: goal, on: connection) { return standing }
            try begin(tables, on: connection)
            return Standing()
        }
        return ShadowBuild(tables, standing, writer: writer)
    }

    private static func find(
        _ tables: ReadModelTables,
        goal: Position,
        on connection: isolated PostgresConnection
    ) throws -> Standing? {
        let row = try connection.query(
            """
            select b.position, b.changed, b.indexed
              from read_shadow.builds b
              left join log.events e on e.position = b.position
             where b.name = $1 and b.definition = $2 and b.position <= $3 and b.hash is not distinct from e.hash
            """,
            tables.model.name,
            tables.model.definition,
            goal.rawValue
        ).first
        guard let row, try Set(tables.present(on: connection)) == Set(tables.model.tables.map(\.name)) else { return nil }
        return Standing(
            position: Position(try row.get(0, Int64.self)),
            changed: Position(try row.get(1, Int64.self)),
            isIndexed: try row.get(2, Bool.self)
        )
    }

    private static func begin(_ tables: ReadModelTables, on connection: isolated PostgresConnection) throws {
        try connection.transaction { connection in
            try tables.drop(on: connection)
            try tables.createBare(on: connection)
            try connection.execute(
                """
                insert into read_shadow.builds (name, definition) values ($1, $2)
                on conflict (name) do update
                   set definition = excluded.definition, position = 0, changed = 0, hash = null, indexed = false
                """,
                tables.model.name,
                tables.model.definition
            )
        }
    }

    /// Writes a batch.
    ///
    /// - Throws: `CheckpointMoved` where the build is not where this one left it: somebody else builds the same.
    func write(_ batch: ReadModelBuilder.Batch) async throws {
        let (name, tables) = (name, tables)
        try await writer.run { connection in
            try connection.transaction { connection in
                let moved = try connection.execute(
                    """
                    update read_shadow.builds
                       set position = $3, changed = coalesce($4, changed), hash = (select hash from log.events where position = $3)
                     where name = $1 and position = $2
                    """,
                    name,
                    batch.start.rawValue,
                    batch.end.rawValue,
                    batch.changes.changed?.rawValue
                )
                guard moved == 1 else { throw CheckpointMoved() }
                try tables.write(batch.changes, on: connection)
            }
        }
        standing.position = batch.end
        standing.changed = batch.changes.changed ?? standing.changed
    }

    /// Makes the indexes.
    func index() async throws {
        let (name, tables) = (name, tables)
        try await writer.run { connection in
            try connection.transaction { connection in
                try tables.index(on: connection)
                try connection.execute("update read_shadow.builds set indexed = true where name = $1", name)
            }
        }
        standing.isIndexed = true
    }
}
