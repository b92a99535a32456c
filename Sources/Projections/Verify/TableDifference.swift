import Postgres

/// A table whose rows are not the same in two places.
package struct TableDifference: Sendable, Equatable, CustomStringConvertible {
    /// How many keys are named at most.
    private static let named = 5

    package let table: String
    /// Keys of some rows that are in one place only, or other in each; as text, columns separated by commas.
    package let keys: [String]

    package var description: String {
        "\(table) (\(keys.joined(separator: "; "))\(keys.count == Self.named ? "; …" : ""))"
    }

    /// Compares a model's tables in two schemas, as the transaction sees them.
    static func between(
        _ schema: String,
        and other: String,
        of model: any ReadModel,
        on connection: isolated PostgresConnection
    ) throws -> [TableDifference] {
        try ReadModelDigest.prepare(connection)
        let digest = try ReadModelDigest(of: model, schema: schema, on: connection)
        let tables = digest.differences(from: try ReadModelDigest(of: model, schema: other, on: connection))
        return try model.tables.filter { tables.contains($0.name) }.map { table in
            let key = table.key.joined(separator: ", ")
            let keys = try connection.query(
                """
                select concat_ws(',', \(key))
                  from (select \(key), a as row from \(schema).\(table.name) a) a
                  full join (select \(key), b as row from \(other).\(table.name) b) b using (\(key))
                 where a.row::text is distinct from b.row::text
                 order by \(key)
                 limit \(Self.named)
                """
            )
            return TableDifference(table: table.name, keys: try keys.map { try $0.get(0, String.self) })
        }
    }
}
