import Domain
import HTTP
import Hummingbird
import Projections

/// Coupons, subscriptions, credits: members see their own, the desk sees all.
extension QueryRoutes {
    /// The zone of the business, by whose days is told what belongs to no unit: subscriptions, accounts, the ledger.
    static let home = "America/Sao_Paulo"

    func addBenefits(to doors: Doors) {
        doors.members.get("coupons", use: coupons)
        doors.members.get("subscriptions", use: subscriptions)
        doors.members.get("subscriptions/me", use: ownSubscription)
        doors.members.get("subscriptions/{id}", use: subscriptionOfUser)
    }

    @Sendable private func coupons(_ request: Request, _ context: CoworkRequestContext) async throws -> Response {
        _ = try context.signedIn(atLeast: .recepcao)
        let parameters = QueryParameters(request)
        let active = try parameters.flag("active")
        let limit = try parameters.limit()
        let cursor = try parameters.cursor()
        let zone = try zones.zone(Self.home)
        return try await desk.page(request, context, reading: BeneficiosQueries.models) {
            let page = try await beneficios.coupons(active: active, limit: limit, after: cursor)
            return QueryPage(items: page.items.map { CouponView($0, zone: zone) }, next: page.next)
        }
    }

    @Sendable private func subscriptions(_ request: Request, _ context: CoworkRequestContext) async throws -> Response {
        _ = try context.signedIn(atLeast: .recepcao)
        let parameters = QueryParameters(request)
        let plan = try parameters.value("plan", "a plan") { PlanoID($0) }
        let user: UsuarioID? = try parameters.id("user_id")
        let limit = try parameters.limit()
        let cursor = try parameters.cursor()
        let zone = try zones.zone(Self.home)
        return try await desk.page(request, context, reading: BeneficiosQueries.models) {
            let page = try await beneficios.subscriptions(plan: plan, user: user, limit: limit, after: cursor)
            return QueryPage(items: page.items.map { SubscriptionView($0, at: now, zone: zone) }, next: page.next)
        }
    }

    @Sendable private func ownSubscription(_ request: Request, _ context: CoworkRequestContext) async throws -> Response {
        try await wallet(of: try context.signedIn().user, request, context)
    }

    @Sendable private func subscriptionOfUser(_ request: Request, _ context: CoworkRequestContext) async throws -> Response {
        let identity = try context.signedIn()
        let user: UsuarioID = try context.id("id")
        guard user == identity.user || identity.role >= .recepcao else { throw Problem.notFound }
        return try await wallet(of: user, request, context)
    }

    private func wallet(of user: UsuarioID, _ request: Request, _ context: CoworkRequestContext) async throws -> Response {
        let zone = try zones.zone(Self.home)
        return try await desk.answer(request, context, reading: BeneficiosQueries.models) {
            let now = now
            return WalletView(
                user: user,
                try await beneficios.subscription(of: user),
                try await beneficios.lots(of: user, at: now),
                at: now,
                zone: zone
            )
        }
    }
}
