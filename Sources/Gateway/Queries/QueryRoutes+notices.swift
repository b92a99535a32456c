import Crypto
import Domain
import EventStore
import HTTP
import Hummingbird
import Projections

/// What people were told, how they want it, and their bookings for calendar programs.
extension QueryRoutes {
    private static let calendarType = "text/calendar; charset=utf-8"
    /// How long a booking that is over stays in a calendar that is followed.
    private static let calendarMemory = Duracao.horas(24 * 90)

    func addNotices(to doors: Doors) {
        doors.members.get("notifications", use: notices)
        doors.members.get("notifications/preferences", use: preferences)
        doors.members.get("webhooks", use: webhooks)
        doors.members.get("webhooks/{id}", use: webhook)
        doors.members.get("reservations/{id}/calendar.ics", use: bookingCalendar)
        // Calendar programs sign in nowhere: the secret in the address is all they have.
        doors.anonymous.get("calendar/{secret}.ics", use: followedCalendar)
    }

    @Sendable private func notices(_ request: Request, _ context: CoworkRequestContext) async throws -> Response {
        let user = try context.signedIn().user
        let parameters = QueryParameters(request)
        let unread = try parameters.flag("unread") ?? false
        let limit = try parameters.limit()
        let cursor = try parameters.cursor()
        return try await desk.page(request, context, reading: NotificacoesQueries.models) {
            let page = try await notificacoes.notices(of: user, unreadOnly: unread, limit: limit, after: cursor)
            return QueryPage(items: page.items.map(NoticeView.init), next: page.next)
        }
    }

    @Sendable private func preferences(_ request: Request, _ context: CoworkRequestContext) async throws -> Response {
        let user = try context.signedIn().user
        return try await desk.answer(request, context, reading: NotificacoesQueries.models) {
            PreferencesView(try await notificacoes.preferences(of: user))
        }
    }

    @Sendable private func webhooks(_ request: Request, _ context: CoworkRequestContext) async throws -> Response {
        _ = try context.signedIn(atLeast: .admin)
        return try await desk.answer(request, context, reading: NotificacoesQueries.models) {
            try await notificacoes.webhooks().map(WebhookView.init)
        }
    }

    @Sendable private func webhook(_ request: Request, _ context: CoworkRequestContext) async throws -> Response {
        _ = try context.signedIn(atLeast: .admin)
        let id: WebhookID = try context.id("id")
        return try await desk.answer(request, context, reading: NotificacoesQueries.models) {
            guard let webhook = try await notificacoes.webhook(id) else { throw Problem.notFound }
            return WebhookView(webhook)
        }
    }

    @Sendable private func bookingCalendar(_ request: Request, _ context: CoworkRequestContext) async throws -> Response {
        let identity = try context.signedIn()
        let id: ReservaID = try context.id("id")
        var response = try await desk.text(
            request, context, reading: NotificacoesQueries.calendarModels, type: Self.calendarType
        ) {
            guard let booking = try await notificacoes.calendar(of: id), identity.actor.alcanca(booking.user, em: booking.unit) else {
                throw Problem.notFound
            }
            return try calendar([booking], name: nil)
        }
        response.headers[.contentDisposition] = #"attachment; filename="reserva.ics""#
        return response
    }

    @Sendable private func followedCalendar(_ request: Request, _ context: CoworkRequestContext) async throws -> Response {
        guard let secret = context.parameters.get("secret"), (16...128).contains(secret.utf8.count) else { throw Problem.notFound }
        let digest = SHA256.hash(data: Array(secret.utf8)).hexadecimal
        return try await desk.text(request, context, reading: NotificacoesQueries.calendarModels, type: Self.calendarType) {
            guard let bookings = try await notificacoes.calendar(opening: digest, after: now - Self.calendarMemory) else {
                throw Problem.notFound
            }
            return try calendar(bookings, name: "CoworkFlow")
        }
    }

    private func calendar(_ bookings: [CalendarRecord], name: String?) throws -> String {
        let events = bookings.map(\.event)
        let names = Set(events.map(\.fuso)).sorted()
        let rules = Dictionary(uniqueKeysWithValues: try names.map { ($0, try zones.zone($0)) })
        return CalendarioICS(events, metodo: .publicacao, zonas: rules, nome: name).texto
    }
}
