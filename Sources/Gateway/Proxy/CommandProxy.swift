import Domain
import HTTP
import HTTPTypes
import Hummingbird
import NIOCore

/// Passes commands on to the services and their answers back.
struct CommandProxy: Sendable {
    /// What of a request's headers a service gets. The rest concerns the gateway, or nobody.
    private static let passedOn: [HTTPField.Name] = [.idempotencyKey, .trace, .acceptLanguage, .contentType, .webhookSignature]
    /// What of an answer's headers the caller gets.
    private static let passedBack: [HTTPField.Name] = [
        .position, .retryAfter, .contentType, .contentLanguage, .vary, .location, .wwwAuthenticate,
    ]

    let client: ServiceClient

    /// Passes a request on to its route's service.
    func forward(_ request: Request, _ context: CoworkRequestContext, along route: CommandRoute) async throws -> Response {
        try Self.response(to: await send(request, context, along: route))
    }

    /// As `forward`, for routes whose answer the gateway adds something to.
    func send(_ request: Request, _ context: CoworkRequestContext, along route: CommandRoute) async throws -> ServiceClient.Answer {
        var headers = HTTPFields()
        for name in Self.passedOn {
            headers[name] = request.headers[name]
        }
        headers[.requestID] = context.requestID
        let call = ServiceClient.Call(
            service: route.service,
            method: route.method,
            path: try route.path(for: request, context),
            headers: headers,
            identity: context.identity,
            body: try await request.bytes()
        )
        return try await client.send(call, logger: context.logger)
    }

    /// A service's answer as the caller gets it.
    ///
    /// - Throws: 502 for an error that is no problem document: nothing else is fit to be shown.
    static func response(to answer: ServiceClient.Answer) throws -> Response {
        if answer.status.code >= 400, answer.headers[.contentType]?.hasPrefix("application/problem+json") != true {
            throw Problem.badGateway
        }
        var headers = HTTPFields()
        for name in passedBack {
            headers[name] = answer.headers[name]
        }
        return Response(status: answer.status, headers: headers, body: .init(byteBuffer: answer.body))
    }
}

extension HTTPField.Name {
    /// W3C trace context. Both HTTPTypes and our own module name it; here it has to be unmistakable.
    fileprivate static var trace: HTTPField.Name { .known("traceparent") }
    fileprivate static var webhookSignature: HTTPField.Name { .known(WebhookSignature.header) }
}

extension Problem {
    static let badGateway = Problem(.badGateway, code: "bad_gateway", detail: "A part of the system gave an answer that makes no sense.")
}
