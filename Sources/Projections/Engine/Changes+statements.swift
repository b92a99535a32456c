import Postgres

extension Changes {
    /// The statements that write the changes to the tables in a schema: for each table, one a kind of change, and again after
    /// each sweep.
    func statements(schema: String) throws(PostgresError) -> [PostgresStatement] {
        var statements: [PostgresStatement] = []
        for (tables, sweep) in swept {
            statements += try Self.statements(of: tables, schema: schema)
            statements.append(sweep.statement(schema: schema))
        }
        return statements + (try Self.statements(of: tables, schema: schema))
    }

    /// Each row is touched by one kind only, so their order matters in one place: a counted row is updated where it is
    /// there and then inserted where it is not.
    private static func statements(of tables: [TableChanges], schema: String) throws(PostgresError) -> [PostgresStatement] {
        var statements: [PostgresStatement] = []
        for changes in tables where !changes.keys.isEmpty {
            let writer = TableWriter(table: changes.table, schema: schema)
            var rows: [[PostgresValue]] = []
            var gone: [[PostgresValue]] = []
            var touches: [TouchedColumns: [(key: [PostgresValue], touch: RowTouch)]] = [:]
            var created: [[PostgresValue]] = []
            for (key, change) in zip(changes.keys, changes.rows) {
                switch change {
                case .row(let values): rows.append(values)
                case .gone: gone.append(key)
                case .touched(let touch):
                    touches[TouchedColumns(touch), default: []].append((key, touch))
                    if let row = touch.created { created.append(row) }
                }
            }
            if !gone.isEmpty { statements.append(try writer.delete(gone)) }
            if !rows.isEmpty { statements.append(try writer.upsert(rows)) }
            for columns in touches.keys.sorted() where !columns.isEmpty {
                statements.append(try writer.update(columns, touches[columns] ?? []))
            }
            if !created.isEmpty { statements.append(try writer.insertMissing(created)) }
        }
        return statements
    }
}

/// Which columns a row's change sets and which it adds to: rows alike in this are written by one statement.
private struct TouchedColumns: Hashable, Comparable {
    let sets: [Int]
    let deltas: [Int]

    init(_ touch: RowTouch) {
        sets = touch.sets.keys.sorted()
        deltas = touch.deltas.keys.sorted()
    }

    var isEmpty: Bool { sets.isEmpty && deltas.isEmpty }

    static func < (a: Self, b: Self) -> Bool {
        a.sets == b.sets ? a.deltas.lexicographicallyPrecedes(b.deltas) : a.sets.lexicographicallyPrecedes(b.sets)
    }
}

/// Writes the SQL for one table. The texts depend on the model alone, so that the few there are stay prepared.
private struct TableWriter {
    let table: Table
    let schema: String

    private var target: String { "\(schema).\(table.name)" }
    private var keyMatches: String { table.key.map { "t.\($0) = n.\($0)" }.joined(separator: " and ") }

    func delete(_ keys: [[PostgresValue]]) throws(PostgresError) -> PostgresStatement {
        let columns = try columns(keys, at: table.keyPlaces)
        return PostgresStatement(
            """
            delete from \(target) as t
             using \(unnest(columns.count)) as n(\(table.key.joined(separator: ", ")))
             where \(keyMatches)
            """,
            parameters: columns
        )
    }

    func upsert(_ rows: [[PostgresValue]]) throws(PostgresError) -> PostgresStatement {
        let others = table.columns.map(\.name).filter { !table.key.contains($0) }
        let sets = others.map { "\($0) = excluded.\($0)" }.joined(separator: ", ")
        return try insert(rows, onConflict: others.isEmpty ? "nothing" : "update set \(sets)")
    }

    func insertMissing(_ rows: [[PostgresValue]]) throws(PostgresError) -> PostgresStatement {
        try insert(rows, onConflict: "nothing")
    }

    /// The arrays are unnested in the list of columns, where Postgres reads them in step, and not in `from`, where it writes all rows down
    /// first.
    private func insert(_ rows: [[PostgresValue]], onConflict: String) throws(PostgresError) -> PostgresStatement {
        let columns = try columns(rows, at: Array(table.columns.indices))
        return PostgresStatement(
            """
            insert into \(target) (\(table.columns.map(\.name).joined(separator: ", ")))
            select \(columns.indices.map { "unnest($\($0 + 1))" }.joined(separator: ", "))
            on conflict (\(table.key.joined(separator: ", "))) do \(onConflict)
            """,
            parameters: columns
        )
    }

    func update(
        _ touched: TouchedColumns,
        _ rows: [(key: [PostgresValue], touch: RowTouch)]
    ) throws(PostgresError) -> PostgresStatement {
        let places = table.keyPlaces + touched.sets + touched.deltas
        let names = places.map { table.columns[$0].name }
        let assignments =
            touched.sets.map { "\(table.columns[$0].name) = n.\(table.columns[$0].name)" }
            + touched.deltas.map { "\(table.columns[$0].name) = t.\(table.columns[$0].name) + n.\(table.columns[$0].name)" }
        let values = rows.map { row in
            row.key + touched.sets.compactMap { row.touch.sets[$0] }
                + touched.deltas.compactMap { row.touch.deltas[$0].map(PostgresValue.int8) }
        }
        let columns = try columns(values, at: places)
        return PostgresStatement(
            """
            update \(target) as t
               set \(assignments.joined(separator: ", "))
              from \(unnest(columns.count)) as n(\(names.joined(separator: ", ")))
             where \(keyMatches)
            """,
            parameters: columns
        )
    }

    /// The rows turned into one array a column.
    private func columns(_ rows: [[PostgresValue]], at places: [Int]) throws(PostgresError) -> [PostgresColumn] {
        var columns: [PostgresColumn] = []
        for (index, place) in places.enumerated() {
            columns.append(try PostgresColumn(table.columns[place].kind.postgresType, rows.map { $0[index] }))
        }
        return columns
    }

    private func unnest(_ count: Int) -> String {
        "unnest(\((1...count).map { "$\($0)" }.joined(separator: ", ")))"
    }
}
