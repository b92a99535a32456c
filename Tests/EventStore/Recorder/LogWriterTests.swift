import FoundationEssentials
import Postgres
import Synchronization
import TestSupport
import Testing

@testable import EventStore

@Suite struct LogWriterTests {
    @Test func `a batch is written whole, with its chain, heads and commands`() async throws {
        try await TestWorld.run(broker: false) { world in
            // given
            var writer = try await world.takeOver()
            let conflicting = AppendRequest.sample(["a": 5])
            // when
            let first = try await writer.write([.sample(["a": 0, "b": 0], events: 2), conflicting], now: someTime)
            let second = try await writer.write([.sample(["b": 2]).guarding("a", at: 2)], now: someTime - 1)
            await writer.close()
            // then
            #expect(
                first.outcomes == [
                    .accepted(first: Position(1), last: Position(4)), .conflict(stream: "a", actual: StreamVersion(2)),
                ]
            )
            #expect(second.outcomes == [.accepted(first: Position(5), last: Position(5))])
            let events = try await world.expectSoundLog()
            #expect(events == first.events + second.events)
            #expect(events.map(\.recordedAt) == Array(repeating: someTime, count: 5), "a clock put back does not turn time back")
        }
    }

    @Test func `a batch that says nothing new costs no transaction`() async throws {
        try await TestWorld.run(broker: false) { world in
            var writer = try await world.takeOver()
            let before = try await world.number("select xmin::text::bigint from log.writer")
            let written = try await writer.write([.sample(["a": 1])], now: someTime)
            await writer.close()
            #expect(written.events.isEmpty)
            #expect(try await world.number("select xmin::text::bigint from log.writer") == before, "the writer's row is as it was")
        }
    }

    @Test func `a later writer goes on where the one before stopped`() async throws {
        try await TestWorld.run(broker: false) { world in
            // given
            let first = AppendRequest.sample(["a": 0], events: 2)
            try await world.record([first])
            // when
            let written = try await world.record([first, .sample(["a": 2]), .sample(["a": 0])])
            // then
            #expect(
                written.outcomes == [
                    .repeated(first: Position(1), last: Position(2), sameFingerprint: true),
                    .accepted(first: Position(3), last: Position(3)),
                    .conflict(stream: "a", actual: StreamVersion(3)),
                ]
            )
            try await world.expectSoundLog()
        }
    }

    /// A writer that knows nothing of the streams that are there, and takes requests at their word after its first batch.
    private func trustingWriter(_ world: TestWorld, after requests: [AppendRequest]) async throws -> LogWriter {
        try await world.record(requests)
        var writer = try await world.takeOver()
        _ = try await writer.write([.sample(["other": 0])], now: someTime)
        return writer
    }

    struct Claim: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let request: AppendRequest
        let outcome: AppendOutcome
    }

    /// The stream `a` has two events, `b` has none; positions 1 and 2, then 3 for the writer's first batch.
    private static let claims = [
        Claim(testDescription: "right", request: .sample(["a": 2]), outcome: .accepted(first: Position(4), last: Position(4))),
        Claim(testDescription: "new, and is not", request: .sample(["a": 0]), outcome: .conflict(stream: "a", actual: StreamVersion(2))),
        Claim(testDescription: "behind", request: .sample(["a": 1]), outcome: .conflict(stream: "a", actual: StreamVersion(2))),
        Claim(testDescription: "ahead", request: .sample(["a": 7]), outcome: .conflict(stream: "a", actual: StreamVersion(2))),
        Claim(testDescription: "there, and is not", request: .sample(["b": 1]), outcome: .conflict(stream: "b", actual: .none)),
        Claim(
            testDescription: "guarded rightly",
            request: .sample(["c": 0]).guarding("a", at: 2).guarding("b", at: 0),
            outcome: .accepted(first: Position(4), last: Position(4))
        ),
        Claim(
            testDescription: "guarded where it is behind",
            request: .sample(["c": 0]).guarding("a", at: 1),
            outcome: .conflict(stream: "a", actual: StreamVersion(2))
        ),
        Claim(
            testDescription: "guarded as absent, and is there",
            request: .sample(["c": 0]).guarding("a", at: 0),
            outcome: .conflict(stream: "a", actual: StreamVersion(2))
        ),
        Claim(
            testDescription: "guarded as present, and is not",
            request: .sample(["c": 0]).guarding("b", at: 1),
            outcome: .conflict(stream: "b", actual: .none)
        ),
    ]

    @Test(arguments: claims)
    func `what a request says of a stream that the writer does not know is checked`(_ claim: Claim) async throws {
        try await TestWorld.run(broker: false) { world in
            // given
            var writer = try await trustingWriter(world, after: [.sample(["a": 0], events: 2)])
            // when
            let written = try await writer.write([claim.request], now: someTime)
            let next = try await writer.write([.sample(["next": 0])], now: someTime)
            await writer.close()
            // then
            #expect(written.outcomes == [claim.outcome])
            #expect(next.outcomes.allSatisfy { $0.isAcceptance }, "a wrong claim does not harm what comes after it")
            try await world.expectSoundLog()
        }
    }

    @Test func `one wrong claim in a batch is refused alone`() async throws {
        try await TestWorld.run(broker: false) { world in
            // given
            let repeated = AppendRequest.sample(["a": 0], events: 2)
            var writer = try await trustingWriter(world, after: [repeated])
            // when
            let first = try await writer.write(
                [.sample(["x": 0]), .sample(["y": 0]).guarding("a", at: 1), .sample(["z": 0])], now: someTime)
            let second = try await writer.write([.sample(["x": 1]), repeated], now: someTime)
            await writer.close()
            // then
            #expect(
                first.outcomes == [
                    .accepted(first: Position(4), last: Position(4)), .conflict(stream: "a", actual: StreamVersion(2)),
                    .accepted(first: Position(5), last: Position(5)),
                ]
            )
            #expect(
                second.outcomes == [
                    .accepted(first: Position(6), last: Position(6)),
                    .repeated(first: Position(1), last: Position(2), sameFingerprint: true),
                ]
            )
            try await world.expectSoundLog()
        }
    }

    /// A draft of these requests, to follow another.
    private func draft(
        _ requests: [AppendRequest], by writer: inout LogWriter, after previous: LogWriter.Draft? = nil, now: Int64 = someTime
    ) throws -> LogWriter.Draft {
        let empty = writer.draft(after: previous, now: now)
        var draft = try #require(empty)
        writer.add(requests, to: &draft, after: previous, now: now)
        return draft
    }

    @Test func `a batch is decided on the one before it while that is committed`() async throws {
        try await TestWorld.run(broker: false) { world in
            // given
            var writer = try await trustingWriter(world, after: [.sample(["a": 0])])
            let first = try draft([.sample(["a": 1]), .sample(["b": 0])], by: &writer)
            // when
            let second = try draft([.sample(["a": 2]).guarding("b", at: 1), .sample(["b": 1])], by: &writer, after: first)
            let behind = try draft([.sample(["a": 1])], by: &writer, after: first)
            let landed = try await writer.committer.commit(first)
            _ = writer.advance(to: first)
            let landedToo = try await writer.committer.commit(second)
            let written = writer.advance(to: second)
            await writer.close()
            // then
            #expect(landed && landedToo)
            #expect(
                written.outcomes == [
                    .accepted(first: Position(5), last: Position(5)), .accepted(first: Position(6), last: Position(6)),
                ]
            )
            #expect(!behind.isSound, "what the batch before moves is known")
            try await world.expectSoundLog()
        }
    }

    @Test func `a command that comes again while it is committed is no second one`() async throws {
        try await TestWorld.run(broker: false) { world in
            var writer = try await trustingWriter(world, after: [])
            let request = AppendRequest.sample(["a": 0])
            let first = try draft([request], by: &writer)
            let second = try draft([request], by: &writer, after: first)
            await writer.close()
            #expect(!second.isSound)
        }
    }

    @Test func `what was decided on a batch that failed cannot get into the log`() async throws {
        try await TestWorld.run(broker: false) { world in
            // given a batch that takes a stream for new, and another on it
            var writer = try await trustingWriter(world, after: [.sample(["a": 0])])
            let wrong = try draft([.sample(["a": 0])], by: &writer)
            let onIt = try draft([.sample(["b": 0])], by: &writer, after: wrong)
            // when
            let landed = try await writer.committer.commit(wrong)
            // then
            #expect(!landed)
            let committer = writer.committer
            await #expect(throws: LogWriter.Fenced.self) { _ = try await committer.commit(onIt) }
            await writer.close()
            #expect(try await world.expectSoundLog().map(\.stream) == ["a", "other"])
        }
    }

    @Test func `batches are committed as long as there are any, and none after one that failed`() async throws {
        try await TestWorld.run(broker: false) { world in
            // given two batches, one that takes a stream for new, and one on it
            var writer = try await trustingWriter(world, after: [.sample(["a": 0])])
            var drafts: [LogWriter.Draft] = []
            for stream in ["b", "c", "a", "d"] {
                drafts.append(try draft([.sample([stream: 0])], by: &writer, after: drafts.last))
            }
            let waiting = Mutex(drafts)
            let results = Mutex<[Bool?]>([])
            // when
            await writer.committer.commitAll {
                waiting.withLock { $0.isEmpty ? nil : $0.removeFirst() }
            } landed: { result in
                results.withLock { $0.append(try? result.get()) }
            }
            await writer.close()
            // then
            #expect(results.withLock { $0 } == [true, true, false])
            #expect(waiting.withLock { $0.count } == 1)
            #expect(try await world.expectSoundLog().map(\.stream) == ["a", "other", "b", "c"])
        }
    }

    @Test func `events of one batch are recorded when their requests came, and never before those ahead of them`() async throws {
        try await TestWorld.run(broker: false) { world in
            var writer = try await trustingWriter(world, after: [])
            let first = try draft([.sample(["a": 0])], by: &writer, now: someTime + 5)
            var second = try draft([.sample(["b": 0])], by: &writer, after: first, now: someTime + 3)
            writer.add([.sample(["c": 0])], to: &second, after: first, now: someTime + 9)
            for draft in [first, second] {
                let landed = try await writer.committer.commit(draft)
                #expect(landed)
                _ = writer.advance(to: draft)
            }
            await writer.close()
            #expect(try await world.expectSoundLog().map(\.recordedAt) == [someTime, someTime + 5, someTime + 5, someTime + 9])
        }
    }

    @Test func `positions of contexts before the batch are told, conservatively after a takeover`() async throws {
        try await TestWorld.run(broker: false) { world in
            // given
            try await world.record([.sample(["a": 0], events: 4)])
            var writer = try await world.takeOver()
            // when
            let first = try await writer.write([.sample(["u": 0], type: "usuarios.X")], now: someTime)
            let second = try await writer.write([.sample(["r": 0]), .sample(["u": 1], type: "usuarios.X")], now: someTime)
            let third = try await writer.write([.sample(["p": 0], type: "precos.X")], now: someTime)
            await writer.close()
            // then
            #expect(first.previous == [:])
            #expect(first.elsewhere == Position(4))
            #expect(second.previous == ["usuarios": Position(5)])
            #expect(second.elsewhere == Position(4))
            #expect(third.previous == ["usuarios": Position(7), "reservas": Position(6)])
        }
    }

    @Test func `what is looked up until its deadline has passed is not recorded`() async throws {
        try await TestWorld.run(broker: false) { world in
            // given a look-up that takes long
            let now = Shared<Int64>(someTime)
            try await world.admin.executeScript("begin; lock table log.commands in access exclusive mode")
            let late = Task {
                var writer = try await world.takeOver()
                let request = AppendRequest.sample(["a": 0], deadline: someTime + 1)
                let written = try await writer.writeLookingUp([request, .sample(["b": 0], deadline: someTime + 2)]) { now.value }
                await writer.close()
                return written
            }
            try await world.expectWaiting(1, for: "log.commands")
            // when a deadline passes meanwhile
            now.withLock { $0 = someTime + 2 }
            try await world.admin.executeScript("commit")
            // then
            #expect(try await late.value.outcomes == [.expired, .accepted(first: Position(1), last: Position(1))])
            #expect(try await world.expectSoundLog().map(\.recordedAt) == [someTime + 2])
        }
    }

    @Test func `commits wait for the disk, whatever the configuration says`() async throws {
        try await TestWorld.run(broker: false) { world in
            var careless = world.database
            careless.synchronousCommit = "off"
            careless.options["synchronous_commit"] = "off"
            let connection = try await PostgresConnection.connect(LogWriter.settings(for: careless), logger: quiet)
            let settings = try await connection.run { connection in
                try ["synchronous_commit", "role", "idle_in_transaction_session_timeout"].map { name in
                    try connection.query("select current_setting($1)", name)[0].get(0, String.self)
                }
            }
            await connection.close()
            #expect(settings == ["on", "coworkflow_recorder", "2s"])
            // and a server that says nothing any more is given up while a standby may still take over in time
            let patient = LogWriter.settings(for: careless)
            #expect(patient.deadPeerTimeout == .seconds(2))
            #expect(patient.connectTimeout == .seconds(2))
        }
    }

    @Test func `names at the log's limits are recorded`() async throws {
        try await TestWorld.run(broker: false) { world in
            var generator = SeededGenerator(seed: 7)
            // Random, because Postgres compresses what repeats.
            let stream = String((0..<255).map { _ in Character(Unicode.Scalar(UInt8.random(in: 33...126, using: &generator))) })
            let written = try await world.record([.sample([stream: 0], type: String(repeating: "t", count: 100))])
            #expect(written.outcomes == [.accepted(first: Position(1), last: Position(1))])
        }
    }

    @Test func `a thousand-event batch over many streams is one commit`() async throws {
        try await TestWorld.run(broker: false) { world in
            var writer = try await world.takeOver()
            for round in 0..<3 as Range<Int32> {
                let requests = (0..<100).map { AppendRequest.sample(["s\($0)": round * 10], events: 10) }
                let written = try await writer.write(requests, now: someTime)
                #expect(written.events.count == 1000)
            }
            await writer.close()
            #expect(try await world.expectSoundLog().count == 3000)
            #expect(try await world.number("select count(distinct xmin::text) from log.events") == 3)
        }
    }
}
