import Crypto
import EventStore
import FoundationEssentials
import HTTP
import HTTPTypes
import Hummingbird
import NIOCore
import Projections

/// What all queries have in common: waiting for what the caller has written, entity tags, links to the next page.
struct QueryDesk: Sendable {
    /// How long a query waits for its read models.
    private static let patience = Duration.seconds(2)

    let progress: ProgressWatcher

    /// Answers with one object, or with a list that has no pages.
    ///
    /// - Parameter models: the read models that `body` reads.
    func answer(
        _ request: Request,
        _ context: CoworkRequestContext,
        reading models: Set<String>,
        _ body: () async throws -> some Encodable & Sendable
    ) async throws -> Response {
        let (answer, laggards) = try await read(request, models, body)
        return respond(to: request, try JSON.encode(answer), laggards)
    }

    /// Answers with a text of some type.
    func text(
        _ request: Request,
        _ context: CoworkRequestContext,
        reading models: Set<String>,
        type: String,
        _ body: () async throws -> String
    ) async throws -> Response {
        let (answer, laggards) = try await read(request, models, body)
        return respond(to: request, Array(answer.utf8), type: type, laggards)
    }

    /// Answers with a page of a list.
    func page<Item: Encodable & Sendable>(
        _ request: Request,
        _ context: CoworkRequestContext,
        reading models: Set<String>,
        _ body: () async throws -> QueryPage<Item>
    ) async throws -> Response {
        let (page, laggards): (QueryPage<Item>, Set<String>)
        do {
            let read = try await read(request, models, body)
            (page, laggards) = (read.answer, read.laggards)
        } catch is InvalidCursor {
            throw Problem.invalid(field: "cursor", "must be one that this list gave out")
        }
        var response = respond(to: request, try JSON.encode(page.items), laggards)
        if let next = page.next {
            response.headers[.link] = "<\(Self.link(to: next, from: request))>; rel=\"next\""
        }
        return response
    }

    /// Answers with a file that is written as it is read, so that it may be of any length.
    ///
    /// - Parameter write: writes the file's parts in order. A failure cuts the answer off.
    func file(
        _ request: Request,
        reading models: Set<String>,
        type: String,
        name: String,
        _ write: @escaping @Sendable (inout any ResponseBodyWriter) async throws -> Void
    ) async throws -> Response {
        var laggards: Set<String> = []
        if let position = try Self.position(asked: request) {
            laggards = await progress.wait(for: position, models: models, timeout: Self.patience)
        }
        var headers: HTTPFields = [
            .contentType: type, .contentDisposition: "attachment; filename=\"\(name)\"", .cacheControl: "no-store",
        ]
        if !laggards.isEmpty { headers[.stale] = Self.header(laggards) }
        return Response(
            status: .ok,
            headers: headers,
            body: ResponseBody { writer in
                try await write(&writer)
                try await writer.finish(nil)
            }
        )
    }

    /// Runs a query when its read models have considered the caller's position.
    ///
    /// - Returns: with the answer, the read models that had not in time.
    private func read<Answer>(
        _ request: Request,
        _ models: Set<String>,
        _ body: () async throws -> Answer
    ) async throws -> (answer: Answer, laggards: Set<String>) {
        guard let position = try Self.position(asked: request) else { return (try await body(), []) }
        return try await progress.reading(models, after: position, timeout: Self.patience) { try await naming($0, body) }
    }

    /// The position of the caller's own writes; nil where none is named.
    private static func position(asked request: Request) throws -> Position? {
        guard let text = request.headers[.after] else { return nil }
        guard text.utf8.allSatisfy((UInt8(ascii: "0")...UInt8(ascii: "9")).contains), let number = Int64(text) else {
            throw Problem.invalid(field: "CoworkFlow-After", "must be a position, as CoworkFlow-Position gives it")
        }
        return Position(number)
    }

    /// Runs a query; a problem says too which read models lag, or its 404 would be taken for the truth.
    private func naming<Answer>(_ laggards: Set<String>, _ body: () async throws -> Answer) async throws -> Answer {
        do {
            return try await body()
        } catch var problem as Problem where !laggards.isEmpty {
            problem.headers[.stale] = Self.header(laggards)
            throw problem
        }
    }

    private static func header(_ laggards: Set<String>) -> String {
        laggards.sorted().joined(separator: ",")
    }

    private func respond(
        to request: Request,
        _ body: [UInt8],
        type: String = "application/json; charset=utf-8",
        _ laggards: Set<String>
    ) -> Response {
        let tag = "W/\"\(Base64URL.encode(SHA256.hash(data: body).prefix(16)))\""
        var headers: HTTPFields = [.eTag: tag]
        if !laggards.isEmpty { headers[.stale] = Self.header(laggards) }
        if Self.knows(tag, request) { return Response(status: .notModified, headers: headers) }
        headers[.contentType] = type
        return Response(status: .ok, headers: headers, body: .init(byteBuffer: ByteBuffer(bytes: body)))
    }

    /// Whether the caller has the body already. Tags are compared weakly (RFC 9110, section 13.1.2).
    private static func knows(_ tag: String, _ request: Request) -> Bool {
        request.headers[values: .ifNoneMatch]
            .flatMap { $0.split(separator: ",") }
            .map { $0.trimmingPrefix(while: \.isWhitespace).reversed().drop(while: \.isWhitespace).reversed() }
            .contains { candidate in
                let text = String(candidate)
                return text == "*" || text == tag || "W/\(text)" == tag
            }
    }

    private static func link(to cursor: Cursor, from request: Request) -> String {
        let others = (request.uri.query ?? "").split(separator: "&").filter { !$0.hasPrefix("cursor=") && $0 != "cursor" }
        return "\(request.uri.path)?" + (others + ["cursor=\(cursor.text)"]).joined(separator: "&")
    }
}
