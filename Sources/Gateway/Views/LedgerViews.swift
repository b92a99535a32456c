import Domain
import HTTP
import Projections

/// A line of an entry.
struct LedgerLineView: Encodable, Sendable {
    let entryId: String
    let line: Int
    let position: Int64
    let date: String
    /// The day of what is recorded; another than `date` where the entry adjusts a closed month.
    let factDate: String
    let account: String
    let accountName: String
    let debit: Double
    let debitCents: Int64
    let credit: Double
    let creditCents: Int64
    let currency: String
    let kind: String
    let description: String
    let memo: String?
    let unitId: String?
    let reservationId: String?
    let subscriberId: String?
    let expenseId: String?
    /// The event that the entry follows from; absent where both were recorded together.
    let cause: String?
    let causeStream: String?
    let recordedAt: String

    init(_ line: LedgerLine, language: Idioma) {
        entryId = line.entry.texto
        self.line = line.number
        position = line.position
        date = line.day.texto
        factDate = line.factDay.texto
        account = line.account.codigo
        accountName = line.account.nome(em: language)
        debit = line.debit.decimal
        debitCents = line.debit.centavos
        credit = line.credit.decimal
        creditCents = line.credit.centavos
        currency = line.debit.moeda.rawValue
        kind = line.kind.codigo
        description = line.kind.frase(em: language)
        memo = line.memo
        unitId = line.unit?.texto
        reservationId = line.booking?.texto
        subscriberId = line.subscriber?.texto
        expenseId = line.expense?.texto
        cause = line.causeType
        causeStream = line.causeStream
        recordedAt = line.recordedAt.texto
    }
}

/// The ledger as a file for a spreadsheet, in Portuguese whoever asks.
enum LedgerFile {
    static let header = BrazilianCSV.line(
        [
            "Data", "Data do fato", "Lançamento", "Conta", "Nome da conta", "Histórico", "Débito", "Crédito", "Memo", "Unidade", "Reserva",
            "Assinante", "Despesa", "Origem",
        ].map(BrazilianCSV.Field.text)
    )

    static func line(_ line: LedgerLine) -> String {
        BrazilianCSV.line([
            .date(line.day), .date(line.factDay), .text(line.entry.texto), .text(line.account.texto),
            .text(line.account.nome(em: .portugues)), .text(line.kind.frase(em: .portugues)), .money(line.debit), .money(line.credit),
            .text(line.memo), .text(line.unit?.texto), .text(line.booking?.texto), .text(line.subscriber?.texto),
            .text(line.expense?.texto), .text(line.causeStream),
        ])
    }

    static func name(_ filter: LedgerFilter) -> String {
        (["razao"] + [filter.from, filter.to].compactMap { $0?.texto }).joined(separator: "-") + ".csv"
    }
}

/// What was earned in a month, beside other months.
struct RevenueView: Encodable, Sendable {
    struct Point: Encodable, Sendable {
        let month: String
        let bookingRevenueCents: Int64
        let planRevenueCents: Int64
        let refundsCents: Int64
        let revenue: Double
        let revenueCents: Int64

        init(_ month: MonthlyFigures.Month) {
            self.month = month.month.texto
            bookingRevenueCents = month[.receitaDeReservas].centavos
            planRevenueCents = month[.receitaDePlanos].centavos
            refundsCents = month.refunds.centavos
            revenue = month.revenue.decimal
            revenueCents = month.revenue.centavos
        }
    }

    let month: String
    let currency: String
    let monthlyRevenue: Double
    let monthlyRevenueCents: Int64
    let previousMonthRevenue: Double
    let previousMonthRevenueCents: Int64
    let yearlyRevenue: Double
    let yearlyRevenueCents: Int64
    /// Against the month before, in per cent; absent where that earned nothing.
    let growthRate: Double?
    let series: [Point]

    init(_ figures: MonthlyFigures, of month: MesCivil) {
        let (current, previous) = (figures[month].revenue, figures[month.anterior].revenue)
        let year = figures.year(to: month, \.revenue)
        self.month = month.texto
        currency = current.moeda.rawValue
        monthlyRevenue = current.decimal
        monthlyRevenueCents = current.centavos
        previousMonthRevenue = previous.decimal
        previousMonthRevenueCents = previous.centavos
        yearlyRevenue = year.decimal
        yearlyRevenueCents = year.centavos
        growthRate = Self.growth(from: previous.centavos, to: current.centavos)
        series = figures.months.map(Point.init)
    }

    /// In per cent with two decimals.
    static func growth(from previous: Int64, to current: Int64) -> Double? {
        guard previous > 0 else { return nil }
        return (Double(current - previous) / Double(previous) * 10_000).rounded() / 100
    }
}

/// What was spent in a month.
struct ExpensesView: Encodable, Sendable {
    struct Category: Encodable, Sendable {
        let category: String
        let name: String
        let amount: Double
        let amountCents: Int64
    }

    struct Point: Encodable, Sendable {
        let month: String
        let expenses: Double
        let expensesCents: Int64
    }

    let month: String
    let currency: String
    let monthlyExpenses: Double
    let monthlyExpensesCents: Int64
    let yearlyExpenses: Double
    let yearlyExpensesCents: Int64
    /// All but maintenance: with that, they make up the month's expenses.
    let operationalCosts: Double
    let operationalCostsCents: Int64
    let maintenanceCosts: Double
    let maintenanceCostsCents: Int64
    let byCategory: [Category]
    let series: [Point]

    init(_ figures: MonthlyFigures, of month: MesCivil, language: Idioma) {
        let current = figures[month]
        let total = current.expenses
        let maintenance = current[.despesas(.manutencao)]
        let operational = Dinheiro(centavos: total.centavos - maintenance.centavos)
        let year = figures.year(to: month, \.expenses)
        self.month = month.texto
        currency = total.moeda.rawValue
        monthlyExpenses = total.decimal
        monthlyExpensesCents = total.centavos
        yearlyExpenses = year.decimal
        yearlyExpensesCents = year.centavos
        operationalCosts = operational.decimal
        operationalCostsCents = operational.centavos
        maintenanceCosts = maintenance.decimal
        maintenanceCostsCents = maintenance.centavos
        byCategory = Self.categories(of: current, language)
        series = figures.months.map {
            Point(month: $0.month.texto, expenses: $0.expenses.decimal, expensesCents: $0.expenses.centavos)
        }
    }

    static func categories(of month: MonthlyFigures.Month, _ language: Idioma) -> [Category] {
        CategoriaDeDespesa.allCases.map { category in
            let amount = month[.despesas(category)]
            return Category(
                category: category.codigo, name: category.nome(em: language), amount: amount.decimal, amountCents: amount.centavos)
        }
    }
}
