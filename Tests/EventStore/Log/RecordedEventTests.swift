import Testing

@testable import EventStore

@Suite struct RecordedEventTests {
    @Test(
        arguments: [
            ([], [:]),
            (["a.X"], ["a": 1]),
            (["a.X", "a.X", "a.Y"], ["a": 3]),
            (["a.X", "b.X", "a.X", "a.X", "b.Y", "c.X", "b.Y"], ["a": 4, "b": 7, "c": 6]),
            (["a.X", "b.X", "b.X", "a.Y"], ["a": 4, "b": 3]),
        ] as [([String], [String: Int64])])
    func `the last event of each context`(_ types: [String], _ last: [String: Int64]) {
        let events = types.enumerated().map { RecordedEvent.sample(Int64($0.offset + 1), type: $0.element) }
        #expect(events.lastOfContext == last.mapValues { Position($0) })
    }
}
