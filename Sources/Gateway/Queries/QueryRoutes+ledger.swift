import Domain
import HTTP
import Hummingbird
import NIOCore
import Projections

/// The ledger and what is computed from it, for the staff. Every figure is the sum of entries.
extension QueryRoutes {
    /// How many months a series goes back.
    private static let seriesMonths = 12
    /// The most months of a statement.
    private static let longestStatement = 60
    /// How many receivables are named.
    private static let mostReceivables = 1000
    /// How many lines are read at a time for a file.
    private static let filePage = 1000

    func addLedger(to doors: Doors) {
        doors.members.get("financial/ledger", use: ledger)
        doors.members.get("financial/ledger.csv", use: ledgerFile)
        doors.members.get("financial/revenue", use: revenue)
        doors.members.get("financial/expenses", use: expenses)
        doors.members.get("financial/expenses/entries", use: expenseEntries)
        doors.members.get("financial/statement", use: statement)
        doors.members.get("financial/receivables", use: receivables)
        doors.members.get("financial/trial-balance", use: trialBalance)
        doors.members.get("financial/periods", use: periods)
    }

    private func today() throws -> DataCivil {
        try zones.zone(Self.home).data(de: now)
    }

    // MARK: Lines

    @Sendable private func ledger(_ request: Request, _ context: CoworkRequestContext) async throws -> Response {
        let identity = try context.signedIn(atLeast: .recepcao)
        let parameters = QueryParameters(request)
        let filter = try ledgerFilter(parameters, for: identity)
        let limit = try parameters.limit()
        let cursor = try parameters.cursor()
        let language = Idioma(request)
        return try await desk.page(request, context, reading: RazaoQueries.models) {
            let page = try await razao.lines(filter, limit: limit, after: cursor)
            return QueryPage(items: page.items.map { LedgerLineView($0, language: language) }, next: page.next)
        }
    }

    @Sendable private func ledgerFile(_ request: Request, _ context: CoworkRequestContext) async throws -> Response {
        let identity = try context.signedIn(atLeast: .recepcao)
        let filter = try ledgerFilter(QueryParameters(request), for: identity)
        let razao = razao
        return try await desk.file(
            request, reading: RazaoQueries.models, type: "text/csv; charset=utf-8", name: LedgerFile.name(filter)
        ) { writer in
            try await writer.write(ByteBuffer(string: BrazilianCSV.mark + LedgerFile.header))
            var cursor: Cursor?
            repeat {
                let page = try await razao.lines(filter, limit: Self.filePage, after: cursor)
                try await writer.write(ByteBuffer(string: page.items.map(LedgerFile.line).joined()))
                cursor = page.next
            } while cursor != nil
        }
    }

    private func ledgerFilter(_ parameters: QueryParameters, for identity: Identity) throws(Problem) -> LedgerFilter {
        let filter = LedgerFilter(
            from: try parameters.date("from"),
            to: try parameters.date("to"),
            account: try parameters.account("account"),
            unit: try parameters.unit(for: identity),
            booking: try parameters.id("reservation_id")
        )
        if let from = filter.from, let to = filter.to, to < from { throw .invalid(field: "to", "must not be before from") }
        return filter
    }

    // MARK: Figures

    @Sendable private func revenue(_ request: Request, _ context: CoworkRequestContext) async throws -> Response {
        try await monthlyFigures(request, context) { RevenueView($0, of: $1) }
    }

    @Sendable private func expenses(_ request: Request, _ context: CoworkRequestContext) async throws -> Response {
        let language = Idioma(request)
        return try await monthlyFigures(request, context) { ExpensesView($0, of: $1, language: language) }
    }

    /// The months that a month is compared with: its calendar year, and the last twelve.
    private func monthlyFigures(
        _ request: Request,
        _ context: CoworkRequestContext,
        _ view: @Sendable (MonthlyFigures, MesCivil) -> some Encodable & Sendable
    ) async throws -> Response {
        let identity = try context.signedIn(atLeast: .recepcao)
        let parameters = QueryParameters(request)
        let month = try parameters.month("month") ?? MesCivil(de: try today())
        let unit = try parameters.unit(for: identity)
        let first = (1..<Self.seriesMonths).reduce(month) { month, _ in month.anterior }
        return try await desk.answer(request, context, reading: RazaoQueries.models) {
            view(MonthlyFigures(try await razao.monthly(from: first, to: month, unit: unit), from: first, to: month), month)
        }
    }

    @Sendable private func statement(_ request: Request, _ context: CoworkRequestContext) async throws -> Response {
        let identity = try context.signedIn(atLeast: .recepcao)
        let parameters = QueryParameters(request)
        let to = try parameters.month("to") ?? MesCivil(de: try today())
        let from = try parameters.month("from") ?? (1..<Self.seriesMonths).reduce(to) { month, _ in month.anterior }
        let unit = try parameters.unit(for: identity)
        let language = Idioma(request)
        guard from <= to else { throw Problem.invalid(field: "to", "must not be before from") }
        guard (to.ano - from.ano) * 12 + to.mes - from.mes < Self.longestStatement else {
            throw Problem.invalid(field: "to", "must be within \(Self.longestStatement) months of from")
        }
        return try await desk.answer(request, context, reading: RazaoQueries.models) {
            let figures = MonthlyFigures(try await razao.monthly(from: from, to: to, unit: unit), from: from, to: to)
            let closed = Set(try await razao.closedMonths().map(\.month))
            return figures.months.map { StatementView($0, isClosed: closed.contains($0.month), language: language) }
        }
    }

    @Sendable private func receivables(_ request: Request, _ context: CoworkRequestContext) async throws -> Response {
        let identity = try context.signedIn(atLeast: .recepcao)
        let unit = try QueryParameters(request).unit(for: identity)
        let today = try today()
        return try await desk.answer(request, context, reading: RazaoQueries.models) {
            let total = try await razao.movements(from: nil, to: nil, unit: unit).first { $0.account == .aReceber }?.balance ?? .zero
            let items = try await razao.receivables(unit: unit, limit: Self.mostReceivables + 1)
            return ReceivablesView(total: total, items: items, shown: Self.mostReceivables, today: today)
        }
    }

    @Sendable private func trialBalance(_ request: Request, _ context: CoworkRequestContext) async throws -> Response {
        let identity = try context.signedIn(atLeast: .recepcao)
        let parameters = QueryParameters(request)
        let (from, to) = (try parameters.date("from"), try parameters.date("to"))
        let unit = try parameters.unit(for: identity)
        let language = Idioma(request)
        if let from, let to, to < from { throw Problem.invalid(field: "to", "must not be before from") }
        return try await desk.answer(request, context, reading: RazaoQueries.models) {
            TrialBalanceView(try await razao.movements(from: from, to: to, unit: unit), from: from, to: to, language: language)
        }
    }

    @Sendable private func expenseEntries(_ request: Request, _ context: CoworkRequestContext) async throws -> Response {
        let identity = try context.signedIn(atLeast: .recepcao)
        let parameters = QueryParameters(request)
        let (from, to) = (try parameters.date("from"), try parameters.date("to"))
        let unit = try parameters.unit(for: identity)
        let category = try parameters.value("category", "a category of expenses") { CategoriaDeDespesa(codigo: $0) }
        let limit = try parameters.limit()
        let cursor = try parameters.cursor()
        let language = Idioma(request)
        return try await desk.page(request, context, reading: RazaoQueries.models) {
            let page = try await razao.expenses(from: from, to: to, unit: unit, category: category, limit: limit, after: cursor)
            return QueryPage(items: page.items.map { ExpenseView($0, language: language) }, next: page.next)
        }
    }

    @Sendable private func periods(_ request: Request, _ context: CoworkRequestContext) async throws -> Response {
        _ = try context.signedIn(atLeast: .recepcao)
        return try await desk.answer(request, context, reading: RazaoQueries.models) {
            try await razao.closedMonths().map(ClosedMonthView.init)
        }
    }
}

extension QueryParameters {
    fileprivate func month(_ name: String) throws(Problem) -> MesCivil? {
        try value(name, "a month from 2000-01 to 2199-12, such as 2026-03") { text in
            MesCivil(text).flatMap { AnoDosLivros.anos.contains($0.ano) ? $0 : nil }
        }
    }

    fileprivate func account(_ name: String) throws(Problem) -> ContaContabil? {
        try value(name, "one of \(ContaContabil.todas.map(\.codigo).joined(separator: ", "))") { ContaContabil(codigo: $0) }
    }
}
