import AMQP
import Logging
import Metrics
import Synchronization

/// Publishes what was recorded, beside the recorder's next commit. What waits meanwhile goes together in the next message.
///
/// An announcement is a courtesy: a consumer that misses one reads the log. So where publishing falls behind recording, what waits is
/// dropped rather than kept.
final class Announcer: Sendable {
    private let connection: AMQPConnection
    private let broker: BrokerTopology
    private let logger: Logger
    private let waiting = Mutex(PendingAnnouncements())
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
        let dropped = waiting.withLock { $0.add(written) }
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
        while let batch = waiting.withLock({ $0.takeBatch() }) {
            do {
                try connection.publish(batch.message, exchange: broker.eventsExchange, routingKey: batch.routingKey)
            } catch {
                // Consumers compare themselves with the log when they hear nothing.
                logger.warning("events recorded but not announced", metadata: ["error": "\(error)", "position": "\(batch.end)"])
            }
        }
    }
}
