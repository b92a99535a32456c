package import Domain
import FoundationEssentials
package import Postgres

/// What is asked of the ledger. Who may ask is for the caller to know.
package struct RazaoQueries: Sendable {
    /// The read models that the queries read.
    package static let models: Set<String> = ["razao"]

    private let pool: PostgresPool
    private let schema: String

    /// - Parameter pool: connections of a role that may read the schema.
    package init(pool: PostgresPool, schema: String = "read") {
        self.pool = pool
        self.schema = schema
    }

    /// The lines that pass the filter, by day, and of one day in the order in which they were entered.
    package func lines(_ filter: LedgerFilter, limit: Int, after cursor: Cursor? = nil) async throws -> ResultPage<LedgerLine> {
        let lines = try await pool.rows(try statement(filter, limit: limit, after: cursor), LedgerLine.init(row:))
        return ResultPage(lines, limit: limit) { Cursor(key: $0.day.texto, id: "\($0.position) \($0.number)") }
    }

    func statement(_ filter: LedgerFilter, limit: Int, after cursor: Cursor?) throws -> PostgresStatement {
        var select = SelectBuilder("select \(LedgerLine.columns(in: schema)) from \(schema).razao_lines")
        if let account = filter.account { select.require("account = \(select.bind(account.texto))") }
        if let unit = filter.unit { select.require("unit_id = \(select.bind(unit.uuid))") }
        if let booking = filter.booking { select.require("booking_id = \(select.bind(booking.uuid))") }
        if let from = filter.from { select.require("day >= \(select.bind(PostgresDate(from)))") }
        if let to = filter.to { select.require("day <= \(select.bind(PostgresDate(to)))") }
        if let cursor {
            let (day, position, number) = try cursor.line()
            select.require(
                "(day, position, number) > (\(select.bind(PostgresDate(day))), \(select.bind(position)), \(select.bind(number)))")
        }
        return select.page(orderBy: "day, position, number", limit: limit)
    }

    /// What each account moved from `from` (or the beginning) to `to`, both included.
    package func movements(from: DataCivil?, to: DataCivil?, unit: UnidadeID? = nil) async throws -> [AccountMovement] {
        let (condition, parameters) = condition(from: from, to: to, unit: unit)
        return try await pool.rows(
            PostgresStatement(
                """
                select account, sum(debit_cents)::bigint as debit_cents, sum(credit_cents)::bigint as credit_cents
                  from \(schema).razao_days where \(condition) group by account
                """,
                parameters: parameters
            ),
            AccountMovement.init(row:)
        )
    }

    /// What each account moved in each month from that of `from` to that of `to`.
    package func monthly(from: MesCivil, to: MesCivil, unit: UnidadeID? = nil) async throws -> [DatedMovement] {
        try await dated("date_trunc('month', day)::date", from: from.primeiroDia, to: to.ultimoDia, unit: unit)
    }

    /// What each account moved on each day from `from` to `to`, both included.
    package func daily(from: DataCivil, to: DataCivil, unit: UnidadeID? = nil) async throws -> [DatedMovement] {
        try await dated("day", from: from, to: to, unit: unit)
    }

    private func dated(_ bucket: String, from: DataCivil, to: DataCivil, unit: UnidadeID?) async throws -> [DatedMovement] {
        let (condition, parameters) = condition(from: from, to: to, unit: unit)
        return try await pool.rows(
            PostgresStatement(
                """
                select \(bucket) as day, account, sum(debit_cents)::bigint as debit_cents, sum(credit_cents)::bigint as credit_cents
                  from \(schema).razao_days where \(condition) group by 1, 2 order by 1, 2
                """,
                parameters: parameters
            ),
            DatedMovement.init(row:)
        )
    }

    private func condition(from: DataCivil?, to: DataCivil?, unit: UnidadeID?) -> (String, [any PostgresEncodable]) {
        var conditions: [String] = []
        var parameters: [any PostgresEncodable] = []
        func require(_ text: String, _ value: any PostgresEncodable) {
            parameters.append(value)
            conditions.append("\(text) $\(parameters.count)")
        }
        if let from { require("day >=", PostgresDate(from)) }
        if let to { require("day <=", PostgresDate(to)) }
        if let unit { require("unit_id =", unit.uuid) }
        return (conditions.isEmpty ? "true" : conditions.joined(separator: " and "), parameters)
    }

    /// What is owed, the longest owed first, `limit` at most. What came in paid what was owed first: the rest is owed since the day of the
    /// oldest debt that it did not cover.
    package func receivables(unit: UnidadeID? = nil, limit: Int) async throws -> [ReceivableRecord] {
        try await pool.rows(
            PostgresStatement(
                """
                select subject_id, kind, unit_id, (debit_cents - credit_cents) as amount_cents,
                       (select min(day)
                          from (select day, sum(debit_cents) over (order by day, position, number) as owed
                                  from \(schema).razao_lines
                                 where account = 'a_receber'
                                   and (booking_id = subject_id or subscriber_id = subject_id)) as debts
                         where owed > receivable.credit_cents or receivable.credit_cents > receivable.debit_cents) as since
                  from \(schema).razao_receivables as receivable
                 where debit_cents <> credit_cents and ($1::uuid is null or unit_id = $1)
                 order by since, subject_id
                 limit $2
                """,
                unit?.uuid,
                Int64(limit)
            ),
            ReceivableRecord.init(row:)
        )
    }

    /// Expenses by their day, the newest first.
    package func expenses(
        from: DataCivil?,
        to: DataCivil?,
        unit: UnidadeID?,
        category: CategoriaDeDespesa?,
        limit: Int,
        after cursor: Cursor? = nil
    ) async throws -> ResultPage<ExpenseRecord> {
        var select = SelectBuilder("select \(ExpenseRecord.columns) from \(schema).razao_expenses")
        if let from { select.require("day >= \(select.bind(PostgresDate(from)))") }
        if let to { select.require("day <= \(select.bind(PostgresDate(to)))") }
        if let unit { select.require("unit_id = \(select.bind(unit.uuid))") }
        if let category { select.require("category = \(select.bind(category.rawValue))") }
        if let cursor {
            guard let day = DataCivil(cursor.key), let id = UUID(uuidString: cursor.id) else { throw InvalidCursor() }
            select.require("(day, id) < (\(select.bind(PostgresDate(day))), \(select.bind(id)))")
        }
        let expenses = try await pool.rows(select.page(orderBy: "day desc, id desc", limit: limit), ExpenseRecord.init(row:))
        return ResultPage(expenses, limit: limit) { Cursor(key: $0.day.texto, id: $0.id.uuid.uuidString) }
    }

    /// The months that are closed, in order.
    package func closedMonths() async throws -> [ClosedMonth] {
        try await pool.rows(
            PostgresStatement("select month, closed_at, closed_by from \(schema).razao_months order by month"), ClosedMonth.init(row:))
    }
}

extension Cursor {
    /// Of a list ordered by day, position and number.
    fileprivate func line() throws(InvalidCursor) -> (DataCivil, Int64, Int32) {
        let parts = id.split(separator: " ")
        guard let day = DataCivil(key), parts.count == 2, let position = Int64(parts[0]), let number = Int32(parts[1]) else {
            throw InvalidCursor()
        }
        return (day, position, number)
    }
}
