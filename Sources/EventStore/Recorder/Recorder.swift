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
    /// Append messages that may be in hand: more than all services have under way.
    private static let prefetch: UInt16 = 64

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

    private enum End {
        /// Cancelled, or no more deliveries will ever come.
        case over
        /// Another recorder has the log, or the deliveries in hand are somebody else's by now.
        case putBack
    }

    /// One stay in the line of consumers. Leaving closes the consumer, so that the broker makes another recorder the active
    /// one and gives it what was not acknowledged.
    private func standInLine() async -> End {
        let inbox = Inbox<Incoming>()
        let consumer = connection.consume(broker.appendQueue, prefetch: Self.prefetch)
        let announcer = Announcer(connection: connection, broker: broker, logger: logger)
        return await withTaskGroup { group in
            group.addTask {
                // Beside the commit: what comes meanwhile is ready when the next batch begins.
                for await delivery in consumer {
                    if let incoming = self.decode(delivery) { inbox.put(incoming) }
                }
                inbox.finish()
            }
            group.addTask { await announcer.run() }
            let end = await serve(inbox, announcer)
            consumer.cancel()
            announcer.finish()
            // The announcer has its last words; the consumer ends by itself.
            await group.waitForAll()
            return end
        }
    }

    private func serve(_ inbox: Inbox<Incoming>, _ announcer: Announcer) async -> End {
        var end = End.over
        var session = WritingSession(database: database, logger: logger)
        var generation: UInt64?
        serving: while let incoming = await inbox.takeAll() {
            // A new connection means that the broker may have made another recorder active in between.
            if let latest = incoming.last?.delivery.connectionGeneration, latest != generation {
                await session.discard()
                generation = latest
            }
            for chunk in Self.chunks(incoming.filter { $0.delivery.connectionGeneration == generation }) {
                guard await record(chunk, in: &session, announcer) else {
                    end = .putBack
                    break serving
                }
            }
        }
        await session.discard()
        return end
    }

    private struct Incoming: Sendable {
        let delivery: AMQPDelivery
        let requests: [AppendRequest]
    }

    private func decode(_ delivery: AMQPDelivery) -> Incoming? {
        do {
            return Incoming(delivery: delivery, requests: try AppendWire.decodeRequests(delivery.message.body))
        } catch {
            logger.error("dropped an append message that cannot be read", metadata: ["bytes": "\(delivery.message.body.count)"])
            delivery.ack()
            return nil
        }
    }

    /// As many messages a transaction as bring it to a thousand events or requests: past that a bigger batch is hardly
    /// faster and everyone in it waits longer. Nor more than a few megabytes, because the batch is announced in one message.
    private static func chunks(_ waiting: [Incoming]) -> [[Incoming]] {
        var chunks: [[Incoming]] = []
        var (size, bytes) = (0, 0)
        for incoming in waiting {
            let (more, moreBytes) = (incoming.requests.reduce(0) { $0 + max(1, $1.eventCount) }, incoming.delivery.message.body.count)
            if chunks.isEmpty || size >= 1000 || bytes + moreBytes > AppendClient.maximumBytesPerMessage {
                chunks.append([])
                (size, bytes) = (0, 0)
            }
            chunks[chunks.count - 1].append(incoming)
            size += more
            bytes += moreBytes
        }
        return chunks
    }

    /// - Returns: false where another recorder has the log or will be given the requests; nothing was acknowledged then.
    private func record(_ chunk: [Incoming], in session: inout WritingSession, _ announcer: Announcer) async -> Bool {
        let requests = chunk.flatMap(\.requests)
        var backoff = Backoff()
        while !Task.isCancelled {
            do {
                let written = try await session.write(requests, now: clock())
                reply(chunk, written.outcomes)
                await FaultPoint.hit(.afterReply, sentOver: connection)
                if !written.events.isEmpty { announcer.announce(written) }
                return true
            } catch is LogWriter.Fenced {
                logger.notice("another recorder has taken the log over; standing by")
                await session.discard()
                return false
            } catch {
                logger.error("could not write the log; taking it over anew", metadata: ["error": "\(error)"])
                await session.discard()
                // The outcome of a commit may be unknown: the next try looks every command up before it decides.
                try? await Task.sleep(for: backoff.next())
                // Without the connection they came over, the broker has given the requests to somebody else, from whom the
                // log must not be taken back.
                guard connection.isConnected, connection.generation == chunk.first?.delivery.connectionGeneration else { return false }
            }
        }
        return false
    }

    private func reply(_ chunk: [Incoming], _ outcomes: [AppendOutcome]) {
        var index = 0
        for incoming in chunk {
            let mine = Array(outcomes[index..<index + incoming.requests.count])
            index += mine.count
            if let replyTo = incoming.delivery.message.replyTo {
                var message = AMQPMessage(body: AppendWire.encode(mine))
                message.correlationID = incoming.delivery.message.correlationID
                // A reply that cannot be sent is found out by the client, which asks again with the same command id.
                try? connection.publish(message, exchange: "", routingKey: replyTo)
            }
            incoming.delivery.ack()
        }
    }
}

/// The writer between its takeover and its discarding.
private struct WritingSession: ~Copyable {
    private let database: PostgresConfiguration
    private let logger: Logger
    private var writer: LogWriter?

    init(database: PostgresConfiguration, logger: Logger) {
        self.database = database
        self.logger = logger
    }

    mutating func write(_ requests: [AppendRequest], now: Int64) async throws -> LogWriter.Written {
        var writer =
            if let held = writer.take() {
                held
            } else {
                try await LogWriter.takeOver(database, logger: logger)
            }
        do {
            let written = try await writer.write(requests, now: now)
            self.writer = consume writer
            return written
        } catch {
            await writer.close()
            throw error
        }
    }

    mutating func discard() async {
        guard let held = writer.take() else { return }
        await held.close()
    }
}
