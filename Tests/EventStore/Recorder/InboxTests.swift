import TestSupport
import Testing

@testable import EventStore

@Suite struct InboxTests {
    @Test func `everything that waits is taken in one go`() async {
        let inbox = Inbox<Int>()
        for number in 1...3 { inbox.put(number) }
        #expect(await inbox.takeAll() == [1, 2, 3])
    }

    @Test func `finished, it hands out what waits and then ends`() async {
        let inbox = Inbox<Int>()
        inbox.put(1)
        inbox.finish()
        #expect(await inbox.takeAll() == [1])
        #expect(await inbox.takeAll() == nil)
    }

    @Test func `a reader that waits ends when it is cancelled`() async throws {
        let inbox = Inbox<Int>()
        let reader = Task { await inbox.takeAll() }
        reader.cancel()
        #expect(try await ending("the reader ends") { await reader.value } == nil)
    }

    @Test func `nothing is lost or doubled between many writers and the reader`() async throws {
        // given
        let inbox = Inbox<Int>()
        // when
        let taken = try await ending("all is taken") {
            await withTaskGroup { group in
                for writer in 0..<8 {
                    group.addTask { for index in 0..<500 { inbox.put(writer * 500 + index) } }
                }
                var taken: [Int] = []
                while taken.count < 4000, let some = await inbox.takeAll() { taken += some }
                return taken
            }
        }
        // then
        #expect(taken.sorted() == Array(0..<4000))
        for writer in 0..<8 {
            let mine = taken.filter { $0 / 500 == writer }
            #expect(mine == mine.sorted())
        }
    }
}
