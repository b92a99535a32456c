import Domain
import HTTP
import Hummingbird
import Projections

/// Accounts and what was done with the system.
extension QueryRoutes {
    func addAccounts(to doors: Doors) {
        doors.members.get("users/me", use: me)
        doors.members.get("users/me/export", use: export)
        doors.members.get("admin/users", use: users)
        doors.members.get("audit/logs", use: audit)
    }

    @Sendable private func me(_ request: Request, _ context: CoworkRequestContext) async throws -> Response {
        let identity = try context.signedIn()
        return try await desk.answer(request, context, reading: ContasQueries.models) {
            guard let user = try await contas.user(identity.user) else { throw Problem.notFound }
            return UserView(user)
        }
    }

    /// Everything about the one who asks, to take away (LGPD, art. 18). Of the password there is nothing to take.
    @Sendable private func export(_ request: Request, _ context: CoworkRequestContext) async throws -> Response {
        let user = try context.signedIn().user
        let models = ContasQueries.models.union(ReservasQueries.models).union(PagamentosQueries.models)
        var response = try await desk.answer(request, context, reading: models) {
            guard let account = try await contas.user(user) else { throw Problem.notFound }
            let sessions = try await all { try await contas.sessions(of: user, limit: $0, after: $1) }
            let bookings = try await all { try await reservas.bookings(BookingFilter(user: user), limit: $0, after: $1) }
            let payments = try await all { try await pagamentos.payments(PaymentFilter(user: user), limit: $0, after: $1) }
            var subjects =
                [NomeDeFluxo.usuario(user)] + sessions.map { .sessao($0.id) } + bookings.flatMap { [.reserva($0.id), .presenca($0.id)] }
            subjects += payments.map { .pagamento($0.id) }
            let charges = Dictionary(grouping: payments, by: \.booking)
            var paid: [PaymentView] = []
            for payment in payments {
                paid.append(PaymentView(payment, refunds: try await pagamentos.refunds(of: payment.id), forStaff: true))
            }
            return PersonalDataView(
                exportedAt: now.texto,
                account: UserView(account),
                sessions: sessions.map(SessionView.init),
                reservations: try bookings.map {
                    BookingView($0, payments: charges[$0.id] ?? [], zone: try zones.zone($0.schedule.fuso))
                },
                payments: paid,
                audit: try await all { try await contas.trail(of: user, subjects: subjects.map(\.texto), limit: $0, after: $1) }
                    .map(AuditView.init)
            )
        }
        response.headers[.cacheControl] = "no-store"
        response.headers[.contentDisposition] = #"attachment; filename="coworkflow.json""#
        return response
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

    @Sendable private func users(_ request: Request, _ context: CoworkRequestContext) async throws -> Response {
        _ = try context.signedIn(atLeast: .admin)
        let parameters = QueryParameters(request)
        var filter = UserFilter()
        filter.role = try parameters.choice("role")
        filter.blocked = try parameters.flag("blocked")
        filter.search = try parameters.text("search")
        let limit = try parameters.limit()
        let cursor = try parameters.cursor()
        return try await desk.page(request, context, reading: ContasQueries.models) { [filter] in
            let page = try await contas.users(filter, limit: limit, after: cursor)
            return QueryPage(items: page.items.map(UserView.init), next: page.next)
        }
    }

    @Sendable private func audit(_ request: Request, _ context: CoworkRequestContext) async throws -> Response {
        _ = try context.signedIn(atLeast: .admin)
        let parameters = QueryParameters(request)
        var filter = AuditFilter()
        filter.actor = try parameters.text("actor")
        filter.action = try parameters.text("action")
        filter.subject = try parameters.text("subject")
        filter.from = try parameters.instant("from")
        filter.to = try parameters.instant("to")
        let limit = try parameters.limit()
        let cursor = try parameters.cursor()
        return try await desk.page(request, context, reading: ContasQueries.models) { [filter] in
            let page = try await contas.audit(filter, limit: limit, after: cursor)
            return QueryPage(items: page.items.map(AuditView.init), next: page.next)
        }
    }
}
