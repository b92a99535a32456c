package import AMQP
import FoundationEssentials
package import Logging
import ServiceLifecycle
import Synchronization

/// What a process hears of the log over the broker, handed to each of its subscriptions.
///
/// The queue is the process's own, exclusive and bounded: a process that is away, or too slow, loses announcements and
/// reads the log instead. Nothing piles up at the broker for consumers that are down.
package final class EventFeed: Service {
    /// The feed's queue, which the connection has to declare.
    package struct Queue: Sendable {
        let name: String
        let exchange: String
        let contexts: Set<String>?

        /// - Parameters:
        ///   - process: who listens, for people who look at the broker.
        ///   - contexts: the contexts wanted, nil for all.
        package init(process: String, contexts: Set<String>?, broker: BrokerTopology) {
            name = "coworkflow.feed.\(process).\(UUID().uuidString.lowercased())"
            exchange = broker.eventsExchange
            self.contexts = contexts
        }

        /// The broker's topology with this queue added.
        package func added(to topology: AMQPTopology) -> AMQPTopology {
            var topology = topology
            var queue = AMQPQueue(name: name)
            queue.exclusive = true
            queue.autoDelete = true
            queue.arguments = [
                "x-max-length": .int64(1000), "x-max-length-bytes": .int64(64_000_000), "x-overflow": .string("drop-head"),
            ]
            topology.queues.append(queue)
            let keys = contexts.map { $0.sorted().map { "#.\($0).#" } } ?? ["#"]
            topology.bindings += keys.map { AMQPBinding(queue: name, exchange: exchange, routingKey: $0) }
            return topology
        }
    }

    /// How long a subscription hears nothing before it compares itself with the log.
    private static let idle = Duration.seconds(1)
    /// Announcements in hand, each of a few megabytes at most; they are only sorted into mailboxes.
    private static let prefetch: UInt16 = 16

    private let connection: AMQPConnection
    private let queue: Queue
    private let logger: Logger
    private let mailboxes = Mutex<[Mailbox]>([])

    /// - Parameter connection: kept running by the caller, declared with `queue.added(to:)`.
    package init(connection: AMQPConnection, queue: Queue, logger: Logger) {
        self.connection = connection
        self.queue = queue
        self.logger = logger
    }

    /// A mailbox that gets every batch from now on, and a ring every second.
    func mailbox() -> Mailbox {
        let mailbox = Mailbox()
        mailboxes.withLock { $0.append(mailbox) }
        return mailbox
    }

    /// Listens until the task is cancelled or the service group shuts down.
    package func run() async throws {
        await cancelWhenGracefulShutdown {
            await withTaskGroup { group in
                group.addTask { await self.listen() }
                group.addTask {
                    while (try? await Task.sleep(for: Self.idle)) != nil {
                        for mailbox in self.mailboxes.withLock({ $0 }) { mailbox.ring() }
                    }
                }
            }
        }
        for mailbox in mailboxes.withLock({ $0 }) { mailbox.close() }
    }

    private func listen() async {
        for await delivery in connection.consume(queue.name, prefetch: Self.prefetch) {
            if let batch = EventBatch(delivery.message) {
                for mailbox in mailboxes.withLock({ $0 }) { mailbox.put(batch) }
            } else {
                logger.warning("an announcement that cannot be read; subscriptions will read the log")
            }
            delivery.ack()
        }
    }
}
