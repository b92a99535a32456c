import Postgres

/// What becomes of one row in a batch.
enum RowChange: Sendable, Equatable {
    /// It is this, whatever it was.
    case row([PostgresValue])
    /// It is no more, whatever it was.
    case gone
    /// What it was counts: some columns change, if it is there.
    case touched(RowTouch)

    func setting(_ sets: [Int: PostgresValue], in table: Table) throws -> RowChange {
        switch self {
        case .gone:
            return .gone
        case .row(var values):
            for (place, value) in sets { values[place] = value }
            return .row(values)
        case .touched(var touch):
            for (place, value) in sets {
                touch.sets[place] = value
                touch.deltas[place] = nil
                touch.created?[place] = value
            }
            return .touched(touch)
        }
    }

    func adding(_ deltas: [Int: Int64], key: [PostgresValue], in table: Table) throws -> RowChange {
        switch self {
        case .gone:
            return .row(try table.row(beginningWith: key).adding(deltas, in: table))
        case .row(let values):
            return .row(try values.adding(deltas, in: table))
        case .touched(var touch):
            touch.created = try (touch.created ?? table.row(beginningWith: key)).adding(deltas, in: table)
            for (place, delta) in deltas {
                try touch.add(delta, at: place, in: table)
            }
            return .touched(touch)
        }
    }

    /// What becomes of the row where another batch follows.
    func followed(by later: RowChange, in table: Table) throws -> RowChange {
        guard case .touched(let touch) = later else { return later }
        switch self {
        case .gone:
            return touch.created.map(RowChange.row) ?? .gone
        case .row(let values):
            return .row(try values.touched(by: touch, in: table))
        case .touched(var first):
            for (place, value) in touch.sets {
                first.sets[place] = value
                first.deltas[place] = nil
            }
            for (place, delta) in touch.deltas {
                try first.add(delta, at: place, in: table)
            }
            first.created = try first.created?.touched(by: touch, in: table) ?? touch.created
            return .touched(first)
        }
    }
}

/// What becomes of a row that a batch knows only in part.
struct RowTouch: Sendable, Equatable {
    /// New values by place, if the row is there.
    var sets: [Int: PostgresValue] = [:]
    /// What is added by place, if the row is there. No place is in both.
    var deltas: [Int: Int64] = [:]
    /// The row if it was not there; nil where it then stays away.
    var created: [PostgresValue]?

    fileprivate mutating func add(_ delta: Int64, at place: Int, in table: Table) throws {
        if let value = sets[place] {
            sets[place] = try value.adding(delta, to: table.columns[place], of: table)
        } else {
            let sum = try PostgresValue.int8(deltas[place] ?? 0).adding(delta, to: table.columns[place], of: table)
            if case .int8(let sum) = sum { deltas[place] = sum }
        }
    }
}

extension Table {
    /// The row that a first count makes, before it counts.
    fileprivate func row(beginningWith key: [PostgresValue]) throws -> [PostgresValue] {
        var row: [PostgresValue] = []
        for (place, column) in columns.enumerated() {
            if let index = keyPlaces.firstIndex(of: place) {
                row.append(key[index])
            } else if let value = column.initialValue {
                row.append(value)
            } else {
                throw Changes.Problem.notCountable(table: name, column: column.name)
            }
        }
        return row
    }
}

extension [PostgresValue] {
    fileprivate func touched(by touch: RowTouch, in table: Table) throws -> [PostgresValue] {
        var values = self
        for (place, value) in touch.sets { values[place] = value }
        return try values.adding(touch.deltas, in: table)
    }

    fileprivate func adding(_ deltas: [Int: Int64], in table: Table) throws -> [PostgresValue] {
        var values = self
        for (place, delta) in deltas {
            values[place] = try values[place].adding(delta, to: table.columns[place], of: table)
        }
        return values
    }
}

extension PostgresValue {
    /// As in SQL: what is added to NULL is NULL.
    fileprivate func adding(_ delta: Int64, to column: Column, of table: Table) throws -> PostgresValue {
        guard case .int8(let value) = self else { return self }
        let (sum, overflow) = value.addingReportingOverflow(delta)
        guard !overflow else { throw Changes.Problem.overflow(table: table.name, column: column.name) }
        return .int8(sum)
    }
}
