package import Domain
package import EventStore
import Postgres

/// Where a charge stands, leaving aside what went back since.
package enum PaymentStatus: String, Sendable, CaseIterable {
    case pending
    case approved
    case expired
    case cancelled
}

/// Where a giving back stands.
package enum RefundStatus: String, Sendable, CaseIterable {
    case requested
    case done
    case refused
}

/// A charge.
package struct PaymentRecord: Sendable, Equatable {
    package let id: PagamentoID
    /// What it is for: `CausaDaCobranca.tipo`.
    package let kind: String
    package let booking: ReservaID?
    package let user: UsuarioID
    package let unit: UnidadeID?
    package let status: PaymentStatus
    package let amount: Dinheiro
    /// All that came in.
    package let paid: Dinheiro
    /// On its way back.
    package let refunding: Dinheiro
    package let refunded: Dinheiro
    /// What went back of the payment that pays the charge, leaving aside others: those that paid nothing, and one that was undone before.
    package let returned: Dinheiro
    /// What of that went back because it came too late for what it was for.
    package let returnedAsLate: Dinheiro
    package let method: MetodoDePagamento?
    package let transaction: TransacaoID?
    /// What can be paid now, as banks read it.
    package let pixCode: String?
    /// Why the last try was refused.
    package let refusal: MotivoDaRecusa?
    package let createdAt: Instante
    package let expiresAt: Instante
    package let paidAt: Instante?
    package let closedAt: Instante?
    package let position: Position

    static func columns(in schema: String) -> String {
        let late = returned(in: schema, where: " and r.reason = '\(MotivoDoEstorno.atraso.rawValue)'")
        let sums = ["paid_cents", "refunding_cents", "refunded_cents"].map { "coalesce(\($0), 0) as \($0)" }
        let columns = PagamentosModel.payments.columns.map(\.name) + sums
        return (columns + ["\(returned(in: schema)) as returned_cents", "\(late) as returned_as_late_cents"]).joined(separator: ", ")
    }

    /// What went back of the payment that the row names: of an approved charge, the one that pays it.
    private static func returned(in schema: String, where condition: String = "") -> String {
        """
        (select coalesce(sum(r.amount_cents), 0)::bigint from \(schema).pagamentos_refunds r
          where r.payment_id = pagamentos_payments.id and r.transaction = pagamentos_payments.transaction
            and r.status = '\(RefundStatus.done.rawValue)'\(condition))
        """
    }

    /// What the columns are read from. A charge of which no money moved has no sums.
    static func source(in schema: String) -> String {
        "\(schema).pagamentos_payments left join \(schema).pagamentos_sums on payment_id = id"
    }

    init(row: PostgresRow) throws {
        func money(_ column: String) throws -> Dinheiro { Dinheiro(centavos: try row.get(column, Int64.self)) }
        id = try row.id("id")
        kind = try row.get("kind")
        booking = try row.id("booking_id")
        user = try row.id("user_id")
        unit = try row.id("unit_id")
        status = try row.parsed("status") { PaymentStatus(rawValue: $0) }
        amount = try money("amount_cents")
        paid = try money("paid_cents")
        refunding = try money("refunding_cents")
        refunded = try money("refunded_cents")
        returned = try money("returned_cents")
        returnedAsLate = try money("returned_as_late_cents")
        method = try row.parsed("method") { MetodoDePagamento(rawValue: $0) }
        transaction = try row.parsed("transaction") { TransacaoID($0) }
        pixCode = try row.get("pix_code")
        refusal = try row.parsed("refusal") { MotivoDaRecusa(rawValue: $0) }
        createdAt = try row.instant("created_at")
        expiresAt = try row.instant("expires_at")
        paidAt = try row.instant("paid_at")
        closedAt = try row.instant("closed_at")
        position = Position(try row.get("position", Int64.self))
    }
}

/// A giving back.
package struct RefundRecord: Sendable, Equatable {
    package let id: EstornoID
    package let payment: PagamentoID
    package let amount: Dinheiro
    package let status: RefundStatus
    package let reason: MotivoDoEstorno
    /// Why it was too late, where `reason` says that it was.
    package let lateBecause: RazaoDoAtraso?
    /// What the operator wrote.
    package let note: String?
    package let requestedAt: Instante
    package let finishedAt: Instante?
    package let refusal: MotivoDaRecusa?

    static let columns = "id, payment_id, amount_cents, status, reason, late_because, note, requested_at, finished_at, refusal"

    init(row: PostgresRow) throws {
        id = try row.id("id")
        payment = try row.id("payment_id")
        amount = Dinheiro(centavos: try row.get("amount_cents", Int64.self))
        status = try row.parsed("status") { RefundStatus(rawValue: $0) }
        reason = try row.parsed("reason") { MotivoDoEstorno(rawValue: $0) }
        lateBecause = try row.parsed("late_because") { RazaoDoAtraso(rawValue: $0) }
        note = try row.get("note")
        requestedAt = try row.instant("requested_at")
        finishedAt = try row.instant("finished_at")
        refusal = try row.parsed("refusal") { MotivoDaRecusa(rawValue: $0) }
    }
}
