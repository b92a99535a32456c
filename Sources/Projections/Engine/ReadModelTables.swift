import EventStore
import Postgres

/// The tables of a read model in one schema: making them and writing to them.
struct ReadModelTables: Sendable {
    let model: any ReadModel
    let schema: String

    /// Makes the tables anew, whatever was there under the model's name. To be called in a transaction.
    func rebuild(on connection: isolated PostgresConnection) throws {
        let old = try connection.query(
            "select tablename::text from pg_tables where schemaname = $1 and starts_with(tablename, $2)",
            schema,
            "\(model.name)_"
        )
        for row in old {
            try connection.execute("drop table \(schema).\(try row.get(0, String.self))")
        }
        try create(on: connection)
    }

    func create(on connection: isolated PostgresConnection) throws {
        for statement in model.tables.flatMap({ $0.definition(in: schema) }) {
            try connection.execute(statement)
        }
    }

    /// Writes changes in one round trip. To be called in a transaction.
    func write(_ changes: Changes, on connection: isolated PostgresConnection) throws {
        _ = try connection.pipeline(changes.statements(schema: schema))
    }
}
