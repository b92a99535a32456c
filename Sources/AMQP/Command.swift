/// What other threads ask of the connection's thread.
enum Command: Sendable {
    case publish(OutgoingPublish)
    /// Ack or nack. The epoch names the subscription on one channel of one connection, so that a stale one is recognised.
    case settle(epoch: UInt64, tag: UInt64, Settlement)
    case subscribe(Subscription)
    /// Cancels at the broker and gives back what the consumer has not seen; what it has seen can still be settled.
    case unsubscribe(id: UInt64, unseen: (epoch: UInt64, tags: [UInt64])?)
    /// Nobody can settle any more: the channel is closed, and the broker takes back whatever is left.
    case release(id: UInt64)
    case openRequester(id: UInt64)
    case closeRequester(id: UInt64)
    case call(BrokerCall)
}

enum Settlement: Sendable {
    case acknowledge
    case acknowledgeUpTo
    case refuse(requeue: Bool)
}

/// A message waiting to be sent, and who waits for what becomes of it.
final class OutgoingPublish: Sendable {
    enum Purpose: Sendable {
        case fireAndForget
        case confirmed(Waiter<Void>)
        case request(requester: UInt64, id: UInt64, Waiter<AMQPMessage>)

        /// Whether nobody waits any more, so that an unsent message need not be sent.
        var isAbandoned: Bool {
            switch self {
            case .fireAndForget: false
            case .confirmed(let waiter): waiter.isAnswered
            case .request(_, _, let waiter): waiter.isAnswered
            }
        }

        func fail(_ error: AMQPError) {
            switch self {
            case .fireAndForget: break
            case .confirmed(let waiter): waiter.fail(error)
            case .request(_, _, let waiter): waiter.fail(error)
            }
        }
    }

    let message: AMQPMessage
    let exchange: String
    let routingKey: String
    let mandatory: Bool
    let purpose: Purpose
    let deadline: ContinuousClock.Instant?

    init(
        _ message: AMQPMessage, exchange: String, routingKey: String, mandatory: Bool, purpose: Purpose,
        deadline: ContinuousClock.Instant? = nil
    ) {
        self.message = message
        self.exchange = exchange
        self.routingKey = routingKey
        self.mandatory = mandatory
        self.purpose = purpose
        self.deadline = deadline
    }
}

/// A method with an answer, for tools and tests.
struct BrokerCall: Sendable {
    let method: OutboundMethod
    let waiter: Waiter<Reply>
    let deadline: ContinuousClock.Instant
}
