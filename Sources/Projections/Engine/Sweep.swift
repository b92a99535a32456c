import Postgres

/// A change of every row of a table that has some value: what is left of a person is written over wherever it stands.
package struct Sweep: Sendable, Equatable {
    /// Which of these rows are meant.
    package enum Condition: Sendable, Equatable {
        /// Those in which this column is not NULL.
        case present(String)
        /// Those in which this column is NULL.
        case absent(String)
    }

    struct Exception: Sendable, Equatable {
        let column: Column
        let value: PostgresValue
    }

    let table: Table
    let column: Column
    let value: PostgresValue
    let condition: Condition?
    /// Rows that have this value in this column are not meant.
    let exception: Exception?
    /// New values by place.
    let sets: [Int: PostgresValue]

    private var conditionSQL: String {
        switch condition {
        case .present(let column): " and \(column) is not null"
        case .absent(let column): " and \(column) is null"
        case nil: ""
        }
    }

    func statement(schema: String) -> PostgresStatement {
        let places = sets.keys.sorted()
        let assignments = places.enumerated().map { "\(table.columns[$1].name) = $\($0 + 2)" }.joined(separator: ", ")
        let excepted = exception.map { " and \($0.column.name) is distinct from $\(places.count + 2)" } ?? ""
        return PostgresStatement(
            "update \(schema).\(table.name) set \(assignments) where \(column.name) = $1\(conditionSQL)\(excepted)",
            parameters: [value] + places.compactMap { sets[$0] } + (exception.map { [$0.value] } ?? [])
        )
    }
}
