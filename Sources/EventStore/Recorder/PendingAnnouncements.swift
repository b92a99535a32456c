/// What was recorded and is not announced yet, bounded in events and in bytes.
struct PendingAnnouncements {
    /// Beyond this a message is better read from the log.
    private static let maximumEvents = 2000
    private static let maximumBytes = 4_000_000
    static let maximumEventsWaiting = 8000
    static let maximumBytesWaiting = 16_000_000

    private var waiting: [LogWriter.Written] = []
    private(set) var events = 0
    private(set) var bytes = 0

    /// Adds what was recorded next. Where so much waits that it would be too much with this, what waits is dropped.
    ///
    /// - Returns: how many batches were dropped.
    mutating func add(_ written: LogWriter.Written) -> Int {
        let size = Self.size(of: written)
        var dropped = 0
        if events + written.events.count > Self.maximumEventsWaiting || bytes + size > Self.maximumBytesWaiting {
            dropped = waiting.count
            (waiting, events, bytes) = ([], 0, 0)
        }
        waiting.append(written)
        events += written.events.count
        bytes += size
        return dropped
    }

    /// Whatever waits, up to the size of a message.
    mutating func takeBatch() -> EventBatch? {
        guard let first = waiting.first, var batch = EventBatch(first) else {
            (waiting, events, bytes) = ([], 0, 0)
            return nil
        }
        var size = Self.size(of: first)
        var taken = 1
        for written in waiting.dropFirst() {
            let more = Self.size(of: written)
            guard batch.events.count + written.events.count <= Self.maximumEvents, size + more <= Self.maximumBytes else { break }
            batch.append(written.events)
            size += more
            taken += 1
        }
        waiting.removeFirst(taken)
        events -= batch.events.count
        bytes -= size
        return batch
    }

    private static func size(of written: LogWriter.Written) -> Int {
        written.events.reduce(0) { $0 + $1.size }
    }
}
