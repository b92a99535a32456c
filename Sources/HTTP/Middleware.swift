package import Domain
import EventStore
import FoundationEssentials
import HTTPTypes
package import Hummingbird
import Logging
import Metrics

/// Gives each request an id, the caller's where that is sensible, and puts it into the answer and every log line.
package struct RequestIDMiddleware: RouterMiddleware {
    package typealias Context = CoworkRequestContext

    package init() {}

    package func handle(
        _ request: Request,
        context: CoworkRequestContext,
        next: (Request, CoworkRequestContext) async throws -> Response
    ) async throws -> Response {
        var context = context
        context.requestID = request.headers[.requestID].flatMap(Self.sensible) ?? UUID().uuidString.lowercased()
        context.logger[metadataKey: "request"] = "\(context.requestID)"
        var response = try await next(request, context)
        response.headers[.requestID] = context.requestID
        return response
    }

    private static func sensible(_ id: String) -> String? {
        let allowed = id.utf8.allSatisfy { byte in
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "0")...UInt8(ascii: "9"): true
            case UInt8(ascii: "-"), UInt8(ascii: "_"), UInt8(ascii: "."): true
            default: false
            }
        }
        return allowed && (1...128).contains(id.utf8.count) ? id : nil
    }
}

/// Turns whatever was thrown into a problem document. An error nobody foresaw is logged and answered with a plain 500.
package struct ProblemMiddleware: RouterMiddleware {
    package typealias Context = CoworkRequestContext

    package init() {}

    package func handle(
        _ request: Request,
        context: CoworkRequestContext,
        next: (Request, CoworkRequestContext) async throws -> Response
    ) async throws -> Response {
        do {
            return try await next(request, context)
        } catch {
            let problem = problem(of: error, language: Idioma(request), context: context)
            Counter(label: "coworkflow_http_problems_total", dimensions: [("code", problem.code)]).increment()
            return try problem.response(from: request, context: context)
        }
    }

    private func problem(of error: any Error, language: Idioma, context: CoworkRequestContext) -> Problem {
        switch error {
        case let problem as Problem: return problem
        case let refusal as any Recusa: return Problem(refusal, language: language)
        case let error as CommandError: return Problem(error)
        // Their access token outlived them.
        case Keyring.Problem.erased: return Problem(RecusaDeUsuarios.naoEncontrado, language: language)
        case let error as HTTPError where error.status == .notFound: return .notFound
        case let error as HTTPError where error.status == .contentTooLarge: return .bodyTooLarge
        case let error as HTTPError where error.status.code < 500:
            return Problem(error.status, code: "malformed_request", detail: error.body ?? error.status.reasonPhrase)
        default:
            context.logger.error("a request failed", metadata: ["error": "\(error)"])
            return Problem(.internalServerError, code: "internal_error", detail: "Something went wrong on our side. It has been noted.")
        }
    }
}

/// Takes the identity that the gateway signed.
package struct IdentityMiddleware: RouterMiddleware {
    package typealias Context = CoworkRequestContext

    private let signer: IdentitySigner

    package init(signer: IdentitySigner) {
        self.signer = signer
    }

    package func handle(
        _ request: Request,
        context: CoworkRequestContext,
        next: (Request, CoworkRequestContext) async throws -> Response
    ) async throws -> Response {
        var context = context
        if let assertion = request.headers[.identity] {
            guard let identity = signer.verify(assertion) else { throw Problem.unauthenticated }
            context.identity = identity
        }
        return try await next(request, context)
    }
}

extension Idioma {
    /// The one that `Accept-Language` names first of the two; Portuguese where it names neither.
    package init(_ request: Request) {
        let preferred = request.headers[.acceptLanguage]?.split(separator: ",").lazy
            .map { $0.trimmingPrefix(while: \.isWhitespace).prefix(2).lowercased() }
            .first { $0 == "pt" || $0 == "en" }
        self = preferred == "en" ? .ingles : .portugues
    }
}

extension Problem {
    /// A rule's refusal, in the words of the rule.
    package init(_ refusal: any Recusa, language: Idioma) {
        let status: HTTPResponse.Status =
            switch refusal.especie {
            case .conflito: .conflict
            case .regra: .unprocessableContent
            case .naoEncontrado: .notFound
            case .proibido: .forbidden
            case .inoportuno: .badRequest
            }
        self.init(status, code: refusal.codigo, detail: refusal.frase(em: language))
    }

    init(_ error: CommandError) {
        switch error {
        case .keyReused:
            self.init(
                .unprocessableContent,
                code: "idempotency_key_reused",
                detail: "This Idempotency-Key was used before with another body."
            )
        case .outcomeUnknown: self = .outcomeUnknown
        case .contended, .unavailable: self = .unavailable
        }
    }
}
