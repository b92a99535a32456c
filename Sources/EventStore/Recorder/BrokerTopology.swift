package import AMQP

/// The names and the shape of what the event store uses at the broker.
package struct BrokerTopology: Sendable {
    package let appendQueue: String
    package let eventsExchange: String
    private let quorum: Bool
    private let maximumWaiting: Int64

    /// - Parameters:
    ///   - quorum: replicate the append queue over a cluster's nodes; a single node needs no quorum queue, because
    ///     durability is the commit's and a request that is lost is asked again.
    ///   - maximumWaiting: append messages that may wait; past that the broker rejects, and callers are told to come back.
    package init(quorum: Bool = false, maximumWaiting: Int64 = 1000) {
        appendQueue = "coworkflow.append"
        eventsExchange = "coworkflow.events"
        self.quorum = quorum
        self.maximumWaiting = maximumWaiting
    }

    /// What recorder, append client and feeds all declare; declaring it twice is harmless.
    package var topology: AMQPTopology {
        var queue = AMQPQueue(name: appendQueue)
        queue.durable = true
        queue.arguments = [
            "x-queue-type": .string(quorum ? "quorum" : "classic"),
            "x-single-active-consumer": .bool(true),
            "x-max-length": .int64(maximumWaiting),
            "x-overflow": .string("reject-publish"),
        ]
        var topology = AMQPTopology()
        topology.exchanges = [AMQPExchange(name: eventsExchange, kind: .topic, durable: true)]
        topology.queues = [queue]
        return topology
    }
}
