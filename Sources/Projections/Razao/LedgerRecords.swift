package import Domain
import EventStore
import FoundationEssentials
import Postgres

/// One line of an entry.
package struct LedgerLine: Sendable, Equatable {
    /// Of the entry in the log.
    package let position: Int64
    /// Of the line in its entry, from 0.
    package let number: Int
    package let entry: LancamentoID
    package let day: DataCivil
    /// The day of what is recorded; another than `day` where the entry adjusts a closed month.
    package let factDay: DataCivil
    package let account: ContaContabil
    package let debit: Dinheiro
    package let credit: Dinheiro
    package let kind: HistoricoDoLancamento
    package let unit: UnidadeID?
    package let booking: ReservaID?
    package let subscriber: UsuarioID?
    package let expense: DespesaID?
    package let causeType: String?
    package let causeStream: String?
    /// What was written about the expense that it is of.
    package let memo: String?
    package let recordedAt: Instante

    static func columns(in schema: String) -> String {
        RazaoModel.lines.columns.map(\.name).joined(separator: ", ")
            + ", (select memo from \(schema).razao_expenses where id = expense_id) as memo"
    }

    init(row: PostgresRow) throws {
        position = try row.get("position", Int64.self)
        number = Int(try row.get("number", Int32.self))
        entry = try row.id("entry_id")
        day = try row.day("day")
        factDay = try row.day("fact_day")
        account = try row.parsed("account") { ContaContabil($0) }
        debit = Dinheiro(centavos: try row.get("debit_cents", Int64.self))
        credit = Dinheiro(centavos: try row.get("credit_cents", Int64.self))
        kind = try row.parsed("kind") { HistoricoDoLancamento(rawValue: $0) }
        unit = try row.id("unit_id")
        booking = try row.id("booking_id")
        subscriber = try row.id("subscriber_id")
        expense = try row.id("expense_id")
        causeType = try row.get("cause_type", String?.self)
        causeStream = try row.get("cause_stream", String?.self)
        memo = try row.get("memo", String?.self)
        recordedAt = try row.instant("recorded_at")
    }
}

/// Which lines are wanted; nil is "any". Days are inclusive.
package struct LedgerFilter: Sendable, Equatable {
    package var from: DataCivil?
    package var to: DataCivil?
    package var account: ContaContabil?
    package var unit: UnidadeID?
    package var booking: ReservaID?

    package init(
        from: DataCivil? = nil,
        to: DataCivil? = nil,
        account: ContaContabil? = nil,
        unit: UnidadeID? = nil,
        booking: ReservaID? = nil
    ) {
        self.from = from
        self.to = to
        self.account = account
        self.unit = unit
        self.booking = booking
    }
}

/// What an account moved in some time.
package struct AccountMovement: Sendable, Equatable {
    package let account: ContaContabil
    package let debit: Dinheiro
    package let credit: Dinheiro

    package init(account: ContaContabil, debit: Dinheiro, credit: Dinheiro) {
        self.account = account
        self.debit = debit
        self.credit = credit
    }

    /// On the side on which the account grows.
    package var balance: Dinheiro {
        let difference = debit.centavos - credit.centavos
        return Dinheiro(centavos: account.grupo.devedor ? difference : -difference)
    }

    init(row: PostgresRow) throws {
        account = try row.parsed("account") { ContaContabil($0) }
        debit = Dinheiro(centavos: try row.get("debit_cents", Int64.self))
        credit = Dinheiro(centavos: try row.get("credit_cents", Int64.self))
    }
}

/// What an account moved in a month or on a day.
package struct DatedMovement: Sendable, Equatable {
    /// The first day of the month, or the day.
    package let day: DataCivil
    package let movement: AccountMovement

    init(row: PostgresRow) throws {
        day = try row.day("day")
        movement = try AccountMovement(row: row)
    }
}

/// What is owed for something that was used.
package struct ReceivableRecord: Sendable, Equatable {
    /// A booking's id, or a subscriber's.
    package let subject: String
    /// `reservation` or `subscription`.
    package let kind: String
    package let unit: UnidadeID?
    package let amount: Dinheiro
    /// Since when something of it is owed.
    package let since: DataCivil

    init(row: PostgresRow) throws {
        subject = try row.get("subject_id", UUID.self).uuidString.lowercased()
        kind = try row.get("kind", String.self)
        unit = try row.id("unit_id")
        amount = Dinheiro(centavos: try row.get("amount_cents", Int64.self))
        since = try row.day("since")
    }
}

/// An expense.
package struct ExpenseRecord: Sendable, Equatable {
    package let id: DespesaID
    package let category: CategoriaDeDespesa
    package let day: DataCivil
    package let amount: Dinheiro
    package let unit: UnidadeID?
    package let memo: String?
    package let recordedBy: UsuarioID
    package let recordedAt: Instante
    package let reversedAt: Instante?
    package let reversedBy: UsuarioID?
    package let reversalReason: String?

    static let columns = RazaoModel.expenses.columns.map(\.name).joined(separator: ", ")

    init(row: PostgresRow) throws {
        id = try row.id("id")
        category = try row.parsed("category") { CategoriaDeDespesa(rawValue: $0) }
        day = try row.day("day")
        amount = Dinheiro(centavos: try row.get("amount_cents", Int64.self))
        unit = try row.id("unit_id")
        memo = try row.get("memo", String?.self)
        recordedBy = try row.id("recorded_by")
        recordedAt = try row.instant("recorded_at")
        reversedAt = try row.instant("reversed_at")
        reversedBy = try row.id("reversed_by")
        reversalReason = try row.get("reversal_reason", String?.self)
    }
}

/// A month that is closed.
package struct ClosedMonth: Sendable, Equatable {
    package let month: MesCivil
    package let at: Instante
    package let by: UsuarioID?

    init(row: PostgresRow) throws {
        month = try row.parsed("month") { MesCivil($0) }
        at = try row.instant("closed_at")
        by = try row.id("closed_by")
    }
}
