import Domain
import HTTP
import Projections

/// A charge as its member and the desk see it. Times are UTC.
struct PaymentView: Encodable, Sendable {
    struct Refund: Encodable, Sendable {
        let id: String
        let status: String
        let amount: Double
        let amountCents: Int64
        let reason: String
        /// Why it was too late, where `reason` is `late_payment`.
        let lateBecause: String?
        /// What the operator wrote, for the desk.
        let note: String?
        let requestedAt: String
        let finishedAt: String?
        let refusal: String?

        init(_ refund: RefundRecord, forStaff: Bool) {
            id = refund.id.texto
            status = refund.status.rawValue
            amount = refund.amount.decimal
            amountCents = refund.amount.centavos
            reason =
                switch refund.reason {
                case .cancelamento: "cancellation"
                case .remarcacao: "move"
                case .expiracao: "expiry"
                case .atraso: "late_payment"
                case .pagamentoIndevido: "not_owed"
                case .operador: "staff"
                }
            lateBecause = refund.lateBecause?.codigo
            note = forStaff ? refund.note : nil
            requestedAt = refund.requestedAt.texto
            finishedAt = refund.finishedAt?.texto
            refusal = refund.refusal?.rawValue
        }
    }

    let id: String
    let kind: String
    let reservationId: String?
    let userId: String
    let unitId: String?
    /// `pending`, `approved`, `expired`, `cancelled`, `partially_refunded` or `refunded`.
    let status: String
    let method: String?
    let transactionId: String?
    let amount: Double
    let amountCents: Int64
    let paidCents: Int64
    let refundingCents: Int64
    let refundedCents: Int64
    let currency: String
    let copiaECola: String?
    let refusal: String?
    let createdAt: String
    let expiresAt: String
    let paidAt: String?
    let closedAt: String?
    /// Absent from lists.
    let refunds: [Refund]?

    init(_ payment: PaymentRecord, refunds: [RefundRecord]? = nil, forStaff: Bool = false) {
        id = payment.id.texto
        kind = payment.kind
        reservationId = payment.booking?.texto
        userId = payment.user.texto
        unitId = payment.unit?.texto
        status = Self.status(of: payment)
        method = payment.method?.codigo
        transactionId = payment.transaction?.texto
        amount = payment.amount.decimal
        amountCents = payment.amount.centavos
        paidCents = payment.paid.centavos
        refundingCents = payment.refunding.centavos
        refundedCents = payment.refunded.centavos
        currency = payment.amount.moeda.rawValue
        copiaECola = payment.pixCode
        refusal = payment.refusal?.rawValue
        createdAt = payment.createdAt.texto
        expiresAt = payment.expiresAt.texto
        paidAt = payment.paidAt?.texto
        closedAt = payment.closedAt?.texto
        self.refunds = refunds?.map { Refund($0, forStaff: forStaff) }
    }

    /// What the charge itself is worth: money that paid nothing and went back makes no difference to it.
    private static func status(of payment: PaymentRecord) -> String {
        guard payment.status == .approved, payment.returned > .zero else { return payment.status.rawValue }
        return payment.returned >= payment.amount ? "refunded" : "partially_refunded"
    }

    /// What a booking's charges come to; nil where there is none.
    ///
    /// What can still be paid comes first. Of what was paid and what went back, some went back. What came too late and went back whole
    /// paid for nothing, and counts where nothing else was paid; what closed unpaid, where nothing else is there.
    static func status(of payments: [PaymentRecord]) -> String? {
        let late = payments.filter { $0.status == .approved && $0.returnedAsLate >= $0.amount }.map(\.id)
        let statuses = Set(payments.filter { !late.contains($0.id) }.map(status))
        if statuses.contains("pending") { return "pending" }
        let paid = statuses.subtracting(["expired", "cancelled"])
        if paid.count > 1 { return "partially_refunded" }
        if let paid = paid.first { return paid }
        return late.isEmpty ? ["expired", "cancelled"].first(where: statuses.contains) : "refunded"
    }
}

extension RazaoDoAtraso {
    /// Its name in the HTTP API.
    fileprivate var codigo: String {
        switch self {
        case .semEfeito: "not_needed"
        case .cancelada: "cancelled"
        case .outroValor: "moved"
        case .horarioComecou: "has_begun"
        case .espacoInativo: "space_closed"
        case .jaDevolvida: "already_refunded"
        case .semLugar: "slot_taken"
        case .semBeneficios: "benefits_used"
        case .assinaturaEncerrada: "subscription_ended"
        }
    }
}
