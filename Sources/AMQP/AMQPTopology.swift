/// What must exist at the broker before the connection counts as up; declared anew after every reconnect.
package struct AMQPTopology: Sendable, Equatable {
    package var exchanges: [AMQPExchange]
    package var queues: [AMQPQueue]
    package var bindings: [AMQPBinding]

    package init(exchanges: [AMQPExchange] = [], queues: [AMQPQueue] = [], bindings: [AMQPBinding] = []) {
        self.exchanges = exchanges
        self.queues = queues
        self.bindings = bindings
    }
}

package struct AMQPExchange: Sendable, Equatable {
    package enum Kind: String, Sendable {
        case topic, direct, fanout
    }

    package var name: String
    package var kind: Kind
    package var durable: Bool

    package init(name: String, kind: Kind, durable: Bool = true) {
        self.name = name
        self.kind = kind
        self.durable = durable
    }
}

package struct AMQPQueue: Sendable, Equatable {
    package var name: String
    package var durable: Bool
    /// Only this connection may use it, and it goes with the connection.
    package var exclusive: Bool
    /// Goes with its last consumer.
    package var autoDelete: Bool
    /// For example `["x-max-length": 1000, "x-overflow": "reject-publish", "x-single-active-consumer": true]`.
    package var arguments: [String: AMQPFieldValue]

    package init(
        name: String,
        durable: Bool = true,
        exclusive: Bool = false,
        autoDelete: Bool = false,
        arguments: [String: AMQPFieldValue] = [:]
    ) {
        self.name = name
        self.durable = durable
        self.exclusive = exclusive
        self.autoDelete = autoDelete
        self.arguments = arguments
    }
}

package struct AMQPBinding: Sendable, Equatable {
    package var queue: String
    package var exchange: String
    package var routingKey: String

    package init(queue: String, exchange: String, routingKey: String) {
        self.queue = queue
        self.exchange = exchange
        self.routingKey = routingKey
    }
}

/// What the broker answers to a declaration.
package struct AMQPQueueStatus: Sendable, Equatable {
    /// Chosen by the broker when the declared name was empty.
    package var name: String
    /// Messages ready for delivery, those out with a consumer not counted.
    package var messageCount: Int
    package var consumerCount: Int

    package init(name: String, messageCount: Int, consumerCount: Int) {
        self.name = name
        self.messageCount = messageCount
        self.consumerCount = consumerCount
    }
}
