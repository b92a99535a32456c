package import Domain
package import EventStore
import FoundationEssentials
package import HTTP
import HTTPTypes
package import Hummingbird

/// Expenses and the closing of months over HTTP. The ledger is read from the read model.
package struct FinanceiroRoutes: Sendable {
    private static let longestText = 500

    private let commands: CommandHandling
    private let keyring: Keyring
    private let zones: ZoneCatalog
    private let desk: LedgerDesk
    private let monthEnd: MonthEnd
    private let term: PrazoDosLivros

    /// - Parameter term: for how long the books keep what explains their entries.
    package init(_ dependencies: ServiceDependencies, work: OpenWorkReader, term: PrazoDosLivros) {
        commands = dependencies.commands
        keyring = dependencies.keyring
        zones = dependencies.zones
        desk = LedgerDesk(zones: dependencies.zones)
        monthEnd = MonthEnd(work: work)
        self.term = term
    }

    package func add(to router: Router<CoworkRequestContext>) {
        router.post("financial/expenses", use: recordExpense)
        router.post("financial/expenses/:expense/reverse", use: reverseExpense)
        router.post("financial/close/:month", use: closeMonth)
    }

    // MARK: Expenses

    private struct ExpenseInput: Decodable {
        let category: String
        let date: String
        /// In reais; `amount_cents` says the same exactly.
        let amount: Double?
        let amountCents: Int64?
        let unitId: String?
        let memo: String?
    }

    private struct Entered: Encodable, Sendable {
        let id: String
        let entryId: String
        /// The day that the entry counts on: another than the expense's where that month is closed.
        let postedOn: String
        let message: String
    }

    @Sendable private func recordExpense(_ request: Request, _ context: CoworkRequestContext) async throws -> CommandAnswer<Entered> {
        let identity = try context.signedIn(atLeast: .recepcao)
        let (input, body) = try await request.json(ExpenseInput.self)
        guard let category = CategoriaDeDespesa(codigo: input.category) else {
            let known = CategoriaDeDespesa.allCases.map(\.codigo).joined(separator: ", ")
            throw Problem.invalid(field: "category", "must be one of \(known)")
        }
        let date = try Self.date(input.date)
        let amount = try Self.amount(input)
        let unit = try input.unitId.map { text in
            guard let unit = UnidadeID(text) else { throw Problem.invalid(field: "unit_id", "must be the id of a unit") }
            return unit
        }
        try Self.checkText(input.memo, field: "memo")
        let id: DespesaID = commands.newID()
        let execution = try await commands.run(request, context, body: body) { loader in
            let now = commands.now
            let months = try await desk.periods([MesCivil(de: date)], loader)
            let command = RegistrarDespesa(
                despesa: id,
                categoria: category,
                data: date,
                valor: amount,
                unidade: unit,
                memo: try await seal(input.memo, field: "memo", on: months.diaContabil(de: date), loader),
                ator: identity.actor,
                hoje: try await clock(of: unit, loader).data(de: now),
                agora: now
            )
            return try command.decidir(despesa: .inexistente, periodos: months)
        }
        return CommandAnswer(.created, try Self.entered(execution, "Despesa registrada."), at: execution.position)
    }

    private struct Reversal: Decodable {
        let reason: String?
    }

    @Sendable private func reverseExpense(_ request: Request, _ context: CoworkRequestContext) async throws -> CommandAnswer<Entered> {
        let identity = try context.signedIn(atLeast: .recepcao)
        let expense: DespesaID = try context.id("expense")
        let body = try await request.bytes()
        let input = body.isEmpty ? Reversal(reason: nil) : try JSON.decode(Reversal.self, from: body)
        try Self.checkText(input.reason, field: "reason")
        let entry: LancamentoID = commands.newID()
        let execution = try await commands.run(request, context, body: body) { loader in
            let state = Despesa.dobrar(try await loader.load(.despesa(expense)))
            let original = Lancamento.dobrar(try await loader.load(.lancamento(expense.lancamento)))
            var months = Periodos([:])
            var reason: Selado?
            if case .registrada(let recorded) = state {
                months = try await desk.periods([MesCivil(de: recorded.data)], loader)
                reason = try await seal(input.reason, field: "motivo", on: months.diaContabil(de: recorded.data), loader)
            }
            return try EstornarDespesa(
                despesa: expense,
                lancamento: entry,
                motivo: reason,
                ator: identity.actor,
                agora: commands.now
            ).decidir(despesa: state, original: original, periodos: months)
        }
        guard !execution.events.isEmpty else { throw RecusaDeFinanceiro.despesaJaEstornada }
        return CommandAnswer(try Self.entered(execution, "Despesa estornada."), at: execution.position)
    }

    private static func entered(_ execution: Execution, _ message: String) throws -> Entered {
        var expense: DespesaID?
        var entry: LancamentoRegistrado?
        for case .financeiro(let event) in execution.events {
            switch event {
            case .despesaRegistrada(let event): expense = event.despesa
            case .despesaEstornada(let event): expense = event.despesa
            case .lancamentoRegistrado(let event): entry = event
            case .periodoFechado, .prazoDosLivrosProrrogado, .prazoDosLivrosEncerrado: break
            }
        }
        guard let expense, let entry else { throw Problem.notFound }
        return Entered(id: expense.texto, entryId: entry.lancamento.texto, postedOn: entry.data.texto, message: message)
    }

    private static func date(_ text: String) throws(Problem) -> DataCivil {
        let date = try TimeInput.date(text, field: "date")
        guard AnoDosLivros.anos.contains(date.ano) else { throw .invalid(field: "date", "must be from 2000-01-01 to 2199-12-31") }
        return date
    }

    private static func amount(_ input: ExpenseInput) throws(Problem) -> Dinheiro {
        switch (input.amountCents, input.amount) {
        case (let cents?, nil): return Dinheiro(centavos: cents)
        case (nil, let reais?):
            let cents = (reais * 100).rounded()
            guard abs(reais) < 1e12, abs(reais * 100 - cents) < 1e-4 else {
                throw .invalid(field: "amount", "must be an amount in reais with two decimals at most")
            }
            return Dinheiro(centavos: Int64(cents))
        case (.some, .some): throw .invalid(field: "amount_cents", "must not come together with amount")
        case (nil, nil): throw .invalid(field: "amount_cents", "is required")
        }
    }

    private static func checkText(_ text: String?, field: String) throws(Problem) {
        guard let text else { return }
        guard (1...longestText).contains(text.unicodeScalars.count) else {
            throw .invalid(field: field, "must have 1 to \(longestText) characters")
        }
    }

    /// Sealed under the key of the books of the year that the entry counts in: what explains it is the business's, whoever wrote it, and
    /// stays when they are erased, until the term for those books is over.
    private func seal(_ text: String?, field: String, on day: DataCivil, _ loader: StreamLoader) async throws -> Selado? {
        guard let text else { return nil }
        guard let year = AnoDosLivros(day.ano) else { throw Problem.invalid(field: field, "cannot be kept for the year \(day.ano)") }
        let books = LivrosDoAno.dobrar(try await loader.load(.livros(year)))
        try books.aceitarTexto(de: year, prazo: term, agora: commands.now)
        return try await keyring.seal(text, of: year.chave, field: field)
    }

    /// By whose days an expense is dated.
    private func clock(of unit: UnidadeID?, _ loader: StreamLoader) async throws -> ZonaHoraria {
        guard let unit else { return try zones.zone(LedgerDesk.home) }
        guard case .criada(let data) = Unidade.dobrar(try await loader.load(.unidade(unit))) else {
            throw RecusaDeEspacos.unidadeNaoEncontrada
        }
        return try zones.zone(data.fuso)
    }

    // MARK: Months

    private struct Closed: Encodable, Sendable {
        let month: String
        let message: String
    }

    @Sendable private func closeMonth(_ request: Request, _ context: CoworkRequestContext) async throws -> CommandAnswer<Closed> {
        let identity = try context.signedIn(atLeast: .recepcao)
        guard let month = context.parameters.get("month").flatMap({ MesCivil($0) }), AnoDosLivros.anos.contains(month.ano) else {
            throw Problem.notFound
        }
        let body = try await request.bytes()
        let command = FecharPeriodo(mes: month, por: .ator(identity.actor), agora: commands.now)
        let execution = try await commands.run(request, context, body: body) { loader in
            let state = Periodo.dobrar(try await loader.load(.periodo(month)))
            return try command.decidir(periodo: state, pendencias: try await monthEnd.openItems(of: month))
        }
        return CommandAnswer(Closed(month: month.texto, message: "Mês fechado."), at: execution.position)
    }
}
