import FoundationEssentials
import Postgres
import TestSupport
import Testing

@testable import EventStore

/// Thousands of announcements on their way to followers of different contexts, each of which loses some, hears some twice,
/// late and out of order, and is sometimes too slow for its mailbox.
@Suite struct LossyAnnouncementTests {
    private static let contexts = ["a", "b", "c", "d"]
    private static let followers: [Set<String>?] = [["a"], ["b", "d"], ["a", "b", "c"], nil]
    private static let batches = 2000

    /// What happens between the exchange and one mailbox.
    private struct Channel {
        let mailbox = Mailbox()
        private var late: [(due: Int, batch: EventBatch)] = []
        private var random: SeededGenerator

        init(seed: UInt64) {
            random = SeededGenerator(seed: seed)
        }

        /// - Parameter isWanted: whether the queue's binding lets the batch through.
        mutating func announce(_ batch: EventBatch, number: Int, isWanted: Bool) {
            for (_, batch) in late.filter({ $0.due <= number }).shuffled(using: &random) { mailbox.put(batch) }
            late.removeAll { $0.due <= number }
            // A feed shared by several subscriptions hears more than each of them wants.
            guard isWanted || Int.random(in: 0..<4, using: &random) == 0 else { return }
            switch Int.random(in: 0..<20, using: &random) {
            case 0, 1: break
            case 2, 3:
                mailbox.put(batch)
                late.append((number + Int.random(in: 1...40, using: &random), batch))
            case 4, 5, 6: late.append((number + Int.random(in: 1...5, using: &random), batch))
            default: mailbox.put(batch)
            }
            if Int.random(in: 0..<100, using: &random) == 0 { mailbox.ring() }
        }
    }

    /// Batches of one to three events as the recorder would announce them. What it says of the positions before is computed here
    /// in another way than there.
    private static func batches(of events: [RecordedEvent], random: inout SeededGenerator) throws -> [EventBatch] {
        var rest = events[...]
        var batches: [EventBatch] = []
        while !rest.isEmpty {
            let batch = Array(rest.prefix(Int.random(in: 1...3, using: &random)))
            let before = events.prefix(events.count - rest.count)
            var previous: [String: Position] = [:]
            for context in contexts { previous[context] = before.last { $0.context == context }?.position }
            batches.append(try #require(EventBatch(events: batch, previous: previous, elsewhere: .start)))
            rest = rest.dropFirst(batch.count)
        }
        return batches
    }

    @Test(arguments: [1, 2, 3] as [UInt64])
    func `whatever each of them hears, every follower applies exactly its events, in order`(_ seed: UInt64) async throws {
        try await TestWorld.run(broker: false) { world in
            // given a log that nobody but the test has seen yet, and followers
            var random = SeededGenerator(seed: seed)
            let events = try await Self.plan(in: world, random: &random)
            let batches = try Self.batches(of: events, random: &random)
            var channels: [Channel] = []
            for (number, contexts) in Self.followers.enumerated() {
                let channel = Channel(seed: seed &* 100 &+ UInt64(number))
                channels.append(channel)
                let target = try await RecordingTarget("follower-\(number)", contexts: contexts, world: world)
                world.start(Subscription(target, mailbox: channel.mailbox, reader: world.reader, logger: quiet))
            }
            // when the log grows by stretches, each of which is announced while the followers work
            var recorded = 0
            for (number, batch) in batches.enumerated() {
                if number >= recorded {
                    recorded = min(batches.count, number + Int.random(in: 1...40, using: &random))
                    try await Self.publish(through: batches[recorded - 1].end, in: world)
                }
                let inBatch = Set(batch.events.map(\.context))
                for (index, contexts) in Self.followers.enumerated() {
                    channels[index].announce(batch, number: number, isWanted: contexts.map { !$0.isDisjoint(with: inBatch) } ?? true)
                }
            }
            // then
            let head = try #require(events.last).position.rawValue
            for (number, contexts) in Self.followers.enumerated() {
                let mailbox = channels[number].mailbox
                try await eventually("follower \(number) has considered everything", within: .seconds(60)) {
                    mailbox.ring()
                    return try await RecordingTarget.position(world, "follower-\(number)") == head
                }
                let wanted = events.filter { contexts?.contains($0.context) ?? true }.map(\.position.rawValue)
                #expect(try await RecordingTarget.applied(world, "follower-\(number)") == wanted)
            }
        }
    }

    /// Writes a whole log and hides it: readers go by the writer's head, which stays at the beginning.
    private static func plan(in world: TestWorld, random: inout SeededGenerator) async throws -> [RecordedEvent] {
        let requests = (0..<batches * 2).map { number in
            AppendRequest.sample(["s\(number)": 0], type: "\(contexts.randomElement(using: &random) ?? "a").X")
        }
        let events = try await world.record(requests).events
        try await publish(through: .start, in: world)
        return events
    }

    private static func publish(through position: Position, in world: TestWorld) async throws {
        try await world.admin.run { connection in
            _ = try connection.execute("update log.writer set head = $1", position.rawValue)
        }
    }
}
