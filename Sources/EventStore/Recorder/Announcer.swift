import AMQP
import Logging
import Metrics
import Synchronization

/// Publishes what was recorded, beside the recorder's next commit. What waits meanwhile goes together in the next message.
///
/// An announcement is a courtesy: a consumer that misses one reads the log. So where publishing falls behind recording, what waits is
/// dropped rather than kept.
final class Announcer: Sendable {
    /// Beyond this a message is better read from the log.
    private static let maximumEvents = 2000
    private static let maximumEventsWaiting = 8000
    private static let maximumBytes = 4_000_000

    private let connection: AMQPConnection
    private let broker: BrokerTopology
    private let logger: Logger
    private let waiting = Mutex<[LogWriter.Written]>([])
    private let signal: AsyncStream<Void>
    private let bell: AsyncStream<Void>.Continuation

    init(connection: AMQPConnection, broker: BrokerTopology, logger: Logger) {
        self.connection = connection
        self.broker = broker
        self.logger = logger
        (signal, bell) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
    }

    /// - Parameter written: follows what was announced before it.
    func announce(_ written: LogWriter.Written) {
        Counter(label: "coworkflow_events_recorded_total").increment(by: written.events.count)
        let dropped = waiting.withLock { waiting in
            var dropped = 0
            if waiting.reduce(0, { $0 + $1.events.count }) > Self.maximumEventsWaiting {
                dropped = waiting.count
                waiting = []
            }
            waiting.append(written)
            return dropped
        }
        if dropped > 0 { Counter(label: "coworkflow_announcements_dropped_total").increment(by: dropped) }
        bell.yield()
    }

    /// What waits is still announced; then `run` returns.
    func finish() {
        bell.finish()
    }

    func run() async {
        for await _ in signal { publishWaiting() }
        publishWaiting()
    }

    private func publishWaiting() {
        while let batch = takeBatch() {
            do {
                try connection.publish(batch.message, exchange: broker.eventsExchange, routingKey: batch.routingKey)
            } catch {
                // Consumers compare themselves with the log when they hear nothing.
                logger.warning("events recorded but not announced", metadata: ["error": "\(error)", "position": "\(batch.end)"])
            }
        }
    }

    /// Whatever waits, up to the size of a message.
    private func takeBatch() -> EventBatch? {
        waiting.withLock { waiting in
            guard var batch = waiting.first.flatMap({ EventBatch($0) }) else { return nil }
            var bytes = Self.size(of: batch.events)
            var taken = 1
            for written in waiting.dropFirst() {
                bytes += Self.size(of: written.events)
                guard batch.events.count + written.events.count <= Self.maximumEvents, bytes <= Self.maximumBytes else { break }
                batch.append(written.events)
                taken += 1
            }
            waiting.removeFirst(taken)
            return batch
        }
    }

    private static func size(of events: [RecordedEvent]) -> Int {
        events.reduce(0) { $0 + $1.payload.count + $1.metadata.count }
    }
}
