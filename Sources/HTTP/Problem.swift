package import Domain
import FoundationEssentials
package import HTTPTypes
package import Hummingbird
import NIOCore

/// What a client is told when something is not done: an RFC 9457 problem document, plus the `error` field of the old API.
///
/// It is all a client gets to see of an error: no SQL, no stack trace, no word of anybody else's data.
package struct Problem: HTTPResponseError, Equatable {
    /// What is wrong with one field.
    package struct Violation: Encodable, Sendable, Equatable {
        /// The field's name; dots lead into nested objects.
        package let field: String
        package let message: String

        package init(field: String, message: String) {
            self.field = field
            self.message = message
        }
    }

    /// A time that could be booked instead.
    package struct Alternative: Encodable, Sendable, Equatable {
        package let startTime: String
        package let endTime: String

        package init(startTime: String, endTime: String) {
            self.startTime = startTime
            self.endTime = endTime
        }
    }

    package let status: HTTPResponse.Status
    /// Stable and machine-readable, e.g. `outside_opening_hours`.
    package let code: String
    /// A sentence for the person at the other end.
    package private(set) var detail: String
    /// What `detail` is written in: what a person did wrong is told in the language that was asked for, the machinery's words are English.
    package private(set) var language = Idioma.ingles
    /// The same sentence, where there is one; nil where it was written in the language asked for, or only programs hear it.
    private var portuguese: String?
    package var violations: [Violation] = []
    package var alternatives: [Alternative]?
    /// Seconds after which to try again.
    package var retryAfter: Int?
    /// Headers of the answer besides those of every problem.
    package var headers: HTTPFields = [:]

    /// What only programs hear, in English; or what is written in the language asked for.
    package init(_ status: HTTPResponse.Status, code: String, detail: String, in language: Idioma = .ingles) {
        self.status = status
        self.code = code
        self.detail = detail
        self.language = language
    }

    /// What a person hears: the same sentence in both languages.
    package init(_ status: HTTPResponse.Status, code: String, portuguese: String, english: String) {
        self.init(status, code: code, detail: english)
        self.portuguese = portuguese
    }

    /// In this language, where it is there in it.
    package func told(in language: Idioma) -> Problem {
        guard language == .portugues, let portuguese else { return self }
        var told = self
        (told.detail, told.language) = (portuguese, .portugues)
        return told
    }

    package func response(from request: Request, context: some RequestContext) throws -> Response {
        let document = Document(
            type: "urn:coworkflow:problem:\(code)",
            title: status.reasonPhrase,
            status: status.code,
            detail: detail,
            instance: request.uri.path,
            error: detail,
            code: code,
            violations: violations.isEmpty ? nil : violations,
            alternatives: alternatives
        )
        var response = Response(
            status: status,
            headers: [
                .contentType: "application/problem+json", .contentLanguage: language.contentLanguage, .vary: "Accept-Language",
            ],
            body: .init(byteBuffer: ByteBuffer(bytes: try JSON.encode(document)))
        )
        response.headers.append(contentsOf: headers)
        if let retryAfter { response.headers[.retryAfter] = String(retryAfter) }
        if status == .unauthorized { response.headers[.wwwAuthenticate] = "Bearer" }
        return response
    }

    private struct Document: Encodable {
        let type: String
        let title: String
        let status: Int
        let detail: String
        let instance: String
        let error: String
        let code: String
        let violations: [Violation]?
        let alternatives: [Alternative]?
    }
}

extension Problem: CustomStringConvertible {
    /// As operators read it, where a command failed that nobody waits for: in `coworkflow stuck`, in the log.
    package var description: String { "\(code): \(detail)" }
}

extension Problem {
    package static let unauthenticated = Problem(
        .unauthorized, code: "unauthenticated", detail: "Sign in first: a valid access token is needed.")

    package static let forbidden = Problem(.forbidden, code: "forbidden", detail: "Your role does not allow this.")

    /// Also for what exists but belongs to somebody else.
    package static let notFound = Problem(.notFound, code: "not_found", detail: "There is nothing here.")

    package static let bodyTooLarge = Problem(.contentTooLarge, code: "body_too_large", detail: "The request's body is too large.")

    package static let unavailable: Problem = {
        var problem = Problem(
            .serviceUnavailable,
            code: "unavailable",
            detail: "The system cannot take this right now. Nothing was recorded; try again in a moment."
        )
        problem.retryAfter = 1
        return problem
    }()

    package static let outcomeUnknown: Problem = {
        var problem = Problem(
            .serviceUnavailable,
            code: "outcome_unknown",
            detail: "It is not known whether this was recorded. Repeat it with the same Idempotency-Key to find out."
        )
        problem.retryAfter = 1
        return problem
    }()

    /// For a text that can be no coupon's code.
    package static let couponNotFound = Problem(
        .unprocessableContent,
        code: "coupon_not_found",
        portuguese: "Este cupom não existe.",
        english: "There is no such coupon."
    )

    package static func malformed(_ detail: String) -> Problem {
        Problem(.badRequest, code: "malformed_request", detail: detail)
    }

    package static func invalid(field: String, _ message: String) -> Problem {
        var problem = Problem(.badRequest, code: "invalid_field", detail: "\(field): \(message)")
        problem.violations = [Violation(field: field, message: message)]
        return problem
    }
}
