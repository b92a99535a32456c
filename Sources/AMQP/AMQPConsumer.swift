/// The deliveries of one queue, for one task to iterate over.
///
/// It survives reconnects: after one, the broker delivers again whatever was not acknowledged. At most `prefetch` deliveries
/// are out at any time, so nothing arrives until some are settled. Iteration ends by `cancel()`, by cancelling the iterating
/// task, or with the connection's `run()`. Dropping the consumer cancels it too.
package final class AMQPConsumer: AsyncSequence, Sendable {
    package typealias Element = AMQPDelivery
    package typealias Failure = Never

    private let subscription: Subscription

    init(_ subscription: Subscription) {
        self.subscription = subscription
    }

    deinit {
        subscription.cancel()
    }

    /// Cancels the subscription at the broker, which leaves the line of a single-active-consumer queue. What was handed out
    /// can still be settled; what waits unseen goes back to the queue.
    package func cancel() {
        subscription.cancel()
    }

    /// Everything that has arrived, one delivery at least and `maximum` at most; waits for the first only.
    /// Empty once the subscription has ended.
    package func nextBatch(upTo maximum: Int) async -> [AMQPDelivery] {
        await Array(subscription.next(maximum: Swift.max(1, maximum)))
    }

    package func makeAsyncIterator() -> Iterator {
        Iterator(consumer: self)
    }

    package struct Iterator: AsyncIteratorProtocol {
        fileprivate let consumer: AMQPConsumer

        package mutating func next() async -> AMQPDelivery? {
            await consumer.subscription.next(maximum: 1).first
        }

        package mutating func next(isolation actor: isolated (any Actor)?) async -> AMQPDelivery? {
            await consumer.subscription.next(maximum: 1).first
        }
    }
}
