import Domain
import HTTP
import HTTPTypes
import Hummingbird
import Logging

/// Finds out who asks, from the access token.
struct AuthenticationMiddleware: RouterMiddleware {
    typealias Context = CoworkRequestContext

    let tokens: AccessTokens
    let ended: EndedSessions
    let isRequired: Bool

    func handle(
        _ request: Request,
        context: CoworkRequestContext,
        next: (Request, CoworkRequestContext) async throws -> Response
    ) async throws -> Response {
        var context = context
        if let authorization = request.headers[.authorization] {
            guard let token = Self.bearerToken(authorization), let identity = await tokens.verify(token),
                !ended.contains(identity)
            else {
                throw Problem.unauthenticated
            }
            context.identity = identity
            context.logger[metadataKey: "user"] = "\(identity.user.texto)"
        } else if isRequired {
            throw Problem.unauthenticated
        }
        return try await next(request, context)
    }

    private static func bearerToken(_ authorization: String) -> String? {
        let parts = authorization.split(separator: " ", maxSplits: 1)
        guard parts.count == 2, parts[0].lowercased() == "bearer" else { return nil }
        return String(parts[1])
    }
}
