import Crypto
import EventStore
import Postgres

/// A fingerprint of all rows of a read model: equal for equal rows, whatever their history.
struct ReadModelDigest: Sendable, Equatable {
    /// SHA-256 by table, in hexadecimal.
    let tables: [String: String]

    /// Computed by the server: a hash of each row's text, and a hash of these in the order of the key.
    init(of model: any ReadModel, schema: String, on connection: isolated PostgresConnection) throws {
        var tables: [String: String] = [:]
        for table in model.tables {
            let row = try connection.query(
                """
                select count(*), encode(sha256(coalesce(
                           string_agg(sha256(convert_to(digested::text, 'UTF8')), ''::bytea order by \(table.key.joined(separator: ", "))),
                           ''::bytea
                       )), 'hex')
                  from \(schema).\(table.name) as digested
                """
            ).first
            tables[table.name] = try row.map { "\(try $0.get(0, Int64.self)):\(try $0.get(1, String.self))" }
        }
        self.tables = tables
    }

    /// The tables that differ, sorted.
    func differences(from other: ReadModelDigest) -> [String] {
        Set(tables.keys).union(other.tables.keys).filter { tables[$0] != other.tables[$0] }.sorted()
    }
}
