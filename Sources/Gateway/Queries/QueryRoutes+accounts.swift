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
