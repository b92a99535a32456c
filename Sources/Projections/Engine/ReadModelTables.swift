import EventStore
import Postgres

/// The tables of a read model in one schema: making them, writing to them, moving them.
struct ReadModelTables: Sendable {
    let model: any ReadModel
    let schema: String

    /// Makes the tables with all indexes. To be called in a transaction.
    func create(on connection: isolated PostgresConnection) throws {
        for statement in model.tables.flatMap({ $0.definition(in: schema) }) {
            try connection.execute(statement)
        }
    }

    /// Makes the tables with their primary keys alone: what is loaded in bulk is indexed faster afterwards.
    func createBare(on connection: isolated PostgresConnection) throws {
        for table in model.tables { try connection.execute(table.creation(in: schema)) }
    }

    /// Makes the indexes that `createBare` left out, and lets the planner know what the tables hold.
    func index(on connection: isolated PostgresConnection) throws {
        for table in model.tables {
            for statement in table.indexing(in: schema) { try connection.execute(statement) }
            try connection.execute("analyze \(schema).\(table.name)")
        }
    }

    /// Writes changes in one round trip. To be called in a transaction.
    func write(_ changes: Changes, on connection: isolated PostgresConnection) throws {
        _ = try connection.pipeline(changes.statements(schema: schema))
    }

    /// Removes every table under the model's name, be it of this definition or of another. To be called in a transaction.
    func drop(on connection: isolated PostgresConnection) throws {
        for name in try present(on: connection) {
            try connection.execute("drop table \(schema).\(name)")
        }
    }

    /// Moves every table under the model's name, indexes with it. To be called in a transaction.
    func move(to target: String, on connection: isolated PostgresConnection) throws {
        for name in try present(on: connection) {
            try connection.execute("alter table \(schema).\(name) set schema \(target)")
        }
    }

    /// The names of the tables that there are under the model's name.
    func present(on connection: isolated PostgresConnection) throws -> [String] {
        try connection.query(
            "select tablename::text from pg_tables where schemaname = $1 and starts_with(tablename, $2) order by 1",
            schema,
            "\(model.name)_"
        ).map { try $0.get(0, String.self) }
    }
}
