import Domain
import HTTP
import HTTPTypes
import Hummingbird
import NIOCore
import Postgres
import ServiceLifecycle

/// What happens, while it happens: server-sent events (HTML, section 9.2).
struct LiveRoutes: Sendable {
    /// No longer than an access token lasts: who watches on comes back with a new one.
    private static let longest = Duration.seconds(15 * 60)

    let live: LiveEvents
    let ended: EndedSessions

    func add(to doors: Doors) {
        doors.members.get("events", use: watch)
    }

    /// Goes on after `Last-Event-ID`, which a browser sends when it comes back; without one it begins with what happens next.
    @Sendable private func watch(_ request: Request, _ context: CoworkRequestContext) async throws -> Response {
        let identity = try context.signedIn()
        let last = try Self.lastEventID(request)
        let headers: HTTPFields = [.contentType: "text/event-stream; charset=utf-8", .cacheControl: "no-store", .buffering: "no"]
        guard request.method != .head else { return Response(status: .ok, headers: headers) }
        // First, so that nothing falls between what is looked up and what is told.
        let watching = try await live.watch(identity)
        let beginning: Int64
        let past: LiveEvents.Past
        do {
            if let last { beginning = last } else { beginning = try await live.considered() }
            // Before the answer begins: where there is nothing to read yet, that is what is answered, not a stream that breaks.
            past = try await live.past(after: beginning, for: identity)
        } catch {
            live.end(watching)
            throw error
        }
        return Response(
            status: .ok,
            headers: headers,
            body: ResponseBody { writer in
                defer { live.end(watching) }
                // Who goes away frees their place at once, not when a heartbeat finds nobody.
                try await request.body.consumeWithInboundCloseHandler { _ in
                    // A server that stops waits for answers to end, and this one would not.
                    try await withGracefulShutdownHandler {
                        try await write(watching, to: identity, from: beginning, past, &writer)
                    } onGracefulShutdown: {
                        live.end(watching)
                    }
                } onInboundClosed: {
                    live.end(watching)
                }
                try await writer.finish(nil)
            }
        )
    }

    private static func lastEventID(_ request: Request) throws(Problem) -> Int64? {
        guard let text = request.headers[.lastEventID], !text.isEmpty else { return nil }
        guard let position = Int64(text), position >= 0 else {
            throw .invalid(field: "Last-Event-ID", "must be the id of an event that came before")
        }
        return position
    }

    private func write(
        _ watching: LiveEvents.Watching,
        to identity: Identity,
        from beginning: Int64,
        _ first: LiveEvents.Past,
        _ writer: inout any ResponseBodyWriter
    ) async throws {
        // Told even where nothing happens: the client knows that it watches, and from where it can come back.
        try await writer.write(ByteBuffer(string: "retry: 2000\nid: \(beginning)\nevent: ready\ndata: {}\n\n"))
        var past = first
        while true {
            for event in past.events { try await writer.write(ByteBuffer(string: event.text)) }
            guard past.isMore else { break }
            do {
                past = try await live.past(after: past.end, for: identity)
            } catch let error as PostgresError where error.isPassing {
                // Too late to say so, but not to end the stream as it always ends: who watches comes back with the last that they have.
                return
            }
        }
        var position = past.end
        let until = ContinuousClock.now + Self.longest
        for await item in watching.items {
            guard ContinuousClock.now < until, !ended.contains(identity) else { return }
            switch item {
            case .event(let event) where event.position > position:
                try await writer.write(ByteBuffer(string: event.text))
                position = event.position
            case .event: continue
            case .heartbeat: try await writer.write(ByteBuffer(string: ": \n\n"))
            }
        }
    }
}

extension HTTPField.Name {
    static let lastEventID = Self.known("Last-Event-ID")
    /// Tells nginx to pass on what comes as it comes.
    static let buffering = Self.known("X-Accel-Buffering")
}
