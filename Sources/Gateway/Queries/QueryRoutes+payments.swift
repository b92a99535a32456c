import Domain
import HTTP
import Hummingbird
import Projections

/// Payments: members see their own, the desk sees those of its units, and those of no unit. Somebody else's is not there.
extension QueryRoutes {
    func addPayments(to doors: Doors) {
        doors.members.get("payments", use: payments)
        doors.members.get("payments/{id}", use: payment)
    }

    @Sendable private func payment(_ request: Request, _ context: CoworkRequestContext) async throws -> Response {
        let identity = try context.signedIn()
        let id: PagamentoID = try context.id("id")
        return try await desk.answer(request, context, reading: PagamentosQueries.models) {
            guard let payment = try await pagamentos.payment(id), identity.actor.alcanca(payment.user, em: payment.unit) else {
                throw Problem.notFound
            }
            return PaymentView(payment, refunds: try await pagamentos.refunds(of: id), forStaff: identity.actor.atende(payment.unit))
        }
    }

    @Sendable private func payments(_ request: Request, _ context: CoworkRequestContext) async throws -> Response {
        let identity = try context.signedIn()
        let parameters = QueryParameters(request)
        var filter = PaymentFilter(viewer: identity.actor)
        filter.user = try parameters.member(for: identity)
        filter.booking = try parameters.id("reservation_id")
        filter.unit = try parameters.id("unit_id")
        filter.status = try parameters.value("status", "pending, approved, expired or cancelled") { PaymentStatus(rawValue: $0) }
        let limit = try parameters.limit()
        let cursor = try parameters.cursor()
        return try await desk.page(request, context, reading: PagamentosQueries.models) { [filter] in
            let page = try await pagamentos.payments(filter, limit: limit, after: cursor)
            return QueryPage(items: page.items.map { PaymentView($0) }, next: page.next)
        }
    }
}
