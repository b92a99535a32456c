import FoundationEssentials
import HTTPTypes
package import Hummingbird
import NIOCore

/// JSON as the API speaks it: `snake_case` names.
package enum JSON {
    package static func encode(_ value: some Encodable) throws -> [UInt8] {
        let encoder = JSONEncoder()
        encoder.keyEncodingStrategy = .convertToSnakeCase
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return Array(try encoder.encode(value))
    }

    /// - Throws: a `Problem` with status 400 that names the field, never its value.
    package static func decode<Value: Decodable>(_ type: Value.Type, from bytes: [UInt8]) throws(Problem) -> Value {
        guard String(validating: bytes, as: UTF8.self) != nil else {
            throw .malformed("The body is not valid UTF-8.")
        }
        guard !namesNUL(bytes) else {
            throw .malformed("The body has a NUL character (\\u0000), which no text may have.")
        }
        let decoder = JSONDecoder()
        decoder.keyDecodingStrategy = .convertFromSnakeCase
        do {
            return try decoder.decode(type, from: Data(bytes))
        } catch let error as DecodingError {
            throw problem(of: error, in: bytes)
        } catch let problem as Problem {
            throw problem
        } catch {
            throw .malformed("The body is not JSON.")
        }
    }

    /// Whether a string has `\u0000`, the one character that Postgres cannot store: an event with it would stop every read
    /// model. A bare NUL is no JSON anyway.
    private static func namesNUL(_ bytes: [UInt8]) -> Bool {
        let escape = Array("u0000".utf8)
        var index = 0
        while index < bytes.count {
            guard bytes[index] == UInt8(ascii: "\\") else {
                index += 1
                continue
            }
            if bytes[(index + 1)...].starts(with: escape) { return true }
            // What is escaped may be a backslash itself.
            index += 2
        }
        return false
    }

    /// Decodes from any JSON at all: what fails to decode as this is no JSON.
    private struct Anything: Decodable {
        init(from decoder: any Decoder) {}
    }

    private static func problem(of error: DecodingError, in bytes: [UInt8]) -> Problem {
        switch error {
        case .keyNotFound(let key, let context):
            .invalid(field: path(context.codingPath + [key]), "is required")
        case .valueNotFound(_, let context):
            .invalid(field: path(context.codingPath), "must not be null")
        case .typeMismatch(let type, let context):
            .invalid(field: path(context.codingPath), "must be \(name(of: type))")
        case .dataCorrupted(let context) where context.codingPath.isEmpty:
            // The decoder does not say where a number stands that does not fit.
            (try? JSONDecoder().decode(Anything.self, from: Data(bytes))) == nil
                ? .malformed("The body is not valid JSON.")
                : .malformed("The body has a number that is too large, or not whole where a whole number is needed.")
        case .dataCorrupted(let context):
            .invalid(field: path(context.codingPath), "has no valid value")
        @unknown default:
            .malformed("The body is not valid JSON.")
        }
    }

    private static func path(_ keys: [any CodingKey]) -> String {
        guard !keys.isEmpty else { return "body" }
        return keys.map { key in key.intValue.map { String($0) } ?? snakeCase(key.stringValue) }.joined(separator: ".")
    }

    private static func snakeCase(_ name: String) -> String {
        name.reduce(into: "") { $0 += $1.isUppercase ? "_\($1.lowercased())" : String($1) }
    }

    private static func name(of type: any Any.Type) -> String {
        switch type {
        case is String.Type: "a string"
        case is Bool.Type: "true or false"
        case is Int.Type, is Int64.Type, is Int32.Type: "a whole number"
        case is Double.Type: "a number"
        case is [Any].Type: "a list"
        default: "an object"
        }
    }
}

extension Request {
    /// The longest body of a JSON request, in bytes.
    package static let jsonLimit = 256 * 1024

    /// The body's bytes.
    ///
    /// - Throws: `Problem.bodyTooLarge`.
    package func bytes(limit: Int = Request.jsonLimit) async throws -> [UInt8] {
        if let length = headers[.contentLength].flatMap({ Int($0) }), length > limit { throw Problem.bodyTooLarge }
        do {
            return Array(buffer: try await body.collect(upTo: limit))
        } catch is NIOTooManyBytesError {
            throw Problem.bodyTooLarge
        }
    }

    /// The body's bytes, and what they say.
    ///
    /// - Throws: a `Problem`: 400, 413, or 415 where the body is said to be something other than JSON.
    package func json<Value: Decodable>(_ type: Value.Type) async throws -> (value: Value, bytes: [UInt8]) {
        if let contentType = headers[.contentType]?.prefix(while: { $0 != ";" }).lowercased(),
            contentType != "application/json", !contentType.hasSuffix("+json")
        {
            throw Problem(.unsupportedMediaType, code: "unsupported_media_type", detail: "Send the body as application/json.")
        }
        let bytes = try await bytes()
        return (try JSON.decode(type, from: bytes), bytes)
    }
}
