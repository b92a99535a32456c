import Domain
import HTTP
import Projections

/// Something that somebody was told in the app.
struct NoticeView: Encodable, Sendable {
    let id: String
    /// `booking_confirmed` and the like.
    let kind: String
    let title: String
    let message: String
    let reservationId: String?
    let createdAt: String
    let readAt: String?

    init(_ notice: NoticeRecord) {
        id = notice.id.texto
        kind = notice.kind.apiName
        title = notice.title
        message = notice.text
        reservationId = notice.booking?.texto
        createdAt = notice.createdAt.texto
        readAt = notice.readAt?.texto
    }
}

/// How somebody is told things: every kind is named, chosen or not.
struct PreferencesView: Encodable, Sendable {
    struct Kind: Encodable, Sendable {
        let kind: String
        let channels: [String]
        /// Whether it cannot be turned off: the app or mail has to be among its channels.
        let required: Bool
    }

    struct QuietHours: Encodable, Sendable {
        let from: String
        let to: String
        let timezone: String
    }

    let language: String
    let kinds: [Kind]
    let quietHours: QuietHours?
    let phone: String?
    let pushToken: String?
    let sharesCalendar: Bool

    init(_ preferences: PreferencesRecord?) {
        language = (preferences?.language ?? .portugues).rawValue
        kinds = TipoDeAviso.preferiveis.map { kind in
            let chosen = preferences?.choices.first { $0.tipo == kind }?.canais ?? kind.canaisPadrao
            return Kind(kind: kind.apiName, channels: chosen.map(\.rawValue), required: kind.obrigatorio)
        }
        quietHours = preferences?.quiet.map { QuietHours(from: $0.de.texto, to: $0.ate.texto, timezone: $0.fuso) }
        phone = preferences?.phone
        pushToken = preferences?.device
        sharesCalendar = preferences?.sharesCalendar ?? false
    }
}

/// An address that is told of events. Its secret was told once.
struct WebhookView: Encodable, Sendable {
    let id: String
    let url: String
    let types: [String]
    let active: Bool
    /// Why it is not: `administrator` or `failures`.
    let disabledBecause: String?
    let createdAt: String

    init(_ webhook: WebhookRecord) {
        id = webhook.id.texto
        url = webhook.url
        types = webhook.types.map(\.texto)
        active = webhook.active
        disabledBecause = webhook.reason.map { $0 == MotivoDaDesativacao.administrador.rawValue ? "administrator" : "failures" }
        createdAt = webhook.createdAt.texto
    }
}
