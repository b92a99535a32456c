import AMQP
import FoundationEssentials
import Postgres
import TestSupport
import Testing

@testable import EventStore

/// The subscription against a mailbox that the test fills.
@Suite struct SubscriptionTests {
    /// Records single events and gives the batch that would announce each.
    private struct Source: ~Copyable {
        let world: TestWorld
        var writer: LogWriter
        var count: Int32 = 0

        init(_ world: TestWorld) async throws {
            self.world = world
            writer = try await world.takeOver()
        }

        /// - Parameter contexts: one batch each.
        mutating func record(_ contexts: String...) async throws -> [EventBatch] {
            var batches: [EventBatch] = []
            for context in contexts {
                let written = try await writer.write([.sample(["s": count], type: "\(context).X")], now: systemClock())
                count += 1
                batches.append(try #require(EventBatch(written)))
            }
            return batches
        }
    }

    /// Starts a subscription and waits until it has begun to catch up with the empty log. It may still read what is recorded next; once it
    /// has applied something, it lives on announcements.
    private func follow(_ world: TestWorld, contexts: Set<String>? = nil) async throws -> Mailbox {
        let mailbox = Mailbox()
        let target = try await RecordingTarget(contexts: contexts, world: world)
        world.start(Subscription(target, mailbox: mailbox, reader: world.reader, logger: quiet))
        try await eventually("the subscription has begun") { try await RecordingTarget.position(world) != nil }
        return mailbox
    }

    private func expectApplied(_ positions: [Int64], through end: Int64, in world: TestWorld) async throws {
        try await eventually("the checkpoint is at \(end)") { try await RecordingTarget.position(world) == end }
        #expect(try await RecordingTarget.applied(world) == positions)
    }

    @Test func `announcements in order are applied as they come`() async throws {
        try await TestWorld.run(broker: false) { world in
            let mailbox = try await follow(world)
            var source = try await Source(world)
            for batch in try await source.record("a", "b", "a") { mailbox.put(batch) }
            try await expectApplied([1, 2, 3], through: 3, in: world)
            await source.writer.close()
        }
    }

    @Test func `lost, repeated and reordered announcements do no harm`() async throws {
        try await TestWorld.run(broker: false) { world in
            let mailbox = try await follow(world)
            var source = try await Source(world)
            // when the second is lost, the third comes twice, the fifth before the fourth
            let batches = try await source.record("a", "a", "a", "a", "a", "a")
            for index in [0, 2, 2, 4, 3, 0, 5] { mailbox.put(batches[index]) }
            // then
            try await expectApplied([1, 2, 3, 4, 5, 6], through: 6, in: world)
            await source.writer.close()
        }
    }

    @Test func `of several contexts one whose announcement was lost is noticed by the next of another`() async throws {
        try await TestWorld.run(broker: false) { world in
            let mailbox = try await follow(world, contexts: ["a", "b"])
            var source = try await Source(world)
            // given
            for batch in try await source.record("b") { mailbox.put(batch) }
            try await expectApplied([1], through: 1, in: world)
            // when the announcement of "a" is lost
            let batches = try await source.record("a", "c", "b")
            mailbox.put(batches[2])
            // then
            try await expectApplied([1, 2, 4], through: 4, in: world)
            await source.writer.close()
        }
    }

    @Test func `a batch of other contexts does not carry the checkpoint past what was lost`() async throws {
        try await TestWorld.run(broker: false) { world in
            let mailbox = try await follow(world, contexts: ["a"])
            var source = try await Source(world)
            // given
            for batch in try await source.record("a") { mailbox.put(batch) }
            try await expectApplied([1], through: 1, in: world)
            // when the announcement of "a" is lost, and the feed hears "b" as well
            let batches = try await source.record("a", "b")
            mailbox.put(batches[1])
            // then
            try await expectApplied([1, 2], through: 3, in: world)
            await source.writer.close()
        }
    }

    @Test func `hearing nothing, it looks at the log`() async throws {
        try await TestWorld.run(broker: false) { world in
            let mailbox = try await follow(world, contexts: ["a"])
            var source = try await Source(world)
            // given
            for batch in try await source.record("a") { mailbox.put(batch) }
            try await expectApplied([1], through: 1, in: world)
            // when
            _ = try await source.record("b", "a")
            mailbox.ring()
            // then
            try await expectApplied([1, 3], through: 3, in: world)
            await source.writer.close()
        }
    }

    @Test(arguments: 0..<4 as Range<UInt64>)
    func `any announcements in any order: each event is applied once, in order`(_ seed: UInt64) async throws {
        try await TestWorld.run(broker: false) { world in
            // given
            var generator = SeededGenerator(seed: seed)
            let mailbox = try await follow(world, contexts: ["a", "b"])
            var source = try await Source(world)
            var wanted: [Int64] = []
            var heard: [EventBatch] = []
            // when
            for round in 1...40 as ClosedRange<Int64> {
                let context = ["a", "b", "c"].randomElement(using: &generator) ?? "a"
                if context != "c" { wanted.append(round) }
                heard += try await source.record(context)
                for _ in 0..<Int.random(in: 0...2, using: &generator) {
                    // The latest mostly, or an old one.
                    let index = Bool.random(using: &generator) ? heard.count - 1 : Int.random(in: 0..<heard.count, using: &generator)
                    mailbox.put(heard[index])
                }
                if round % 8 == 0 { mailbox.ring() }
            }
            mailbox.ring()
            // then
            try await eventually("everything is considered") {
                mailbox.ring()
                return try await RecordingTarget.position(world) == 40
            }
            #expect(try await RecordingTarget.applied(world) == wanted)
            await source.writer.close()
        }
    }

    @Test func `what cannot be applied holds the subscription, and is tried again`() async throws {
        struct Poison: Error {}
        try await TestWorld.run(broker: false) { world in
            // given a target that fails twice at position 2
            let failures = Shared(0)
            let mailbox = Mailbox()
            let target = try await RecordingTarget(world: world) { events, _ in
                if events.contains(where: { $0.position == Position(2) }),
                    failures.withLock({
                        $0 += 1; return $0
                    }) <= 2
                {
                    throw Poison()
                }
            }
            world.start(Subscription(target, mailbox: mailbox, reader: world.reader, logger: quiet))
            var source = try await Source(world)
            // when
            for batch in try await source.record("a", "a", "a") { mailbox.put(batch) }
            // then
            try await expectApplied([1, 2, 3], through: 3, in: world)
            #expect(failures.value >= 3)
            await source.writer.close()
        }
    }

    @Test func `halted, it says so once, keeps its lease, and goes on when it is released or its patience ends`() async throws {
        try await TestWorld.run(broker: false) { world in
            // given a target that halts at position 2
            let (isReleased, tries) = (Shared(false), Shared(0))
            let target = try await RecordingTarget(
                world: world, lease: .seconds(3), released: isReleased,
                beforeApply: { events, _ in
                    if let event = events.first(where: { $0.position == Position(2) }), !isReleased.value {
                        tries.withLock { $0 += 1 }
                        throw SubscriptionHalted(at: event.position, because: "no")
                    }
                }
            )
            let said = Shared<[String]>([])
            let mailbox = Mailbox()
            let patience = Backoff(first: .milliseconds(1200), longest: .milliseconds(1200))
            world.start(
                Subscription(
                    target, mailbox: mailbox, reader: world.reader, patience: patience, logger: RecordingLog.logger(into: said)
                )
            )
            var source = try await Source(world)
            let batches = try await source.record("a", "a", "a")
            // when
            for batch in batches { mailbox.put(batch) }
            try await eventually("it has tried again by itself, with announcements or without") {
                mailbox.put(batches[2])
                return tries.value >= 3
            }
            // then
            #expect(said.value.filter { $0.contains("halted") }.count == 1)
            #expect(try await RecordingTarget(world: world).acquire() == nil)
            // when
            isReleased.withLock { $0 = true }
            // then
            try await eventually("it goes on") {
                mailbox.ring()
                return try await RecordingTarget.position(world) == 3
            }
            #expect(try await RecordingTarget.applied(world) == [1, 2, 3])
            await source.writer.close()
        }
    }

    @Test func `a halted subscription ends when its feed ends`() async throws {
        try await TestWorld.run(broker: false) { world in
            let mailbox = Mailbox()
            let target = try await RecordingTarget(world: world) { _, _ in throw SubscriptionHalted(at: Position(1), because: "no") }
            try await world.record([.sample(["s": 0])])
            let running = world.start(Subscription(target, mailbox: mailbox, reader: world.reader, logger: quiet))
            try await eventually("it follows") { try await RecordingTarget.position(world) != nil }
            mailbox.close()
            try await ending("it ends") { try await running.end() }
        }
    }

    @Test func `a subscription ends when its feed ends`() async throws {
        try await TestWorld.run(broker: false) { world in
            let mailbox = Mailbox()
            let acquired = Shared(0)
            struct Counting: SubscriptionTarget {
                let name = "counting"
                let contexts: Set<String>? = nil
                let acquired: Shared<Int>
                func acquire() async throws -> Position? {
                    acquired.withLock { $0 += 1 }
                    return .start
                }
                func apply(_ events: [RecordedEvent], after position: Position, through end: Position) async throws {}
                func isReleased(from halt: SubscriptionHalted) async throws -> Bool { false }
                func release() async throws {}
            }
            let running = world.start(
                Subscription(Counting(acquired: acquired), mailbox: mailbox, reader: world.reader, logger: quiet)
            )
            try await eventually("it follows") { acquired.value == 1 }
            mailbox.close()
            try await ending("it ends") { try await running.end() }
            #expect(acquired.value == 1)
        }
    }

    @Test func `while another replica runs, announcements do not make this one ask for its turn each time`() async throws {
        try await TestWorld.run(broker: false) { world in
            // given
            let (mailbox, asked) = (Mailbox(), Shared(0))
            struct Waiting: SubscriptionTarget {
                let name = "waiting"
                let contexts: Set<String>? = nil
                let asked: Shared<Int>
                func acquire() async throws -> Position? {
                    asked.withLock { $0 += 1 }
                    return nil
                }
                func apply(_ events: [RecordedEvent], after position: Position, through end: Position) async throws {}
                func isReleased(from halt: SubscriptionHalted) async throws -> Bool { false }
                func release() async throws {}
            }
            let batch = try #require(EventBatch(try await world.record([.sample(["s": 0])])))
            world.start(Subscription(Waiting(asked: asked), mailbox: mailbox, reader: world.reader, logger: quiet))
            // when something is announced every ten milliseconds
            var announced = 0
            try await eventually("its turn is asked for again") {
                mailbox.put(batch)
                announced += 1
                return asked.value >= 3
            }
            // then
            #expect(announced > 20)
        }
    }

    @Test func `a replica that stops gives its lease back, so the next need not wait for its end`() async throws {
        try await TestWorld.run(broker: false) { world in
            // given a replica with a lease far longer than the test
            let first = Mailbox()
            let running = world.start(
                Subscription(
                    try await RecordingTarget(world: world, lease: .seconds(3600)),
                    mailbox: first,
                    reader: world.reader,
                    logger: quiet
                )
            )
            try await eventually("it runs") { try await RecordingTarget.position(world) != nil }
            // when it ends in order
            first.close()
            try await running.end()
            // then another one may run at once
            let next = try await RecordingTarget(world: world, lease: .seconds(3600))
            #expect(try await next.acquire() == .start)
            // and only the one that runs gives the lease back
            try await RecordingTarget(world: world).release()
            #expect(try await RecordingTarget(world: world).acquire() == nil)
        }
    }

    @Test func `two replicas: one runs, the other takes over when it stops, and no event is applied twice`() async throws {
        try await TestWorld.run(broker: false) { world in
            // given
            let mailboxes = [Mailbox(), Mailbox()]
            var running: [Running] = []
            for mailbox in mailboxes {
                let target = try await RecordingTarget(world: world, lease: .milliseconds(700))
                running.append(world.start(Subscription(target, mailbox: mailbox, reader: world.reader, logger: quiet)))
                try await eventually("one runs") { try await RecordingTarget.position(world) != nil }
            }
            var source = try await Source(world)
            // when
            for batch in try await source.record("a", "a", "a") { for mailbox in mailboxes { mailbox.put(batch) } }
            try await expectApplied([1, 2, 3], through: 3, in: world)
            await running[0].stop()
            for batch in try await source.record("a", "a") { for mailbox in mailboxes { mailbox.put(batch) } }
            // then
            try await eventually("the other goes on") {
                mailboxes[1].ring()
                return try await RecordingTarget.position(world) == 5
            }
            #expect(try await RecordingTarget.applied(world) == [1, 2, 3, 4, 5])
            await source.writer.close()
        }
    }

    @Test func `a replica that was slow past its lease finds its checkpoint moved, and nothing of it lands`() async throws {
        try await TestWorld.run(broker: false) { world in
            // given a replica that is stuck while it applies the first event
            let stuck = Mailbox()
            let (release, bell) = AsyncStream.makeStream(of: Void.self)
            let slow = try await RecordingTarget(world: world, lease: .milliseconds(300)) { events, _ in
                if !events.isEmpty { for await _ in release { break } }
            }
            world.start(Subscription(slow, mailbox: stuck, reader: world.reader, logger: quiet))
            try await eventually("it has begun") { try await RecordingTarget.position(world) != nil }
            var source = try await Source(world)
            for batch in try await source.record("a", "a") { stuck.put(batch) }
            // when another takes over
            let mailbox = Mailbox()
            let quick = try await RecordingTarget(world: world, lease: .milliseconds(300))
            world.start(Subscription(quick, mailbox: mailbox, reader: world.reader, logger: quiet))
            try await eventually("the other has applied both") {
                mailbox.ring()
                return try await RecordingTarget.position(world) == 2
            }
            bell.finish()
            for batch in try await source.record("a") { mailbox.put(batch); stuck.put(batch) }
            // then
            try await eventually("someone goes on") {
                mailbox.ring()
                stuck.ring()
                return try await RecordingTarget.position(world) == 3
            }
            #expect(try await RecordingTarget.applied(world) == [1, 2, 3])
            await source.writer.close()
        }
    }

    @Test func `a checkpoint moves only from where its mover left it, and only by the owner of the lease`() async throws {
        try await TestWorld.run(broker: false) { world in
            let connection = try await world.connection(.service)
            let mine = Checkpoint(table: .policies, name: "p", replica: UUID(), lease: .seconds(5))
            let other = Checkpoint(table: .policies, name: "p", replica: UUID(), lease: .seconds(5))
            try await connection.run { connection in
                #expect(try mine.acquire(connection) == .start)
                #expect(try other.acquire(connection) == nil)
                #expect(try mine.acquire(connection) == .start)
                try mine.move(from: .start, to: Position(5), on: connection)
                #expect(throws: CheckpointMoved.self) { try mine.move(from: .start, to: Position(6), on: connection) }
                #expect(throws: CheckpointMoved.self) { try other.move(from: Position(5), to: Position(6), on: connection) }
                #expect(try mine.acquire(connection) == Position(5))
                try connection.execute("update subs.checkpoints set lease_until = clock_timestamp() - interval '1 s'")
                #expect(try other.acquire(connection) == Position(5))
                #expect(throws: CheckpointMoved.self) { try mine.move(from: Position(5), to: Position(6), on: connection) }
            }
        }
    }
}
