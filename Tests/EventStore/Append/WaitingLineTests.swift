import TestSupport
import Testing

@testable import EventStore

@Suite struct WaitingLineTests {
    @Test func `a taker gets what waits, up to the limit`() async {
        let line = WaitingLine<Int>(capacity: 10)
        for number in 1...5 { #expect(line.put(number)) }
        #expect(await line.take(atMost: 3) == [1, 2, 3])
        #expect(await line.take(atMost: 3) == [4, 5])
    }

    @Test func `a full line refuses, except those who had a place`() {
        let line = WaitingLine<Int>(capacity: 2)
        #expect(line.put(1))
        #expect(line.put(2))
        #expect(!line.put(3))
        #expect(line.put(4, force: true))
    }

    @Test func `the line is bounded in weight as well`() async {
        // given
        let line = WaitingLine<Int>(capacity: 100, maximumWeight: 10) { $0 }
        // then
        #expect(line.put(6))
        #expect(!line.put(5))
        #expect(line.put(4))
        // when
        #expect(await line.take(atMost: 10) == [6, 4])
        // then an element too heavy for any line may stand alone in it
        #expect(line.put(50))
        #expect(!line.put(1))
    }

    @Test func `a taker takes no more than a weight, but one element in any case`() async {
        let line = WaitingLine<Int>(capacity: 100, maximumWeight: 1000) { $0 }
        for weight in [40, 50, 20, 300, 1] { #expect(line.put(weight)) }
        #expect(await line.take(atMost: 10, weighing: 100) == [40, 50])
        #expect(await line.take(atMost: 10, weighing: 100) == [20])
        #expect(await line.take(atMost: 10, weighing: 100) == [300])
        #expect(await line.take(atMost: 10, weighing: 100) == [1])
    }

    @Test func `what is removed makes room, and the others keep their order`() async throws {
        let line = WaitingLine<Int>(capacity: 100, maximumWeight: 10) { $0 }
        for element in [1, 5, 2, 2] { #expect(line.put(element)) }
        #expect(!line.put(1))
        #expect(line.remove { $0 == 2 || $0 == 5 } == [5, 2, 2])
        #expect(line.put(9))
        #expect(await line.take(atMost: 10) == [1, 9])
    }

    @Test func `closed, it gives back what waits and ends its takers`() async throws {
        let line = WaitingLine<Int>(capacity: 10)
        #expect(line.put(1))
        #expect(line.close() == [1])
        #expect(!line.put(2))
        #expect(await line.take(atMost: 1) == nil)
    }

    // Whether the taker waits already is up to chance, so many rounds.
    @Test(arguments: 0..<40)
    func `closing ends a taker that waits, and so does cancelling`(_ round: Int) async throws {
        let line = WaitingLine<Int>(capacity: 10)
        let taker = Task { await line.take(atMost: 1) }
        for _ in 0..<round { await Task.yield() }
        if round.isMultiple(of: 2) { _ = line.close() } else { taker.cancel() }
        #expect(try await ending("the taker ends") { await taker.value } == nil)
    }

    @Test func `nothing is lost or doubled between many writers and the taker`() async throws {
        // given
        let line = WaitingLine<Int>(capacity: 10_000)
        let taken = Shared<[Int]>([])
        // when
        try await ending("all is taken") {
            await withTaskGroup { group in
                for writer in 0..<4 {
                    group.addTask { for index in 0..<500 { _ = line.put(writer * 500 + index) } }
                }
                group.addTask {
                    var all = 0
                    while all < 2000, let some = await line.take(atMost: 7) {
                        taken.withLock { $0 += some }
                        all += some.count
                    }
                }
            }
        }
        // then
        #expect(taken.value.sorted() == Array(0..<2000))
    }
}
