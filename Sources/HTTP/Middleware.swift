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
        case let problem as Problem: return problem.told(in: language)
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
    private static let mostRanges = 20

    /// The one of the two that `Accept-Language` (RFC 9110, section 12.5.4) likes best; of two liked as well, the first; Portuguese where
    /// it says nothing of either.
    package init(_ request: Request) {
        var best: (language: Idioma, quality: Double)?
        for (language, quality) in Self.wanted(request.headers[.acceptLanguage] ?? "") where quality > (best?.quality ?? 0) {
            best = (language, quality)
        }
        self = best?.language ?? .portugues
    }

    /// What a list of language ranges says of the two, in its order: how much each is liked, from 0 for not at all to 1.
    private static func wanted(_ header: String) -> [(language: Idioma, quality: Double)] {
        let ranges = header.lowercased().split(separator: ",").prefix(mostRanges).map { range in
            let parts = range.split(separator: ";").map { $0.filter { !$0.isWhitespace } }
            let quality = parts.dropFirst().first { $0.hasPrefix("q=") }.map { Double($0.dropFirst(2)) ?? 0 } ?? 1
            return (tag: parts.first.map { String($0.prefix { $0 != "-" }) } ?? "", quality: min(max(quality, 0), 1))
        }
        let named = Set(ranges.map(\.tag))
        return ranges.flatMap { range in
            allCases.filter { language in
                range.tag == language.tag || range.tag == "*" && !named.contains(language.tag)
            }.map { ($0, range.quality) }
        }
    }

    /// The primary subtag.
    private var tag: String { String(contentLanguage.prefix(2)) }

    /// As `Content-Language` names it.
    package var contentLanguage: String {
        switch self {
        case .portugues: "pt-BR"
        case .ingles: "en"
        }
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
            case .naoAutenticado: .unauthorized
            case .inoportuno: .badRequest
            }
        self.init(status, code: refusal.codigo, detail: refusal.frase(em: language), in: language)
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
