import Synchronization

/// Where a subscription finds what the feed heard. Full, it forgets the oldest: the gap sends the reader to the log.
final class Mailbox: Sendable {
    private static let capacity = 256
    /// Beyond this reading the log page by page is no slower, and costs no memory meanwhile.
    private static let maximumEvents = 8000
    /// Of events; a process's mailboxes share what they hold.
    static let maximumBytes = 16_000_000

    private struct State {
        var batches: [EventBatch] = []
        var events = 0
        var bytes = 0
        var closed = false
    }

    private let state = Mutex(State())
    private let signal: AsyncStream<Void>
    private let bell: AsyncStream<Void>.Continuation

    init() {
        (signal, bell) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
    }

    func put(_ batch: EventBatch) {
        state.withLock { state in
            state.batches.append(batch)
            state.events += batch.events.count
            state.bytes += batch.size
            var forgotten = 0
            while forgotten < state.batches.count - 1,
                state.batches.count - forgotten > Self.capacity || state.events > Self.maximumEvents || state.bytes > Self.maximumBytes
            {
                state.events -= state.batches[forgotten].events.count
                state.bytes -= state.batches[forgotten].size
                forgotten += 1
            }
            state.batches.removeFirst(forgotten)
        }
        bell.yield()
    }

    func ring() {
        bell.yield()
    }

    func close() {
        state.withLock { $0.closed = true }
        bell.finish()
    }

    /// What waits, after the next ring; empty when it was only a ring. Nil once closed or when the task is cancelled.
    func takeAll() async -> [EventBatch]? {
        var rings = signal.makeAsyncIterator()
        guard await rings.next() != nil, !Task.isCancelled else { return nil }
        return state.withLock { state in
            defer { (state.batches, state.events, state.bytes) = ([], 0, 0) }
            return state.closed ? nil : state.batches
        }
    }
}
