import Domain
import HTTP
import Hummingbird
import Projections

/// Everything about the one who asks, to take away (LGPD, art. 18). Of the password there is nothing to take.
extension QueryRoutes {
    private static let exported = ContasQueries.models.union(ReservasQueries.models).union(PagamentosQueries.models)
        .union(NotificacoesQueries.models).union(BeneficiosQueries.models)

    @Sendable func export(_ request: Request, _ context: CoworkRequestContext) async throws -> Response {
        let user = try context.signedIn().user
        var response = try await desk.answer(request, context, reading: Self.exported) { try await everything(about: user) }
        response.headers[.cacheControl] = "no-store"
        response.headers[.contentDisposition] = #"attachment; filename="coworkflow.json""#
        return response
    }

    private func everything(about user: UsuarioID) async throws -> PersonalDataView {
        guard let account = try await contas.user(user) else { throw Problem.notFound }
        let sessions = try await all { try await contas.sessions(of: user, limit: $0, after: $1) }
        let bookings = try await all { try await reservas.bookings(BookingFilter(user: user), limit: $0, after: $1) }
        let payments = try await all { try await pagamentos.payments(PaymentFilter(user: user), limit: $0, after: $1) }
        let series = try await all { try await reservas.series(visibleTo: nil, user: user, space: nil, limit: $0, after: $1) }.map(\.series)
        let waitlist = try await all {
            try await reservas.waitlist(visibleTo: nil, user: user, space: nil, status: nil, limit: $0, after: $1)
        }
        let notices = try await all { try await notificacoes.notices(of: user, limit: $0, after: $1) }
        var subjects: [NomeDeFluxo] = [.usuario(user), .preferencias(user), .assinatura(user)]
        subjects += sessions.map { .sessao($0.id) } + bookings.flatMap { [.reserva($0.id), .presenca($0.id)] }
        subjects += payments.map { .pagamento($0.id) } + series.map { .serie($0.id) }
        let (moment, home) = (now, try zones.zone(Self.home))
        return PersonalDataView(
            exportedAt: moment.texto,
            account: UserView(account),
            sessions: sessions.map(SessionView.init),
            preferences: PreferencesView(try await notificacoes.preferences(of: user)),
            notifications: notices.map(NoticeView.init),
            subscription: try await beneficios.subscription(of: user).map { SubscriptionView($0, at: moment, zone: home) },
            credits: try await beneficios.lots(of: user).map { WalletView.Lot($0, zone: home) },
            reservations: try await views(of: bookings, payments),
            series: try await views(of: series),
            waitlist: try waitlist.map { WaitlistView($0, zone: try zones.zone($0.zone)) },
            payments: try await views(of: payments),
            audit: try await all { try await contas.trail(of: user, subjects: subjects.map(\.texto), limit: $0, after: $1) }
                .map(AuditView.init)
        )
    }

    private func views(of bookings: [BookingRecord], _ payments: [PaymentRecord]) async throws -> [BookingView] {
        let charges = Dictionary(grouping: payments, by: \.booking)
        var views: [BookingView] = []
        for booking in bookings {
            let guests = try await reservas.guests(of: booking.id)
            let zone = try zones.zone(booking.schedule.fuso)
            views.append(BookingView(booking, payments: charges[booking.id] ?? [], guests: guests, zone: zone))
        }
        return views
    }

    private func views(of series: [SeriesRecord]) async throws -> [SeriesView] {
        var views: [SeriesView] = []
        for one in series {
            views.append(SeriesView(one, try await reservas.bookings(of: one.id), zone: try zones.zone(one.zone)))
        }
        return views
    }

    private func views(of payments: [PaymentRecord]) async throws -> [PaymentView] {
        var views: [PaymentView] = []
        for payment in payments {
            views.append(PaymentView(payment, refunds: try await pagamentos.refunds(of: payment.id), forStaff: true))
        }
        return views
    }

    /// All items of a list, read page by page.
    private func all<Item: Sendable>(_ page: (Int, Cursor?) async throws -> ResultPage<Item>) async throws -> [Item] {
        var items: [Item] = []
        var cursor: Cursor?
        repeat {
            let next = try await page(200, cursor)
            items += next.items
            cursor = next.next
        } while cursor != nil
        return items
    }
}
