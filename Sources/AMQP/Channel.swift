/// An AMQP channel as the connection's thread sees it.
final class Channel {
    enum Role {
        case topology
        case publishing
        case confirming(Publications)
        case requester(id: UInt64, Publications)
        case consumer(Consumption)
    }

    /// What to do when the broker's answer to a method arrives.
    struct PendingReply {
        enum Continuation {
            case ignore, setUp
            case call(BrokerCall)
        }

        /// For the log, should the broker refuse.
        let what: String
        let continuation: Continuation
    }

    /// A delivery or a return whose header and body are still arriving.
    struct IncomingContent {
        let method: InboundFrame
        var message: AMQPMessage?
        var publishTag: UInt64?
        var missing: UInt64 = 0
    }

    let number: UInt16
    let role: Role
    var replies: [PendingReply] = []
    var content: IncomingContent?
    /// We have closed it and wait for the broker to agree.
    var isClosing = false

    init(number: UInt16, role: Role) {
        self.number = number
        self.role = role
    }
}

/// What was sent on a channel with publisher confirms.
final class Publications {
    var unconfirmed = TagWindow<OutgoingPublish.Purpose>()
    /// Requests that wait for their reply.
    var requests: [UInt64: Waiter<AMQPMessage>] = [:]

    func failAll(_ error: AMQPError) {
        for purpose in unconfirmed.removeAll(upTo: 0) { purpose.fail(error) }
        for waiter in requests.values { waiter.fail(error) }
        unconfirmed = TagWindow()
        requests = [:]
    }

    func confirmed(_ purpose: OutgoingPublish.Purpose) {
        // A request's answer is its reply.
        if case .confirmed(let waiter) = purpose { waiter.answer(.success(())) }
    }

    func refused(_ purpose: OutgoingPublish.Purpose, _ error: AMQPError) {
        if case .request(_, let id, _) = purpose { requests.removeValue(forKey: id) }
        purpose.fail(error)
    }
}

/// A subscription on one channel of one connection.
final class Consumption {
    let id: UInt64
    let epoch: UInt64
    let queue: String
    /// Nil once cancelled.
    var subscription: Subscription?
    /// The tags that the broker waits for.
    var outstanding = TagWindow<UInt64>()

    init(subscription: Subscription, epoch: UInt64) {
        self.id = subscription.id
        self.epoch = epoch
        self.queue = subscription.queue
        self.subscription = subscription
    }

    var tag: String { "consumer-\(id)" }
}
