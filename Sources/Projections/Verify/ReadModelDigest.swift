import EventStore
import Postgres

/// A fingerprint of all rows of a read model: equal for equal rows, whatever their history.
struct ReadModelDigest: Sendable, Equatable {
    /// By table, how many rows there are and two sums over hashes of them.
    let tables: [String: String]

    /// Computed by the server in one pass over each table, without sorting and in no memory to speak of: the order of the rows does not
    /// matter to a sum, and 128 bits leave no chance to an accident. It is no proof against somebody who chooses rows to deceive it.
    init(of model: any ReadModel, schema: String, on connection: isolated PostgresConnection) throws {
        var tables: [String: String] = [:]
        for table in model.tables {
            tables[table.name] = try connection.query(
                """
                select count(*), coalesce(sum(hashtextextended(text, 0)), 0)::text, coalesce(sum(hashtextextended(text, 1)), 0)::text
                  from (select digested::text as text from \(schema).\(table.name) as digested) as rows
                """
            ).first.map { "\(try $0.get(0, Int64.self)):\(try $0.get(1, String.self)):\(try $0.get(2, String.self))" }
        }
        self.tables = tables
    }

    /// Has the transaction write rows as text in one form, which otherwise depends on the session's settings, and read whole tables
    /// from end to end.
    static func prepare(_ connection: isolated PostgresConnection) throws {
        try connection.executeScript(
            """
            set local timezone = 'UTC'; set local datestyle = 'ISO'; set local extra_float_digits = 1;
            set local enable_seqscan = on
            """
        )
    }

    /// The tables that differ, sorted.
    func differences(from other: ReadModelDigest) -> [String] {
        Set(tables.keys).union(other.tables.keys).filter { tables[$0] != other.tables[$0] }.sorted()
    }
}
