import EventStore
package import Postgres

/// What a batch of events does to the rows of a read model. Changes to one row are folded into one as they come, so that a
/// batch is written set by set whatever its order, with the same effect.
package struct Changes: Sendable {
    /// A read model described a change that its tables do not admit: a mistake in its code.
    package enum Problem: PlainlyDescribed, Sendable, Equatable {
        case unknownTable(String)
        case unknownColumn(table: String, column: String)
        case missingColumn(table: String, column: String)
        case wrongValue(table: String, column: String)
        /// A key is no value that changes.
        case keyChanged(table: String, column: String)
        /// Only `bigint` columns are counted in, and a row can only begin with a count if its other columns may be empty.
        case notCountable(table: String, column: String)
        case overflow(table: String, column: String)

        package var description: String {
            switch self {
            case .unknownTable(let table): "no table \(table)"
            case .unknownColumn(let table, let column): "table \(table) has no column \(column)"
            case .missingColumn(let table, let column): "no value for column \(column) of \(table)"
            case .wrongValue(let table, let column): "a value that column \(column) of \(table) does not take"
            case .keyChanged(let table, let column): "column \(column) is part of the key of \(table)"
            case .notCountable(let table, let column): "column \(column) of \(table) cannot be counted in"
            case .overflow(let table, let column): "column \(column) of \(table) would overflow"
            }
        }
    }

    /// The changes of one table's rows by key, in the order in which the rows were first touched.
    struct TableChanges: Sendable {
        let table: Table
        private(set) var keys: [[PostgresValue]] = []
        /// What becomes of the row with the key at the same place.
        private(set) var rows: [RowChange] = []
        private var places: [[PostgresValue]: Int] = [:]

        init(_ table: Table) {
            self.table = table
        }

        mutating func fold(_ key: [PostgresValue], _ change: (RowChange?) throws -> RowChange) rethrows {
            if let place = places[key] {
                rows[place] = try change(rows[place])
            } else {
                rows.append(try change(nil))
                places[key] = keys.count
                keys.append(key)
            }
        }
    }

    /// What was changed before a sweep, and the sweep: it is about the rows as they are then.
    private(set) var swept: [(tables: [TableChanges], sweep: Sweep)] = []
    /// What was changed since the last sweep.
    private(set) var tables: [TableChanges]
    private let places: [String: Int]
    /// The event that is being applied.
    var position = Position.start
    /// The last position that changed a row; nil where none did.
    private(set) var changed: Position?

    init(_ tables: [Table]) {
        self.tables = tables.map(TableChanges.init)
        places = Dictionary(uniqueKeysWithValues: tables.enumerated().map { ($1.name, $0) })
    }

    /// The row is this, whether there was one with its key or not. Every column has a value.
    package mutating func upsert(_ table: Table, _ row: [String: PostgresValue]) throws {
        let place = try place(of: table)
        var values = [PostgresValue?](repeating: nil, count: table.columns.count)
        for (name, value) in row {
            guard let place = table.place(of: name) else { throw Problem.unknownColumn(table: table.name, column: name) }
            values[place] = try table.admitted(value, in: table.columns[place])
        }
        let complete = try zip(table.columns, values).map { column, value in
            guard let value else { throw Problem.missingColumn(table: table.name, column: column.name) }
            return value
        }
        tables[place].fold(table.keyPlaces.map { complete[$0] }) { _ in .row(complete) }
        changed = position
    }

    /// Some columns of the row with this key have other values. Where there is no such row, nothing happens.
    package mutating func update(_ table: Table, key: [String: PostgresValue], set values: [String: PostgresValue]) throws {
        let place = try place(of: table)
        let key = try table.key(from: key)
        let sets = try table.places(of: values) { value, column in try table.admitted(value, in: column) }
        try tables[place].fold(key) { try ($0 ?? .touched(RowTouch())).setting(sets, in: table) }
        changed = position
    }

    /// The row with this key is no more.
    package mutating func delete(_ table: Table, key: [String: PostgresValue]) throws {
        let place = try place(of: table)
        tables[place].fold(try table.key(from: key)) { _ in .gone }
        changed = position
    }

    /// Adds to `bigint` columns of the row with this key. Where there is no such row, it begins with zeros, and with NULL in
    /// columns that may be NULL; a table with other columns besides its key cannot be counted in so.
    package mutating func increment(_ table: Table, key: [String: PostgresValue], by deltas: [String: Int64]) throws {
        let place = try place(of: table)
        let key = try table.key(from: key)
        let deltas = try table.places(of: deltas) { delta, column in
            guard column.kind == .bigint else { throw Problem.notCountable(table: table.name, column: column.name) }
            return delta
        }
        try tables[place].fold(key) { try ($0 ?? .touched(RowTouch())).adding(deltas, key: key, in: table) }
        changed = position
    }

    /// Some columns of every row that has a value in a column, as rows are at this point of the batch, have other values.
    /// Rare, because the batch is written in pieces around it; the column wants an index.
    package mutating func sweep(
        _ table: Table,
        where name: String,
        is value: PostgresValue,
        having condition: Sweep.Condition? = nil,
        butNot exception: (name: String, value: PostgresValue)? = nil,
        set values: [String: PostgresValue]
    ) throws {
        _ = try place(of: table)
        let column = try table.column(named: name)
        switch condition {
        case .present(let name), .absent(let name): _ = try table.column(named: name)
        case nil: break
        }
        let sweep = Sweep(
            table: table,
            column: column,
            value: try table.admitted(value, in: column),
            condition: condition,
            exception: try exception.map { exception in
                let column = try table.column(named: exception.name)
                return .init(column: column, value: try table.admitted(exception.value, in: column))
            },
            sets: try table.places(of: values) { value, column in try table.admitted(value, in: column) }
        )
        add(sweep)
        changed = position
    }

    /// Adds what a later batch does to the same tables.
    mutating func append(_ later: Changes) throws {
        for (tables, sweep) in later.swept {
            try fold(tables)
            add(sweep)
        }
        try fold(later.tables)
        changed = later.changed ?? changed
    }

    private mutating func fold(_ later: [TableChanges]) throws {
        for (place, changes) in later.enumerated() {
            let table = changes.table
            for (key, change) in zip(changes.keys, changes.rows) {
                try tables[place].fold(key) { try $0?.followed(by: change, in: table) ?? change }
            }
        }
    }

    /// Ends the piece that comes before the sweep.
    private mutating func add(_ sweep: Sweep) {
        swept.append((tables, sweep))
        tables = tables.map { TableChanges($0.table) }
    }

    private func place(of table: Table) throws -> Int {
        guard let place = places[table.name], tables[place].table == table else { throw Problem.unknownTable(table.name) }
        return place
    }
}

extension Table {
    fileprivate func column(named name: String) throws -> Column {
        guard let place = place(of: name) else { throw Changes.Problem.unknownColumn(table: self.name, column: name) }
        return columns[place]
    }

    fileprivate func admitted(_ value: PostgresValue, in column: Column) throws -> PostgresValue {
        guard column.admits(value) else { throw Changes.Problem.wrongValue(table: name, column: column.name) }
        let value = value.withoutNUL
        // One form of NULL, so that keys and rows compare by what they hold.
        return value.isPostgresNull ? .null(column.kind.postgresType) : value
    }

    fileprivate func key(from values: [String: PostgresValue]) throws -> [PostgresValue] {
        if let stranger = values.keys.first(where: { !key.contains($0) }) {
            throw Changes.Problem.unknownColumn(table: name, column: stranger)
        }
        return try keyPlaces.map { place in
            let column = columns[place]
            guard let value = values[column.name] else { throw Changes.Problem.missingColumn(table: name, column: column.name) }
            return try admitted(value, in: column)
        }
    }

    /// Values by the places of their columns, none of which is part of the key.
    fileprivate func places<Value, Result>(
        of values: [String: Value],
        _ convert: (Value, Column) throws -> Result
    ) throws -> [Int: Result] {
        var result: [Int: Result] = [:]
        for (name, value) in values {
            guard let place = place(of: name) else { throw Changes.Problem.unknownColumn(table: self.name, column: name) }
            guard !keyPlaces.contains(place) else { throw Changes.Problem.keyChanged(table: self.name, column: name) }
            result[place] = try convert(value, columns[place])
        }
        return result
    }
}
