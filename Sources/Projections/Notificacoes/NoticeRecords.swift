package import Domain
package import FoundationEssentials
import Postgres

/// Something that somebody was told in the app.
package struct NoticeRecord: Sendable, Equatable {
    package let id: NotificacaoID
    package let user: UsuarioID
    package let kind: TipoDeAviso
    package let title: String
    package let text: String
    package let booking: ReservaID?
    package let createdAt: Instante
    package let readAt: Instante?

    static let columns = NotificacoesModel.notices.columns.map(\.name).joined(separator: ", ")

    init(row: PostgresRow) throws {
        id = try row.id("id")
        user = try row.id("user_id")
        kind = try row.parsed("kind") { TipoDeAviso(rawValue: $0) }
        title = try row.get("title")
        text = try row.get("body")
        booking = try row.id("booking_id")
        createdAt = try row.instant("created_at")
        readAt = try row.instant("read_at")
    }
}

/// How somebody wants to be told things.
package struct PreferencesRecord: Sendable, Equatable {
    package let language: IdiomaDoAviso
    package let choices: [EscolhaDeCanais]
    package let quiet: HorasDeSilencio?
    package let phone: String?
    package let device: String?
    /// Whether somebody may follow their bookings as a calendar.
    package let sharesCalendar: Bool

    init(row: PostgresRow) throws {
        language = try row.parsed("language") { IdiomaDoAviso(rawValue: $0) }
        choices = try row.json("choices")
        quiet = try row.jsonIfPresent("quiet")
        phone = try row.get("phone")
        device = try row.get("device")
        sharesCalendar = try row.get("shares", Bool.self)
    }
}

/// A booking as a calendar shows it.
package struct CalendarRecord: Sendable, Equatable {
    package let user: UsuarioID
    package let unit: UnidadeID
    package let event: EventoDeCalendario

    init(row: PostgresRow) throws {
        user = try row.id("user_id")
        unit = try row.id("unit_id")
        let status: BookingStatus = try row.parsed("status") { BookingStatus(rawValue: $0) }
        event = EventoDeCalendario(
            reserva: try row.id("id"),
            sequencia: Int(try row.get("sequence", Int32.self)),
            situacao: status.inCalendars,
            intervalo: try row.interval("starts_at", "ends_at"),
            fuso: try row.get("time_zone"),
            titulo: try row.get("space"),
            lugar: try row.get("place"),
            alterado: try row.instant("changed_at")
        )
    }
}

extension BookingStatus {
    fileprivate var inCalendars: EventoDeCalendario.Situacao {
        switch self {
        case .pending: .provisorio
        case .active, .completed: .confirmado
        // Who did not come has lost the slot.
        case .cancelled, .expired, .noShow: .cancelado
        }
    }
}

/// Something that happened which somebody may watch for.
package struct ActivityRecord: Sendable, Equatable {
    package let position: Int64
    package let at: Instante
    /// `reservation.confirmed` and the like.
    package let type: String
    package let subject: UUID
    /// The booking that it is about, where it is about one: itself, or what a charge or an offer is for.
    package let booking: ReservaID?
    /// Whom it concerns.
    package let user: UsuarioID?
    package let space: EspacoID?
    package let unit: UnidadeID?

    init(row: PostgresRow) throws {
        position = try row.get("position")
        at = try row.instant("at")
        type = try row.get("type")
        subject = try row.get("subject")
        booking = try row.id("booking_id")
        user = try row.id("user_id")
        space = try row.id("space_id")
        unit = try row.id("unit_id")
    }
}

/// An address that is told of events.
package struct WebhookRecord: Sendable, Equatable {
    package let id: WebhookID
    package let url: String
    package let types: [FiltroDeEventos]
    package let active: Bool
    package let reason: String?
    package let createdBy: UsuarioID
    package let createdAt: Instante

    static let columns = NotificacoesModel.webhooks.columns.map(\.name).joined(separator: ", ")

    init(row: PostgresRow) throws {
        id = try row.id("id")
        url = try row.get("url")
        types = try row.json("types")
        active = try row.get("active")
        reason = try row.get("reason")
        createdBy = try row.id("created_by")
        createdAt = try row.instant("created_at")
    }
}
