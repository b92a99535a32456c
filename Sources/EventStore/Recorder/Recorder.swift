package import AMQP
import FoundationEssentials
package import Logging
package import Postgres
import ServiceLifecycle

/// The only process that writes the log.
///
/// Drains append requests from its queue, decides each against the versions in the log, commits all that are accepted in
/// one transaction, replies, then publishes what was recorded. Whatever waits while a commit is under way goes together
/// in the next one.
///
/// Run as many as you like: the queue has a single active consumer, so all but one are standbys, and a fence in the
/// database keeps a former one from writing.
package final class Recorder: Service {
    /// Append messages that may be in hand: those of as many clients, which wait for one each. With `AppendClient.maximumBytesPerMessage` it
    /// bounds what they take in memory, because a broker counts messages and not bytes.
    static let prefetch: UInt16 = 32

    private let database: PostgresConfiguration
    private let connection: AMQPConnection
    private let broker: BrokerTopology
    private let clock: @Sendable () -> Int64
    private let logger: Logger

    /// - Parameters:
    ///   - database: of a login that may take `DatabaseRole.recorder`.
    ///   - connection: kept running by the caller, declared with `broker.topology`.
    ///   - clock: microseconds since the Unix epoch.
    package init(
        database: PostgresConfiguration,
        connection: AMQPConnection,
        broker: BrokerTopology,
        clock: @escaping @Sendable () -> Int64,
        logger: Logger
    ) {
        self.database = database
        self.connection = connection
        self.broker = broker
        self.clock = clock
        self.logger = logger
    }

    /// Records until the task is cancelled, the service group shuts down, or the connection to the broker is closed for good.
    package func run() async throws {
        await cancelWhenGracefulShutdown {
            var backoff = Backoff(first: .milliseconds(200), longest: .milliseconds(200))
            while await self.standInLine() == .putBack, !Task.isCancelled {
                // Whoever has the log now is given the time to keep it.
                try? await Task.sleep(for: backoff.next())
            }
        }
    }

    /// One stay in the line of consumers. Leaving closes the consumer, so that the broker makes another recorder the active
    /// one and gives it what was not acknowledged.
    private func standInLine() async -> RecordingEnd {
        let inbox = Inbox<RecordingSignal>()
        let consumer = connection.consume(broker.appendQueue, prefetch: Self.prefetch)
        let announcer = Announcer(connection: connection, broker: broker, logger: logger)
        return await withTaskGroup { group in
            group.addTask {
                // Beside the commit: what comes meanwhile is ready when the next batch is made.
                for await delivery in consumer {
                    if let message = self.decode(delivery) { inbox.put(.message(message)) }
                }
                inbox.finish()
            }
            group.addTask { await announcer.run() }
            let session = RecordingSession(database: database, connection: connection, clock: clock, announcer: announcer, logger: logger)
            let end = await session.serve(inbox)
            consumer.cancel()
            announcer.finish()
            // The announcer has its last words; the consumer ends by itself.
            await group.waitForAll()
            return end
        }
    }

    private func decode(_ delivery: AMQPDelivery) -> AppendMessage? {
        do {
            return AppendMessage(delivery, requests: try AppendWire.decodeRequests(delivery.message.body))
        } catch {
            logger.error("dropped an append message that cannot be read", metadata: ["bytes": "\(delivery.message.body.count)"])
            delivery.ack()
            return nil
        }
    }
}

/// What came in one message.
struct AppendMessage: Sendable {
    /// Without its body, which the requests repeat.
    let delivery: AMQPDelivery
    let requests: [AppendRequest]
    let bytes: Int

    init(_ delivery: AMQPDelivery, requests: [AppendRequest]) {
        var delivery = delivery
        bytes = delivery.message.body.count
        delivery.message.body = []
        self.delivery = delivery
        self.requests = requests
    }

    /// What it makes a batch larger by: events, and requests without any.
    var weight: Int { requests.reduce(0) { $0 + max(1, $1.eventCount) } }
}
