import AMQP
import FoundationEssentials
import TestSupport
import Testing

@testable import EventStore

/// Recorder, broker and followers of one context, of several and of all, in trouble: whatever happens to announcements, each of
/// them applies what the log has for it, once and in order.
@Suite struct FollowerTests {
    enum Trouble: CaseIterable, Sendable {
        case none
        case repeatedAndReordered
        case purged
        case cut
        case away
        case recorderGoneBeforeAnnouncing
    }

    private static let followers: [String: Set<String>?] = ["one": ["a"], "several": ["a", "b"], "all": nil]

    /// Commands of three contexts, in turn.
    private func append(_ count: Int, named name: String, with client: AppendClient) async throws {
        try await withThrowingTaskGroup { group in
            for (number, context) in ["a", "b", "c"].enumerated() {
                group.addTask {
                    for index in 0..<count / 3 {
                        let id = UUID()
                        try await eventually("the append is acknowledged", within: .seconds(30)) {
                            let request = AppendRequest.sample(
                                ["\(name)-\(number)-\(index)": 0], type: "\(context).X", id: id, deadline: systemClock() + 20_000_000
                            )
                            switch try? await client.append(request) {
                            case .accepted, .repeated: return true
                            case nil: return false
                            case .some(let outcome): throw NeverHappened("\(outcome)")
                            }
                        }
                    }
                }
            }
            try await group.waitForAll()
        }
    }

    /// One follower, and what it listens to.
    private struct Follower {
        let name: String
        let queue: EventFeed.Queue
        let connection: AMQPConnection
        var running: [Running] = []
    }

    private func follower(_ world: TestWorld, _ name: String) async throws -> Follower {
        let queue = EventFeed.Queue(process: name, contexts: Self.followers[name] ?? nil, broker: world.broker)
        var topology = queue.added(to: world.broker.topology)
        // So that the test can purge it, and that it stays while nobody listens.
        topology.queues[topology.queues.count - 1].exclusive = false
        topology.queues[topology.queues.count - 1].autoDelete = false
        return Follower(name: name, queue: queue, connection: try await world.connect(name, topology: topology))
    }

    private func listen(_ world: TestWorld, _ follower: Follower) async throws -> Follower {
        let feed = EventFeed(connection: follower.connection, queue: follower.queue, logger: quiet)
        let target = try await RecordingTarget(
            follower.name, contexts: Self.followers[follower.name] ?? nil, world: world, lease: .seconds(1)
        )
        var listening = follower
        listening.running = [world.start(Subscription(target, feed: feed, reader: world.reader, logger: quiet)), world.start(feed)]
        return listening
    }

    /// Has announcements pile up, and be thrown away.
    private func purge(_ followers: [Follower], in world: TestWorld, with client: AppendClient) async throws {
        let purger = try await world.connect("purger")
        for running in followers.flatMap(\.running) { await running.stop() }
        try await append(300, named: "meanwhile", with: client)
        for follower in followers {
            try await eventually("announcements wait for \(follower.name)") {
                try await purger.status(ofQueue: follower.queue.name).messageCount > 0
            }
            #expect(try await purger.purge(queue: follower.queue.name) > 0)
        }
        for follower in followers { _ = try await listen(world, follower) }
    }

    @Test(arguments: Trouble.allCases)
    func `every follower ends with exactly what the log has for it`(_ trouble: Trouble) async throws {
        try await TestWorld.run { world in
            // given
            let recorder = try await world.startRecorder()
            let client = try await world.startClient()
            var followers: [Follower] = []
            for name in Self.followers.keys.sorted() { followers.append(try await listen(world, try await follower(world, name))) }
            try await append(60, named: "before", with: client)
            // when
            switch trouble {
            case .none: try await append(300, named: "meanwhile", with: client)
            case .repeatedAndReordered:
                try await append(300, named: "meanwhile", with: client)
                try await announceAgain(in: world)
            case .purged: try await purge(followers, in: world, with: client)
            case .cut:
                async let appending: Void = append(300, named: "meanwhile", with: client)
                for follower in followers { try await world.cut(connectionNamed: follower.name) }
                try await appending
            case .away:
                for running in followers.flatMap(\.running) { await running.stop() }
                // As many as an hour may bring.
                try await world.record((0..<3000).map { .sample(["away\($0)": 0], type: "\(["a", "b", "c"][$0 % 3]).X") })
                try await append(90, named: "meanwhile", with: client)
                for follower in followers { _ = try await listen(world, follower) }
            case .recorderGoneBeforeAnnouncing:
                await recorder.stop()
                try await world.record((0..<30).map { .sample(["unheard\($0)": 0], type: "\(["a", "b", "c"][$0 % 3]).X") })
                try await world.startRecorder("successor")
            }
            try await append(60, named: "after", with: client)
            // then
            let events = try await world.expectSoundLog()
            let head = try #require(events.last).position.rawValue
            for (name, contexts) in Self.followers {
                try await eventually("\(name) has considered everything", within: .seconds(30)) {
                    try await RecordingTarget.position(world, name) == head
                }
                let wanted = events.filter { contexts?.contains($0.context) ?? true }.map(\.position.rawValue)
                #expect(try await RecordingTarget.applied(world, name) == wanted)
            }
        }
    }

    /// Announces the log's events once more, the last first, in batches of their own.
    private func announceAgain(in world: TestWorld) async throws {
        let publisher = try await world.connect("publisher")
        let events = try await world.history().map(\.event)
        for start in stride(from: 0, to: events.count, by: 7).reversed() {
            let batch = Array(events[start..<min(start + 7, events.count)])
            let message = try #require(EventBatch(events: batch, previous: [:]))
            for _ in 0..<2 {
                try publisher.publish(message.message, exchange: world.broker.eventsExchange, routingKey: message.routingKey)
            }
        }
    }
}
