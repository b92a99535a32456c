extension AMQPConnection {
    /// Subscribes to a queue, now or as soon as there is a connection. A queue that does not exist is tried again about every
    /// second, and is declared first if it belongs to the topology.
    /// - Parameters:
    ///   - prefetch: How many deliveries may be out unsettled, and so how many are buffered; at least one.
    ///   - exclusive: Refused by the broker while anybody else consumes from the queue.
    package func consume(_ queue: String, prefetch: UInt16, exclusive: Bool = false) -> AMQPConsumer {
        let subscription = Subscription(
            id: core.makeID(), queue: queue, prefetch: max(1, prefetch), exclusive: exclusive, core: core
        )
        var hasEnded = false
        core.enqueue(.subscribe(subscription)) { state in
            hasEnded = state.phase == .ended
            if !hasEnded { state.subscriptions[subscription.id] = subscription }
        }
        if hasEnded { subscription.finish() }
        return AMQPConsumer(subscription)
    }
}
