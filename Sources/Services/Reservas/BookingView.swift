import Domain
import FoundationEssentials
import HTTP

/// A booking as commands answer it.
struct BookingView: Encodable, Sendable {
    let id: String
    let status: String
    let spaceId: String
    let userId: String
    let startTime: String
    let endTime: String
    let seats: Int
    /// Until when an unconfirmed booking holds its slot.
    let expiresAt: String?
    let totalPrice: Double
    let totalPriceCents: Int64
    let currency: String

    init(_ state: Reserva, _ data: DadosDaReserva, zone: ZonaHoraria) {
        id = data.reserva.texto
        spaceId = data.espaco.texto
        userId = data.usuario.texto
        startTime = data.horario.intervalo.inicio.texto(em: zone)
        endTime = data.horario.intervalo.fim.texto(em: zone)
        seats = data.horario.lugares
        totalPrice = data.cotacao.total.decimal
        totalPriceCents = data.cotacao.total.centavos
        currency = data.cotacao.total.moeda.rawValue
        switch state {
        case .pendente(_, let expires):
            status = "pending"
            expiresAt = expires.texto(em: zone)
        case .inexistente, .confirmada:
            status = "active"
            expiresAt = nil
        case .expirada:
            status = "expired"
            expiresAt = nil
        case .cancelada:
            status = "cancelled"
            expiresAt = nil
        case .concluida:
            status = "completed"
            expiresAt = nil
        case .ausente:
            status = "no_show"
            expiresAt = nil
        }
    }
}

/// What a cancellation gives back and by which rule.
struct RefundView: Encodable, Sendable {
    let percent: Int
    let amount: Double
    let amountCents: Int64
    let paidCents: Int64
    let noticeMinutes: Int
    let rulesVersion: Int
    let exceptional: Bool

    init(_ refund: Reembolso) {
        percent = refund.percentual.valor
        amount = refund.valor.decimal
        amountCents = refund.valor.centavos
        paidCents = refund.pago.centavos
        noticeMinutes = refund.antecedencia.valor
        rulesVersion = refund.regrasVersao.numero
        exceptional = refund.excepcional
    }
}
