import Domain
import HTTP
import HTTPTypes
import Logging
import Projections
import ServiceLifecycle
import Synchronization

/// Tells those who watch what happens. However many watch, the read model is asked once; nobody who watches holds a connection.
final class LiveEvents: Service {
    /// What who watches gets.
    enum Item: Sendable {
        case event(LiveEvent)
        /// Nothing for a while: a connection that nobody is at the other end of shows so.
        case heartbeat
    }

    private struct Watcher {
        let identity: Identity
        let sink: AsyncStream<Item>.Continuation
    }

    private struct State {
        var watchers: [UInt64: Watcher] = [:]
        var nextID: UInt64 = 0
        /// Up to where everybody has been told; nil while nobody watches.
        var position: Int64?
        var isOver = false
    }

    /// Somebody watches: what happens after `position` comes.
    struct Watching {
        let id: UInt64
        let items: AsyncStream<Item>
    }

    /// A stretch of what happened and concerns somebody, in order.
    struct Past: Sendable {
        let events: [LiveEvent]
        /// Whether there is more after `end`.
        let isMore: Bool
        let end: Int64
    }

    static let mostOfOnePerson = 6
    private static let mostOfAll = 5_000
    /// Who does not keep up is let go: they come back with the last that they have.
    private static let buffer = 256
    private static let page = 500
    private static let pause = Duration.milliseconds(250)
    /// In pauses: fifteen seconds.
    private static let looksPerHeartbeat = 60

    private let queries: NotificacoesQueries
    private let logger: Logger
    private let state = Mutex(State())

    init(queries: NotificacoesQueries, logger: Logger) {
        self.queries = queries
        self.logger = logger
    }

    /// Begins to watch: whatever is not in the read model when this returns will come.
    ///
    /// - Throws: 429 for who watches too often already, 503 where too many do.
    func watch(_ identity: Identity) async throws -> Watching {
        // Where nobody has watched, everybody is told from here on.
        let beginning = try await queries.considered()
        let (items, sink) = AsyncStream.makeStream(of: Item.self, bufferingPolicy: .bufferingOldest(Self.buffer))
        let result = state.withLock { state -> Result<UInt64, Problem> in
            guard !state.isOver, state.watchers.count < Self.mostOfAll else { return .failure(.unavailable) }
            guard state.watchers.values.count(where: { $0.identity.user == identity.user }) < Self.mostOfOnePerson else {
                return .failure(.tooManyStreams)
            }
            state.position = state.position ?? beginning
            state.nextID += 1
            state.watchers[state.nextID] = Watcher(identity: identity, sink: sink)
            return .success(state.nextID)
        }
        return Watching(id: try result.get(), items: items)
    }

    func end(_ watching: Watching) {
        let watcher = state.withLock { state in
            let watcher = state.watchers.removeValue(forKey: watching.id)
            if state.watchers.isEmpty { state.position = nil }
            return watcher
        }
        watcher?.sink.finish()
    }

    /// What happened after a position and concerns somebody, in order; at most the first few hundred, so that who asks goes on from
    /// the last until there are no more.
    func past(after position: Int64, for identity: Identity) async throws -> Past {
        let page = try await queries.activity(after: position, limit: Self.page)
        let events = try page.map(LiveEvent.init).filter { $0.concerns(identity) }
        return Past(events: events, isMore: page.count == Self.page, end: page.last?.position ?? position)
    }

    func considered() async throws -> Int64 {
        try await queries.considered()
    }

    /// Looks while somebody watches, until the task is cancelled or the service group shuts down; then nobody watches any more.
    func run() async throws {
        await cancelWhenGracefulShutdown {
            var isFailing = false
            var looks = 0
            while !Task.isCancelled {
                looks += 1
                if looks.isMultiple(of: Self.looksPerHeartbeat) { self.give(.heartbeat) { _ in true } }
                do {
                    try await self.look()
                    isFailing = false
                } catch {
                    // Once a stretch of failures.
                    if !isFailing { self.logger.warning("cannot see what happens", metadata: ["error": "\(error)"]) }
                    isFailing = true
                }
                try? await Task.sleep(for: Self.pause)
            }
        }
        let watchers = state.withLock { state in
            state.isOver = true
            defer { state.watchers = [:] }
            return state.watchers
        }
        for watcher in watchers.values { watcher.sink.finish() }
    }

    private func look() async throws {
        guard var position = state.withLock({ $0.position }) else { return }
        while true {
            let page = try await queries.activity(after: position, limit: Self.page)
            for activity in page {
                let event = try LiveEvent(activity)
                give(.event(event)) { event.concerns($0) }
            }
            guard let last = page.last?.position else { return }
            position = last
            state.withLock { state in
                if state.position != nil { state.position = last }
            }
            if page.count < Self.page { return }
        }
    }

    private func give(_ item: Item, to concerns: (Identity) -> Bool) {
        let concerned = state.withLock { $0.watchers }.filter { concerns($0.value.identity) }
        for (id, watcher) in concerned {
            guard case .dropped = watcher.sink.yield(item) else { continue }
            watcher.sink.finish()
            state.withLock { $0.watchers[id] = nil }
        }
    }
}

extension Problem {
    static let tooManyStreams: Problem = {
        var problem = Problem(
            .tooManyRequests, code: "too_many_streams", detail: "You watch in \(LiveEvents.mostOfOnePerson) places already: close one."
        )
        problem.retryAfter = 5
        return problem
    }()
}
