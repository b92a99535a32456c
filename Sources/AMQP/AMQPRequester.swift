/// Request and reply over RabbitMQ's direct reply-to, on a channel of its own; any number of requests may be in flight.
///
/// Whoever replies publishes to the exchange `""` with the request's `replyTo` as routing key and the same `correlationID`.
package final class AMQPRequester: Sendable {
    private let core: ConnectionCore
    private let id: UInt64
    private let exchange: String
    private let routingKey: String

    package init(connection: AMQPConnection, exchange: String, routingKey: String) {
        core = connection.core
        id = core.makeID()
        self.exchange = exchange
        self.routingKey = routingKey
        let id = self.id
        core.enqueue(.openRequester(id: id)) { state in
            if state.phase != .ended { state.requesters.insert(id) }
        }
    }

    deinit {
        let id = self.id
        core.enqueue(.closeRequester(id: id)) { $0.requesters.remove(id) }
    }

    /// Sends a request and waits for its reply; a reply that comes later is dropped.
    /// - Parameter timeout: For the whole; the request also expires in the queue after it, so that nobody works in vain.
    /// - Throws: At once `.notConnected`, `.blocked`, `.bufferFull`, `.invalidMessage` or `.closed`; as soon as the broker says
    ///   so `.rejected` (the queue is full), `.returned` (there is no queue) or `.serverRefused` (no such exchange);
    ///   `.timedOut`, `.cancelled` and `.connectionLost` leave the outcome unknown.
    package func request(
        _ body: [UInt8], headers: [String: AMQPFieldValue] = [:], contentType: String? = nil, type: String? = nil, timeout: Duration
    ) async throws(AMQPError) -> AMQPMessage {
        let waiter = Waiter<AMQPMessage>()
        let request = core.makeID()
        let message = AMQPMessage(
            body: body, contentType: contentType, headers: headers, correlationID: String(request, radix: 16),
            replyTo: "amq.rabbitmq.reply-to", type: type, expiration: timeout
        )
        try core.enqueue(
            OutgoingPublish(
                message, exchange: exchange, routingKey: routingKey, mandatory: true,
                purpose: .request(requester: id, id: request, waiter), deadline: .now + timeout
            )
        )
        return try await waiter.value()
    }
}
