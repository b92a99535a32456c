import Domain
import HTTP
import HTTPTypes
import Hummingbird

/// A command's way to its service: the same method and path there as here.
struct CommandRoute: Sendable {
    enum Audience: Sendable {
        /// Anybody; an access token is not looked at, so that an expired one is no hindrance to signing in.
        case anonymous
        /// Anybody; a token that is sent must be valid.
        case everybody
        /// The service looks at roles; here it is enough to be somebody.
        case members
    }

    let method: HTTPRequest.Method
    /// As Hummingbird writes it, with `{name}` for parameters.
    let template: String
    let service: ServiceName
    let audience: Audience

    init(_ method: HTTPRequest.Method, _ template: String, _ service: ServiceName, for audience: Audience = .members) {
        self.method = method
        self.template = template
        self.service = service
        self.audience = audience
    }

    /// The template with the request's parameters, and the request's query. The path is written anew rather than passed
    /// through, so that nothing but an id or a slug ever stands where a parameter does.
    func path(for request: Request, _ context: CoworkRequestContext) throws(Problem) -> String {
        var path = ""
        for part in template.split(separator: "/") {
            if part.hasPrefix("{") {
                guard let value = context.parameters.get(String(part.dropFirst().dropLast())), Self.isName(value) else { throw .notFound }
                path += "/" + value
            } else {
                path += "/" + part
            }
        }
        if let query = request.uri.query, !query.isEmpty { path += "?" + query }
        return path
    }

    private static func isName(_ text: String) -> Bool {
        (1...128).contains(text.utf8.count)
            && text.utf8.allSatisfy { byte in
                switch byte {
                case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"): true
                case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"): true
                default: false
                }
            }
    }
}

extension CommandRoute {
    static let login = CommandRoute(.post, "/auth/login", .usuarios, for: .anonymous)
    static let logout = CommandRoute(.post, "/auth/logout", .usuarios)
    static let eraseMe = CommandRoute(.delete, "/users/me", .usuarios)
    static let changePassword = CommandRoute(.post, "/users/me/password", .usuarios)
    static let block = CommandRoute(.post, "/admin/users/{id}/block", .usuarios)
    static let unblock = CommandRoute(.post, "/admin/users/{id}/unblock", .usuarios)

    /// The commands whose answers pass through unchanged.
    static let passedThrough = [
        CommandRoute(.post, "/auth/signup", .usuarios, for: .anonymous),
        CommandRoute(.put, "/users/me", .usuarios),
        CommandRoute(.post, "/admin/promote/{id}", .usuarios),
        CommandRoute(.post, "/units", .espacos),
        CommandRoute(.put, "/units/{id}", .espacos),
        CommandRoute(.post, "/spaces", .espacos),
        CommandRoute(.put, "/spaces/{id}", .espacos),
        CommandRoute(.delete, "/spaces/{id}", .espacos),
        CommandRoute(.post, "/spaces/{id}/reactivate", .espacos),
        CommandRoute(.put, "/spaces/{id}/rules", .espacos),
        CommandRoute(.put, "/spaces/{id}/hours", .espacos),
        CommandRoute(.put, "/spaces/{id}/closures", .espacos),
        CommandRoute(.delete, "/spaces/{id}/closures/{closure}", .espacos),
        CommandRoute(.post, "/reservations", .reservas),
        CommandRoute(.put, "/reservations/{id}", .reservas),
        CommandRoute(.delete, "/reservations/{id}", .reservas),
        CommandRoute(.post, "/reservations/{id}/confirm", .reservas),
        CommandRoute(.post, "/reservations/{id}/approve", .reservas),
        CommandRoute(.post, "/reservations/{id}/reject", .reservas),
        CommandRoute(.put, "/reservations/{id}/guests", .reservas),
        CommandRoute(.post, "/reservations/waitlist", .reservas),
        CommandRoute(.delete, "/reservations/waitlist/{id}", .reservas),
        CommandRoute(.post, "/reservations/series/preview", .reservas),
        CommandRoute(.post, "/reservations/series", .reservas),
        CommandRoute(.put, "/reservations/series/{id}", .reservas),
        CommandRoute(.delete, "/reservations/series/{id}", .reservas),
        // A query, but of the log, which a service may read and the gateway may not.
        CommandRoute(.get, "/reservations/{id}/history", .reservas),
        CommandRoute(.post, "/payments/charge", .pagamentos),
        CommandRoute(.post, "/payments/desk", .pagamentos),
        CommandRoute(.post, "/payments/refund", .pagamentos),
        CommandRoute(.post, "/payments/{id}/refunds/{refund}/handed-over", .pagamentos),
        // Signed by the provider; the service verifies it.
        CommandRoute(.post, "/payments/webhook/{provider}", .pagamentos, for: .anonymous),
        CommandRoute(.post, "/payments/webhook/{provider}/pix", .pagamentos, for: .anonymous),
        CommandRoute(.post, "/pricing/calc", .precos, for: .everybody),
        CommandRoute(.put, "/units/{id}/tariff", .precos),
        CommandRoute(.put, "/plans/{id}", .precos),
        CommandRoute(.put, "/notifications/preferences", .notificacoes),
        CommandRoute(.post, "/notifications/read", .notificacoes),
        CommandRoute(.post, "/notifications/{id}/read", .notificacoes),
        CommandRoute(.post, "/users/me/calendar", .notificacoes),
        CommandRoute(.delete, "/users/me/calendar", .notificacoes),
        CommandRoute(.post, "/notify/email", .notificacoes),
        CommandRoute(.post, "/notify/sms", .notificacoes),
        CommandRoute(.post, "/notify/push", .notificacoes),
        CommandRoute(.post, "/webhooks", .notificacoes),
        CommandRoute(.put, "/webhooks/{id}", .notificacoes),
        CommandRoute(.delete, "/webhooks/{id}", .notificacoes),
        CommandRoute(.post, "/webhooks/{id}/enable", .notificacoes),
        CommandRoute(.post, "/webhooks/{id}/disable", .notificacoes),
        // A query, but of what is not history and so in no read model.
        CommandRoute(.get, "/webhooks/{id}/deliveries", .notificacoes),
        CommandRoute(.post, "/coupons", .precos),
        CommandRoute(.delete, "/coupons/{code}", .precos),
        CommandRoute(.post, "/subscriptions", .precos),
        CommandRoute(.delete, "/subscriptions/me", .precos),
        CommandRoute(.post, "/subscriptions/me/change", .precos),
        CommandRoute(.delete, "/subscriptions/me/change", .precos),
        CommandRoute(.delete, "/subscriptions/{id}", .precos),
        CommandRoute(.post, "/subscriptions/{id}/change", .precos),
        CommandRoute(.delete, "/subscriptions/{id}/change", .precos),
        CommandRoute(.post, "/subscriptions/{id}/credits", .precos),
        CommandRoute(.post, "/checkin/scan", .checkin),
        CommandRoute(.post, "/checkin/{reservation_id}", .checkin),
        CommandRoute(.post, "/checkout/{reservation_id}", .checkin),
        // Queries, but of the log: a code is good for a booking as it is, not as a read model had it.
        CommandRoute(.get, "/reservations/{id}/qr", .checkin),
        CommandRoute(.get, "/reservations/{id}/qr.png", .checkin),
        CommandRoute(.post, "/spaces/{id}/display", .checkin),
        CommandRoute(.delete, "/spaces/{id}/displays/{display}", .checkin),
        CommandRoute(.post, "/financial/expenses", .financeiro),
        CommandRoute(.post, "/financial/expenses/{id}/reverse", .financeiro),
        CommandRoute(.post, "/financial/close/{month}", .financeiro),
    ]
}
