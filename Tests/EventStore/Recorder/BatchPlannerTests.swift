import FoundationEssentials
import Testing

@testable import EventStore

@Suite struct BatchPlannerTests {
    private func planner(
        head: Int64 = 0,
        heads: [String: Int32] = [:],
        known: [BatchPlanner.CommandRow] = [],
        recordedAt: Int64? = nil,
        now: Int64 = someTime
    ) -> BatchPlanner {
        BatchPlanner(
            head: Position(head),
            hash: EventHash.origin,
            heads: heads.mapValues { StreamVersion($0) },
            known: known,
            recordedAt: recordedAt ?? now,
            now: now
        )
    }

    @Test func `events get the next positions and versions, in the order of the request`() {
        // given
        var planner = planner(head: 10, heads: ["b": 3])
        // when
        let outcome = planner.decide(.sample(["a": 0, "b": 3], events: 2))
        // then
        #expect(outcome == .accepted(first: Position(11), last: Position(14)))
        #expect(planner.events.map(\.position.rawValue) == [11, 12, 13, 14])
        #expect(planner.events.map(\.stream) == ["a", "a", "b", "b"])
        #expect(planner.events.map(\.version.rawValue) == [1, 2, 4, 5])
        #expect(planner.heads == ["a": StreamVersion(2), "b": StreamVersion(5)])
        #expect(planner.head == Position(14))
        #expect(planner.newCommands.map(\.last) == [Position(14)])
    }

    @Test func `each event's hash continues the one before`() {
        var planner = planner()
        _ = planner.decide(.sample(["a": 0], events: 3))
        var hash = EventHash.origin
        for (event, planned) in zip(planner.events, planner.hashes) {
            hash = EventHash.hash(after: hash, event)
            #expect(planned == hash)
        }
        #expect(planner.hash == hash)
    }

    struct Refusal: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let request: AppendRequest
        let outcome: AppendOutcome
    }

    @Test(arguments: [
        Refusal(
            testDescription: "a version that is behind",
            request: .sample(["a": 1]),
            outcome: .conflict(stream: "a", actual: StreamVersion(2))
        ),
        Refusal(
            testDescription: "a version that is ahead",
            request: .sample(["a": 3]),
            outcome: .conflict(stream: "a", actual: StreamVersion(2))
        ),
        Refusal(
            testDescription: "a new stream that exists",
            request: .sample(["new": 0, "a": 0]),
            outcome: .conflict(stream: "a", actual: StreamVersion(2))
        ),
        Refusal(
            testDescription: "a stream that does not exist",
            request: .sample(["new": 1]),
            outcome: .conflict(stream: "new", actual: .none)
        ),
        Refusal(
            testDescription: "a guard that moved",
            request: .sample(["a": 2]).guarding("rules", at: 4),
            outcome: .conflict(stream: "rules", actual: StreamVersion(5))
        ),
        Refusal(testDescription: "a deadline that passed", request: .sample(["a": 2], deadline: someTime - 1), outcome: .expired),
        Refusal(testDescription: "no stream", request: .sample([:]), outcome: .malformed),
        Refusal(testDescription: "guards only", request: .sample(["a": 2], events: 0), outcome: .malformed),
        Refusal(testDescription: "a stream twice", request: .sample(["a": 2, "a": 2]), outcome: .malformed),
        Refusal(testDescription: "a stream written and guarded", request: .sample(["a": 2]).guarding("a", at: 2), outcome: .malformed),
        Refusal(testDescription: "an empty stream name", request: .sample(["": 0]), outcome: .malformed),
        Refusal(testDescription: "NUL in a stream name", request: .sample(["a\u{0}": 0]), outcome: .malformed),
        Refusal(testDescription: "NUL in a guard's name", request: .sample(["a": 2]).guarding("\u{0}", at: 0), outcome: .malformed),
        Refusal(testDescription: "NUL in a type", request: .sample(["a": 2], type: "x.\u{0}"), outcome: .malformed),
        Refusal(testDescription: "an empty type", request: .sample(["a": 2], type: ""), outcome: .malformed),
        Refusal(testDescription: "a version past the last", request: .sample(["new": .max]), outcome: .malformed),
        Refusal(testDescription: "a negative version", request: .sample(["new": -1]), outcome: .malformed),
        // Postgres' indexes take no key of that size: the whole batch would fail, again and again.
        Refusal(testDescription: "an endless stream name", request: .sample([endless: 0]), outcome: .malformed),
        Refusal(testDescription: "an endless guard's name", request: .sample(["a": 2]).guarding(endless, at: 0), outcome: .malformed),
        // A context names an AMQP header of its announcement.
        Refusal(testDescription: "an endless type", request: .sample(["a": 2], type: endless), outcome: .malformed),
    ])
    func `nothing is planned for`(_ refusal: Refusal) {
        // given
        var planner = planner(head: 9, heads: ["a": 2, "rules": 5])
        let before = planner.hash
        // when
        let outcome = planner.decide(refusal.request)
        // then
        #expect(outcome == refusal.outcome)
        #expect(planner.events.isEmpty)
        #expect(planner.newCommands.isEmpty)
        #expect(planner.head == Position(9))
        #expect(planner.hash == before)
        #expect(planner.heads == ["a": StreamVersion(2), "rules": StreamVersion(5)])
    }

    @Test func `a schema version below one is malformed`() {
        var planner = planner()
        var request = AppendRequest.sample(["a": 0])
        request.streams[0].events[0].schemaVersion = 0
        #expect(planner.decide(request) == .malformed)
    }

    @Test func `a guard that holds lets the append pass and stays where it is`() {
        var planner = planner(heads: ["rules": 5])
        let outcome = planner.decide(.sample(["a": 0]).guarding("rules", at: 5).guarding("closures", at: 0))
        #expect(outcome == .accepted(first: Position(1), last: Position(1)))
        #expect(planner.heads == ["a": StreamVersion(1), "rules": StreamVersion(5)])
    }

    @Test func `requests on one stream follow each other inside a batch`() {
        // given
        var planner = planner()
        // when
        let outcomes = [
            planner.decide(.sample(["a": 0])),
            planner.decide(.sample(["a": 0])),
            planner.decide(.sample(["a": 1], events: 2)),
            planner.decide(.sample(["b": 0]).guarding("a", at: 1)),
            planner.decide(.sample(["b": 0]).guarding("a", at: 3)),
        ]
        // then
        #expect(
            outcomes == [
                .accepted(first: Position(1), last: Position(1)),
                .conflict(stream: "a", actual: StreamVersion(1)),
                .accepted(first: Position(2), last: Position(3)),
                .conflict(stream: "a", actual: StreamVersion(3)),
                .accepted(first: Position(4), last: Position(4)),
            ]
        )
        #expect(planner.events.map(\.version.rawValue) == [1, 2, 3, 1])
    }

    @Test func `a command twice in a batch is recorded once`() {
        // given
        var planner = planner()
        let request = AppendRequest.sample(["a": 0], fingerprint: [1])
        var other = request
        other.fingerprint = [2]
        // when
        let outcomes = [planner.decide(request), planner.decide(request), planner.decide(other)]
        // then
        #expect(
            outcomes == [
                .accepted(first: Position(1), last: Position(1)),
                .repeated(first: Position(1), last: Position(1), sameFingerprint: true),
                .repeated(first: Position(1), last: Position(1), sameFingerprint: false),
            ]
        )
        #expect(planner.events.count == 1)
    }

    @Test func `a command that the log knows is a repeat, even past its deadline or with versions that have moved`() {
        // given
        let id = UUID()
        let row = BatchPlanner.CommandRow(id: id, fingerprint: [7], first: Position(3), last: Position(4))
        var planner = planner(head: 9, heads: ["a": 2], known: [row])
        // then
        #expect(
            planner.decide(.sample(["a": 0], id: id, fingerprint: [7], deadline: 0))
                == .repeated(first: Position(3), last: Position(4), sameFingerprint: true)
        )
        #expect(
            planner.decide(.sample(["a": 2], id: id, fingerprint: [8]))
                == .repeated(first: Position(3), last: Position(4), sameFingerprint: false)
        )
        #expect(planner.events.isEmpty)
    }

    @Test func `a refused command may come again`() {
        var planner = planner()
        let id = UUID()
        #expect(planner.decide(.sample(["a": 1], id: id)) == .conflict(stream: "a", actual: .none))
        #expect(planner.decide(.sample(["a": 0], id: id)) == .accepted(first: Position(1), last: Position(1)))
    }

    @Test func `a recorded time that is ahead of the clock expires nobody`() {
        // given a clock that was put back by an hour after an event was recorded
        var planner = planner(recordedAt: someTime + 3_600_000_000)
        // then what is in time by the clock is accepted, and the log's time does not go back
        #expect(planner.decide(.sample(["a": 0], deadline: someTime + 1)) == .accepted(first: Position(1), last: Position(1)))
        #expect(planner.events.map(\.recordedAt) == [someTime + 3_600_000_000])
    }

    @Test func `a deadline of this very microsecond is still in time`() {
        var planner = planner()
        #expect(planner.decide(.sample(["a": 0], deadline: someTime)) == .accepted(first: Position(1), last: Position(1)))
    }
}

private let endless = String(repeating: "x", count: 3000)
