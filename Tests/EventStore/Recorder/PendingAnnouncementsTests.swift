import Testing

@testable import EventStore

@Suite struct PendingAnnouncementsTests {
    private func written(_ position: Int64, events: Int64 = 1, payload: String = "{}") -> LogWriter.Written {
        LogWriter.Written(
            outcomes: [], events: (0..<events).map { .sample(position + $0, payload: payload) }, previous: [:],
            elsewhere: Position(position - 1)
        )
    }

    @Test func `what waits goes together, in order`() {
        // given
        var pending = PendingAnnouncements()
        for position in 1...3 as ClosedRange<Int64> { #expect(pending.add(written(position)) == 0) }
        // then
        let batch = pending.takeBatch()
        #expect(batch?.events.map(\.position.rawValue) == [1, 2, 3])
        #expect(pending.takeBatch() == nil)
        #expect(pending.events == 0 && pending.bytes == 0)
    }

    @Test func `a message has a few megabytes, or one batch`() {
        // given
        var pending = PendingAnnouncements()
        for (position, megabytes) in [(1, 3), (2, 1), (3, 5), (4, 0)] as [(Int64, Int)] {
            _ = pending.add(written(position, payload: String(repeating: "x", count: megabytes * 1_000_000)))
        }
        // then
        #expect(pending.takeBatch()?.end == Position(1))
        #expect(pending.takeBatch()?.end == Position(2))
        #expect(pending.takeBatch()?.end == Position(3))
        #expect(pending.takeBatch()?.end == Position(4))
        #expect(pending.bytes == 0)
    }

    @Test(arguments: [(1000, 2), (1, 1_000_000)] as [(Int64, Int)])
    func `what waits is bounded in events and in bytes, and dropped rather than kept`(_ events: Int64, _ bytes: Int) {
        // given
        var pending = PendingAnnouncements()
        let payload = String(repeating: "x", count: bytes)
        var dropped = 0
        // when
        for round in 0..<40 as Range<Int64> {
            dropped += pending.add(written(round * events + 1, events: events, payload: payload))
            // then
            #expect(pending.events <= PendingAnnouncements.maximumEventsWaiting)
            #expect(pending.bytes <= PendingAnnouncements.maximumBytesWaiting)
        }
        #expect(dropped > 0)
        // and what is left begins where a consumer that missed the rest notices
        let first = pending.takeBatch()?.first.rawValue ?? 0
        #expect(first == Int64(dropped) * events + 1)
    }

    @Test func `a batch too large to wait with others waits alone`() {
        var pending = PendingAnnouncements()
        _ = pending.add(written(1))
        #expect(pending.add(written(2, payload: String(repeating: "x", count: 20_000_000))) == 1)
        #expect(pending.takeBatch()?.end == Position(2))
    }
}
