import FoundationEssentials
import TestSupport
import Testing

@testable import EventStore

@Suite struct MailboxTests {
    private func batch(_ position: Int64, events: Int = 1) throws -> EventBatch {
        try #require(
            EventBatch(events: (0..<Int64(events)).map { .sample(position + $0) }, previous: ["reservas": Position(position - 1)])
        )
    }

    @Test func `batches wait in their order, a ring alone brings none`() async throws {
        // given
        let mailbox = Mailbox()
        // when
        mailbox.put(try batch(1))
        mailbox.put(try batch(2))
        // then
        #expect(await mailbox.takeAll()?.map(\.end.rawValue) == [1, 2])
        // when
        mailbox.ring()
        // then
        #expect(await mailbox.takeAll() == [])
    }

    @Test func `full, it forgets the oldest`() async throws {
        // given
        let mailbox = Mailbox()
        // when
        for position in 1...300 as ClosedRange<Int64> { mailbox.put(try batch(position)) }
        // then
        let kept = try #require(await mailbox.takeAll())
        #expect(kept.count == 256)
        #expect(kept.last?.end == Position(300))
        #expect(kept.first?.end == Position(45))
    }

    @Test func `it holds a bounded number of events, and the newest batch in any case`() async throws {
        // given
        let mailbox = Mailbox()
        // when
        for index in 0..<20 as Range<Int64> { mailbox.put(try batch(index * 1000 + 1, events: 1000)) }
        // then
        let kept = try #require(await mailbox.takeAll())
        #expect(kept.reduce(0) { $0 + $1.events.count } <= 8000)
        #expect(kept.last?.end == Position(20_000))
        // when
        mailbox.put(try batch(1, events: 9000))
        // then
        #expect(await mailbox.takeAll()?.count == 1)
    }

    @Test func `it holds a bounded number of bytes, and the newest batch in any case`() async throws {
        // given
        let mailbox = Mailbox()
        let payload = String(repeating: "x", count: 1_000_000)
        func heavy(_ position: Int64, megabytes: Int64 = 1) throws -> EventBatch {
            try #require(EventBatch(events: (0..<megabytes).map { .sample(position + $0, payload: payload) }, previous: [:]))
        }
        // when
        for position in 1...40 as ClosedRange<Int64> { mailbox.put(try heavy(position)) }
        // then
        let kept = try #require(await mailbox.takeAll())
        #expect(kept.reduce(0) { $0 + $1.size } <= Mailbox.maximumBytes)
        #expect(kept.count == Mailbox.maximumBytes / (payload.utf8.count + 2))
        #expect(kept.last?.end == Position(40))
        // when
        mailbox.put(try heavy(1, megabytes: 20))
        // then
        #expect(await mailbox.takeAll()?.count == 1)
        // and what was taken does not count any more
        for position in 1...10 as ClosedRange<Int64> { mailbox.put(try heavy(position)) }
        #expect(await mailbox.takeAll()?.count == 10)
    }

    @Test func `closed, it ends its reader`() async throws {
        let mailbox = Mailbox()
        mailbox.put(try batch(1))
        mailbox.close()
        #expect(await mailbox.takeAll() == nil)
    }

    @Test func `a reader that waits ends when it is cancelled`() async throws {
        let mailbox = Mailbox()
        let reader = Task { await mailbox.takeAll() }
        reader.cancel()
        #expect(try await ending("the reader ends") { await reader.value } == nil)
    }

    @Test func `nothing is lost between writers and a reader`() async throws {
        // given
        let mailbox = Mailbox()
        let counts = Shared(0)
        // when
        try await ending("200 batches are taken") {
            try await withThrowingTaskGroup { group in
                for writer in 0..<4 as Range<Int64> {
                    group.addTask {
                        for index in 1...50 as ClosedRange<Int64> { mailbox.put(try self.batch(writer * 50 + index)) }
                    }
                }
                while counts.value < 200, let taken = await mailbox.takeAll() {
                    counts.withLock { $0 += taken.count }
                }
                try await group.waitForAll()
            }
        }
        // then
        #expect(counts.value == 200)
    }
}
