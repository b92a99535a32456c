import Domain
import HTTP
import Hummingbird
import Projections

/// Payments: members see their own, the desk sees all. Somebody else's is not there.
extension QueryRoutes {
    func addPayments(to doors: Doors) {
        doors.members.get("payments", use: payments)
        doors.members.get("payments/{id}", use: payment)
    }

    @Sendable private func payment(_ request: Request, _ context: CoworkRequestContext) async throws -> Response {
        let identity = try context.signedIn()
        let id: PagamentoID = try context.id("id")
        return try await desk.answer(request, context, reading: PagamentosQueries.models) {
            guard let payment = try await pagamentos.payment(id), identity.sees(paymentsOf: payment.user) else { throw Problem.notFound }
            return PaymentView(payment, refunds: try await pagamentos.refunds(of: id), forStaff: identity.role >= .recepcao)
        }
    }

    @Sendable private func payments(_ request: Request, _ context: CoworkRequestContext) async throws -> Response {
        let identity = try context.signedIn()
        let parameters = QueryParameters(request)
        var filter = PaymentFilter()
        filter.user = try parameters.id("user_id") ?? (identity.role >= .recepcao ? nil : identity.user)
        if let user = filter.user { guard identity.sees(paymentsOf: user) else { throw Problem.notFound } }
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

extension Identity {
    /// Whether a member's payments exist as far as this person is concerned.
    fileprivate func sees(paymentsOf member: UsuarioID) -> Bool {
        user == member || role >= .recepcao
    }
}
