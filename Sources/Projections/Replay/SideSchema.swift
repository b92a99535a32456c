import EventStore
import FoundationEssentials
import Postgres

/// A schema that holds one read model as it was at a position, beside the live one.
struct SideSchema: Sendable {
    let name: String
    let model: any ReadModel
    let position: Position
    private let tables: ReadModelTables

    /// - Parameter suffix: tells schemas of several makers apart; lower-case letters and digits.
    init(_ model: any ReadModel, at position: Position, suffix: String? = nil) {
        name = "read_at_\(model.name)_\(position)" + (suffix.map { "_\($0)" } ?? "")
        self.model = model
        self.position = position
        tables = ReadModelTables(model: model, schema: name)
    }

    /// Builds it anew.
    ///
    /// - Parameters:
    ///   - connection: of `Projections.configuration`. Where it is lost, the schema may be dropped by `sweep`.
    ///   - keeper: an advisory lock that the connection holds.
    ///   - progress: is told how many positions have been considered.
    func build(
        on connection: PostgresConnection,
        keeper: Int64,
        builder: ReadModelBuilder,
        progress: @escaping @Sendable (Position) -> Void
    ) async throws {
        let (name, model, position, tables) = (name, model, position, tables)
        try await connection.run { connection in
            try connection.transaction { connection in
                try Self.drop(name, on: connection)
                try connection.execute("select read_shadow.create_side($1)", name)
                try connection.execute(
                    "insert into read_shadow.sides (schema, name, position, keeper) values ($1, $2, $3, $4)",
                    name,
                    model.name,
                    position.rawValue,
                    keeper
                )
                try tables.createBare(on: connection)
            }
        }
        try await builder.run(after: .start, through: position) { batch in
            try await connection.run { connection in
                try connection.transaction { try tables.write(batch.changes, on: $0) }
            }
            progress(batch.end)
        }
        try await connection.run { connection in
            try connection.transaction { connection in
                try tables.index(on: connection)
                try connection.executeScript(
                    """
                    grant usage on schema \(name) to coworkflow_gateway;
                    grant select on all tables in schema \(name) to coworkflow_gateway
                    """
                )
            }
        }
    }

    /// Leaves it there for good: from now on only whoever says so drops it.
    ///
    /// - Throws: `Forgotten`, having dropped it, where somebody was erased while it was built.
    func keep(on connection: isolated PostgresConnection) throws {
        // Whoever marks it at this very moment has it dropped by the live model's keeper.
        let kept = try connection.execute(
            """
            update read_shadow.sides set keeper = null
             where schema = $1 and not exists (select from read_shadow.forgotten f where f.schema = $1)
            """,
            name
        )
        guard kept == 0 else { return }
        try connection.transaction { try Self.drop(name, on: $0) }
        throw Forgotten(model: model.name)
    }

    /// It may show somebody who was erased while it was built.
    struct Forgotten: Error, CustomStringConvertible {
        let model: String

        var description: String { "somebody was erased while \(model) was built, so it was dropped: build it again" }
    }

    /// Drops one, if it is there.
    static func drop(_ name: String, on connection: isolated PostgresConnection) throws {
        let dropped = try connection.execute("delete from read_shadow.sides where schema = $1", name)
        if dropped > 0 { try connection.execute("drop schema if exists \(name) cascade") }
        // Last: whoever marks it then waits for this, and must not wait for those who read the tables.
        try connection.execute("delete from read_shadow.forgotten where schema = $1", name)
    }

    /// Takes an advisory lock that nobody else holds, for as long as the connection lives.
    static func makeKeeper(on connection: isolated PostgresConnection) throws -> Int64 {
        let keeper = Int64.random(in: 1...Int64.max)
        try connection.execute("select pg_advisory_lock($1)", keeper)
        return keeper
    }

    /// Drops what processes that are no more have left behind.
    static func sweep(on connection: isolated PostgresConnection) throws {
        let abandoned = try connection.query(
            "select schema from read_shadow.sides where keeper is not null and not read_shadow.is_held(keeper)"
        ).map { try $0.get(0, String.self) }
        for name in abandoned {
            try connection.transaction { try drop(name, on: $0) }
        }
    }
}
