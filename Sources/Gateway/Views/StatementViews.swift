import Domain
import HTTP
import Projections

/// The income statement of a month.
struct StatementView: Encodable, Sendable {
    let month: String
    /// Whether the month takes no more entries.
    let closed: Bool
    let currency: String
    let bookingRevenueCents: Int64
    let planRevenueCents: Int64
    let grossRevenue: Double
    let grossRevenueCents: Int64
    let refunds: Double
    let refundsCents: Int64
    let netRevenue: Double
    let netRevenueCents: Int64
    let expenses: [ExpensesView.Category]
    let totalExpenses: Double
    let totalExpensesCents: Int64
    let result: Double
    let resultCents: Int64

    init(_ month: MonthlyFigures.Month, isClosed: Bool, language: Idioma) {
        self.month = month.month.texto
        closed = isClosed
        currency = month.revenue.moeda.rawValue
        bookingRevenueCents = month[.receitaDeReservas].centavos
        planRevenueCents = month[.receitaDePlanos].centavos
        grossRevenue = month.grossRevenue.decimal
        grossRevenueCents = month.grossRevenue.centavos
        refunds = month.refunds.decimal
        refundsCents = month.refunds.centavos
        netRevenue = month.revenue.decimal
        netRevenueCents = month.revenue.centavos
        expenses = ExpensesView.categories(of: month, language).filter { $0.amountCents != 0 }
        totalExpenses = month.expenses.decimal
        totalExpensesCents = month.expenses.centavos
        result = month.result.decimal
        resultCents = month.result.centavos
    }
}

/// What is owed, and for how long.
struct ReceivablesView: Encodable, Sendable {
    struct Item: Encodable, Sendable {
        let kind: String
        let id: String
        let unitId: String?
        let amount: Double
        let amountCents: Int64
        let since: String
        let ageDays: Int

        init(_ record: ReceivableRecord, today: DataCivil) {
            kind = record.kind
            id = record.subject
            unitId = record.unit?.texto
            amount = record.amount.decimal
            amountCents = record.amount.centavos
            since = record.since.texto
            ageDays = max(0, Int(today.diasDesde1970 - record.since.diasDesde1970))
        }
    }

    struct Age: Encodable, Sendable {
        let fromDays: Int
        /// Absent for the oldest.
        let toDays: Int?
        let amount: Double
        let amountCents: Int64

        init(_ items: [Item], from: Int, to: Int?) {
            fromDays = from
            toDays = to
            let sum = items.reduce(0) { $0 + ($1.ageDays >= from && $1.ageDays <= to ?? .max ? $1.amountCents : 0) }
            amount = Dinheiro(centavos: sum).decimal
            amountCents = sum
        }
    }

    let currency: String
    let total: Double
    let totalCents: Int64
    /// Of the items.
    let ages: [Age]
    let items: [Item]
    /// Whether the items are all that there are.
    let complete: Bool

    init(total: Dinheiro, items records: [ReceivableRecord], shown: Int, today: DataCivil) {
        let items = records.prefix(shown).map { Item($0, today: today) }
        currency = total.moeda.rawValue
        self.total = total.decimal
        totalCents = total.centavos
        ages = [(0, 30), (31, 60), (61, 90), (91, nil)].map { Age(items, from: $0.0, to: $0.1) }
        self.items = items
        complete = records.count <= shown
    }
}

/// What each account moved; both sides add up to the same.
struct TrialBalanceView: Encodable, Sendable {
    struct Account: Encodable, Sendable {
        let account: String
        let name: String
        let debitCents: Int64
        let creditCents: Int64
        /// On the side on which the account grows.
        let balance: Double
        let balanceCents: Int64
        /// `debit` or `credit`.
        let side: String

        init(_ movement: AccountMovement, language: Idioma) {
            account = movement.account.codigo
            name = movement.account.nome(em: language)
            debitCents = movement.debit.centavos
            creditCents = movement.credit.centavos
            balance = movement.balance.decimal
            balanceCents = movement.balance.centavos
            side = movement.account.grupo.devedor ? "debit" : "credit"
        }
    }

    let from: String?
    let to: String?
    let currency: String
    let accounts: [Account]
    let debitCents: Int64
    let creditCents: Int64
    let balanced: Bool

    init(_ movements: [AccountMovement], from: DataCivil?, to: DataCivil?, language: Idioma) {
        let known = Dictionary(movements.map { ($0.account, $0) }) { first, _ in first }
        self.from = from?.texto
        self.to = to?.texto
        currency = Moeda.brl.rawValue
        accounts = ContaContabil.todas.compactMap { known[$0] }.map { Account($0, language: language) }
        debitCents = accounts.reduce(0) { $0 + $1.debitCents }
        creditCents = accounts.reduce(0) { $0 + $1.creditCents }
        balanced = debitCents == creditCents
    }
}

/// An expense as the staff see it.
struct ExpenseView: Encodable, Sendable {
    let id: String
    let category: String
    let categoryName: String
    let date: String
    let amount: Double
    let amountCents: Int64
    let currency: String
    let unitId: String?
    let memo: String?
    let recordedBy: String
    let recordedAt: String
    let reversed: Bool
    let reversedAt: String?
    let reversedBy: String?
    let reversalReason: String?

    init(_ expense: ExpenseRecord, language: Idioma) {
        id = expense.id.texto
        category = expense.category.codigo
        categoryName = expense.category.nome(em: language)
        date = expense.day.texto
        amount = expense.amount.decimal
        amountCents = expense.amount.centavos
        currency = expense.amount.moeda.rawValue
        unitId = expense.unit?.texto
        memo = expense.memo
        recordedBy = expense.recordedBy.texto
        recordedAt = expense.recordedAt.texto
        reversed = expense.reversedAt != nil
        reversedAt = expense.reversedAt?.texto
        reversedBy = expense.reversedBy?.texto
        reversalReason = expense.reversalReason
    }
}

/// A month that takes no more entries.
struct ClosedMonthView: Encodable, Sendable {
    let month: String
    let closedAt: String
    let closedBy: String?

    init(_ month: ClosedMonth) {
        self.month = month.month.texto
        closedAt = month.at.texto
        closedBy = month.by?.texto
    }
}
