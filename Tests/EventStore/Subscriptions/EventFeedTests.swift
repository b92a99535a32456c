import AMQP
import FoundationEssentials
import Postgres
import TestSupport
import Testing

@testable import EventStore

/// Recorder, broker, feed and subscription together.
@Suite struct EventFeedTests {
    private static func append(_ count: Int32, to stream: String, from version: Int32 = 0, type: String = "a.X", with client: AppendClient)
        async throws
    {
        for version in version..<version + count {
            let id = UUID()
            try await eventually("the append is acknowledged", within: .seconds(20)) {
                let request = AppendRequest.sample([stream: version], type: type, id: id, deadline: systemClock() + 20_000_000)
                guard let outcome = try? await client.append(request) else { return false }
                switch outcome {
                case .accepted, .repeated: return true
                default: throw NeverHappened("\(outcome)")
                }
            }
        }
    }

    /// A feed with one subscription to all.
    private func follow(_ world: TestWorld, name: String = "feed", target: RecordingTarget) async throws -> EventFeed.Queue {
        let queue = EventFeed.Queue(process: name, contexts: target.contexts, broker: world.broker)
        let connection = try await world.connect(name, topology: queue.added(to: world.broker.topology))
        let feed = EventFeed(connection: connection, queue: queue, logger: quiet)
        world.start(Subscription(target, feed: feed, reader: world.reader, logger: quiet))
        world.start(feed)
        return queue
    }

    private func expectAll(_ count: Int64, in world: TestWorld, _ name: String = "target") async throws {
        try await eventually("\(name) has considered \(count)") { try await RecordingTarget.position(world, name) == count }
        #expect(try await RecordingTarget.applied(world, name) == Array(1...count))
    }

    @Test func `a consumer started late catches up, then lives on announcements`() async throws {
        try await TestWorld.run { world in
            // given
            try await world.record((0..<5).map { .sample(["old\($0)": 0], events: 500) })
            try await world.startRecorder()
            let client = try await world.startClient()
            // when
            let live = Shared(0)
            let target = try await RecordingTarget(world: world) { events, _ in
                if let first = events.first, first.position > Position(2500) { live.withLock { $0 += 1 } }
            }
            _ = try await follow(world, target: target)
            try await expectAll(2500, in: world)
            // then an announcement is faster than the second after which it would look by itself
            for round in 0..<5 as Range<Int32> {
                try await Self.append(1, to: "new", from: round, with: client)
                let took = try await duration(of: { try await expectAll(2501 + Int64(round), in: world) })
                #expect(took < .milliseconds(900))
            }
            #expect(live.value == 5)
        }
    }

    @Test func `announcements purged from the queue are made up for`() async throws {
        try await TestWorld.run { world in
            // given
            try await world.startRecorder()
            let client = try await world.startClient()
            let purger = try await world.connect("purger")
            // a queue of the same kind that is not exclusive, so that the test can purge it
            let target = try await RecordingTarget(world: world)
            let queue = EventFeed.Queue(process: "feed", contexts: nil, broker: world.broker)
            var topology = queue.added(to: world.broker.topology)
            topology.queues[topology.queues.count - 1].exclusive = false
            let connection = try await world.connect("feed", topology: topology)
            let feed = EventFeed(connection: connection, queue: queue, logger: quiet)
            world.start(Subscription(target, feed: feed, reader: world.reader, logger: quiet))
            // when announcements pile up, before the feed listens, and are purged
            try await Self.append(10, to: "s", with: client)
            try await eventually("announcements wait") { try await purger.status(ofQueue: queue.name).messageCount == 10 }
            #expect(try await purger.purge(queue: queue.name) == 10)
            world.start(feed)
            try await Self.append(1, to: "s", from: 10, with: client)
            // then
            try await expectAll(11, in: world)
        }
    }

    @Test func `the feed's connection is cut: each event arrives once all the same`() async throws {
        try await TestWorld.run { world in
            // given
            try await world.startRecorder()
            let client = try await world.startClient()
            _ = try await follow(world, target: try await RecordingTarget(world: world))
            try await Self.append(3, to: "s", with: client)
            // when
            async let cutting: Void = world.cut(connectionNamed: "feed")
            try await Self.append(40, to: "s", from: 3, with: client)
            try await cutting
            try await Self.append(3, to: "s", from: 43, with: client)
            // then
            try await expectAll(46, in: world)
        }
    }

    @Test func `a recorder that is stopped between commit and announcement is made up for`() async throws {
        try await TestWorld.run { world in
            // given
            _ = try await follow(world, target: try await RecordingTarget(world: world))
            try await eventually("it follows") { try await RecordingTarget.position(world) == 0 }
            // when events are recorded and nobody says so
            try await world.record([.sample(["s": 0], events: 3)])
            // then
            try await expectAll(3, in: world)
        }
    }

    @Test func `two replicas of a subscription apply each event once, under load and a cut`() async throws {
        try await TestWorld.run { world in
            // given
            try await world.startRecorder()
            let client = try await world.startClient()
            for replica in ["one", "two"] {
                _ = try await follow(world, name: replica, target: try await RecordingTarget(world: world, lease: .seconds(1)))
            }
            // when
            async let cutting: Void = world.cut(connectionNamed: "one")
            try await withThrowingTaskGroup { group in
                for index in 0..<8 { group.addTask { try await Self.append(15, to: "s\(index)", with: client) } }
                try await group.waitForAll()
            }
            try await cutting
            // then
            try await expectAll(120, in: world)
        }
    }

    @Test func `without its queue the feed has nothing to say, and the log is followed all the same`() async throws {
        try await TestWorld.run { world in
            // given a connection that does not declare the queue
            let queue = EventFeed.Queue(process: "feed", contexts: nil, broker: world.broker)
            let feed = EventFeed(connection: try await world.connect("feed"), queue: queue, logger: quiet)
            world.start(Subscription(try await RecordingTarget(world: world), feed: feed, reader: world.reader, logger: quiet))
            world.start(feed)
            try await eventually("it follows") { try await RecordingTarget.position(world) == 0 }
            // when
            try await world.record([.sample(["s": 0], events: 4)])
            // then
            try await expectAll(4, in: world)
        }
    }

    @Test func `contexts that are not wanted are not heard`() async throws {
        try await TestWorld.run { world in
            // given
            try await world.startRecorder()
            let client = try await world.startClient()
            let target = try await RecordingTarget(contexts: ["reservas"], world: world)
            _ = try await follow(world, target: target)
            // when
            try await Self.append(2, to: "p", type: "precos.X", with: client)
            try await Self.append(2, to: "r", type: "reservas.X", with: client)
            try await Self.append(1, to: "p", from: 2, type: "precos.X", with: client)
            // then the checkpoint reaches the head even so, when it is idle
            try await eventually("all is considered") { try await RecordingTarget.position(world) == 5 }
            #expect(try await RecordingTarget.applied(world) == [3, 4])
        }
    }
}
