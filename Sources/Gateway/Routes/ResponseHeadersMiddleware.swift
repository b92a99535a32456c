import HTTP
import HTTPTypes
import Hummingbird

/// Headers of every answer: browsers are to guess nothing and tell nobody, and what was meant for one person is kept by no cache.
struct ResponseHeadersMiddleware: RouterMiddleware {
    typealias Context = CoworkRequestContext

    func handle(
        _ request: Request,
        context: CoworkRequestContext,
        next: (Request, CoworkRequestContext) async throws -> Response
    ) async throws -> Response {
        var response = try await next(request, context)
        response.headers[.xContentTypeOptions] = "nosniff"
        response.headers[.referrerPolicy] = "no-referrer"
        if response.headers[.contentSecurityPolicy] == nil {
            response.headers[.contentSecurityPolicy] = "default-src 'none'; frame-ancestors 'none'"
        }
        if request.headers[.authorization] != nil {
            response.headers[.cacheControl] = "no-store"
        } else if response.headers[.cacheControl] == nil {
            response.headers[.cacheControl] = "no-cache"
        }
        return response
    }
}

extension HTTPField.Name {
    static let referrerPolicy = Self.known("Referrer-Policy")
    static let link = Self.known("Link")

    static func known(_ name: String) -> HTTPField.Name {
        guard let name = HTTPField.Name(name) else { preconditionFailure("\(name) is no header name") }
        return name
    }
}
