/// A message delivered to a consumer, to be settled once: acknowledged, or given back.
///
/// Settling is never an error: a delivery of an earlier connection is stale, the broker has queued it again, and settling
/// it (or settling twice) does nothing.
package struct AMQPDelivery: Sendable {
    package var message: AMQPMessage
    package let exchange: String
    package let routingKey: String
    /// Whether the broker delivered it before, to anybody.
    package let redelivered: Bool
    /// Changes between two deliveries when the connection was lost in between.
    package let connectionGeneration: UInt64
    let epoch: UInt64
    let tag: UInt64
    let subscription: Subscription

    /// Done: the broker forgets the message.
    package func ack() {
        settle(.acknowledge)
    }

    /// Acknowledges this delivery and every earlier one of the same consumer.
    package func acknowledgeUpTo() {
        settle(.acknowledgeUpTo)
    }

    /// Gives the message back to its queue, or lets the broker drop (or dead-letter) it.
    package func nack(requeue: Bool) {
        settle(.refuse(requeue: requeue))
    }

    private func settle(_ settlement: Settlement) {
        subscription.core.enqueue(.settle(epoch: epoch, tag: tag, settlement))
    }
}
