import Domain
import HTTP
import Projections

/// A booking as its member and the desk see it. Times have the offset of its unit.
struct BookingView: Encodable, Sendable {
    struct Refund: Encodable, Sendable {
        let percent: Int
        let noticeMinutes: Int
        let paidCents: Int64
        let amount: Double
        let amountCents: Int64
        /// Whether an operator set the percentage against the policy.
        let exceptional: Bool
        let rulesVersion: Int

        init(_ refund: Reembolso) {
            percent = refund.percentual.valor
            noticeMinutes = refund.antecedencia.valor
            paidCents = refund.pago.centavos
            amount = refund.valor.decimal
            amountCents = refund.valor.centavos
            exceptional = refund.excepcional
            rulesVersion = refund.regrasVersao.numero
        }
    }

    struct Cancellation: Encodable, Sendable {
        let cancelledBy: String
        let reason: String
        let note: String?
        let refund: Refund

        init(_ cancellation: CancellationRecord) {
            cancelledBy = cancellation.by.texto
            reason = cancellation.reason.rawValue
            note = cancellation.note
            refund = Refund(cancellation.refund)
        }
    }

    let id: String
    let spaceId: String
    let unitId: String
    let userId: String
    let startTime: String
    let endTime: String
    let timezone: String
    let seats: Int
    let status: String
    let totalPrice: Double
    let totalPriceCents: Int64
    let currency: String
    let quote: QuoteView
    let rulesVersion: Int
    let notes: String?
    let createdBy: String
    let createdAt: String
    let expiresAt: String?
    let confirmedAt: String?
    let completedAt: String?
    let cancelledAt: String?
    let cancellation: Cancellation?
    let seriesId: String?
    let waitlistId: String?
    /// Until when a gestor has to approve it.
    let approvalUntil: String?
    /// The difference of a move that is to be paid.
    let amountDueCents: Int64?
    /// `desk` where the booking was paid at the desk.
    let payment: String?
    /// Where its charges stand: as a charge's own status; absent where nothing was ever charged.
    let paymentStatus: String?
    let overrideReason: String?
    let visitor: Guest?
    /// Who comes along; in the answer to a single booking only.
    let guests: [Guest]?
    /// When nobody had come.
    let missedAt: String?

    struct Guest: Encodable, Sendable {
        let name: String
        let email: String?
    }

    /// - Parameter payments: The booking's charges.
    init(_ booking: BookingRecord, payments: [PaymentRecord], guests: [GuestRecord]? = nil, zone: ZonaHoraria) {
        id = booking.id.texto
        spaceId = booking.space.texto
        unitId = booking.unit.texto
        userId = booking.user.texto
        startTime = booking.schedule.intervalo.inicio.texto(em: zone)
        endTime = booking.schedule.intervalo.fim.texto(em: zone)
        timezone = booking.schedule.fuso
        seats = booking.schedule.lugares
        status = booking.status.rawValue
        totalPrice = booking.quote.total.decimal
        totalPriceCents = booking.quote.total.centavos
        currency = booking.quote.total.moeda.rawValue
        quote = QuoteView(booking.quote, interval: booking.schedule.intervalo, zone: zone)
        rulesVersion = booking.rulesVersion.numero
        notes = booking.notes
        createdBy = booking.createdBy.texto
        createdAt = booking.createdAt.texto(em: zone)
        expiresAt = booking.expiresAt?.texto(em: zone)
        confirmedAt = booking.confirmedAt?.texto(em: zone)
        completedAt = booking.completedAt?.texto(em: zone)
        cancelledAt = booking.cancelledAt?.texto(em: zone)
        cancellation = booking.cancellation.map(Cancellation.init)
        seriesId = booking.series?.texto
        waitlistId = booking.waitlistEntry?.texto
        approvalUntil = booking.approvalUntil?.texto(em: zone)
        amountDueCents = booking.dueCents
        payment = booking.agreedPayment.map { _ in "desk" }
        paymentStatus = PaymentView.status(of: payments)
        overrideReason = booking.overrideReason
        visitor = booking.visitorName.map { Guest(name: $0, email: booking.visitorEmail) }
        self.guests = guests?.map { Guest(name: $0.name, email: $0.email) }
        missedAt = booking.missedAt?.texto(em: zone)
    }
}
