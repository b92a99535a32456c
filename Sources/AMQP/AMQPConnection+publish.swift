extension AMQPConnection {
    /// Queues a message and returns. Whether it arrives is not known: it is lost with the connection, or if its exchange does
    /// not exist.
    /// - Throws: At once `.notConnected`, `.blocked`, `.bufferFull`, `.invalidMessage` or `.closed`; nothing was sent then.
    package func publish(
        _ message: AMQPMessage, exchange: String, routingKey: String, mandatory: Bool = false
    ) throws(AMQPError) {
        try core.enqueue(
            OutgoingPublish(message, exchange: exchange, routingKey: routingKey, mandatory: mandatory, purpose: .fireAndForget)
        )
    }

    /// Sends a message and waits until the broker has taken responsibility for it.
    /// - Throws: What `publish` throws; `.rejected` when a queue refuses it (`reject-publish`); `.returned` when it is mandatory
    ///   and no queue takes it; `.serverRefused` when the exchange does not exist; `.timedOut`, `.cancelled`, `.connectionLost`
    ///   (see `outcomeIsUnknown`).
    package func publishConfirmed(
        _ message: AMQPMessage, exchange: String, routingKey: String, mandatory: Bool = false, timeout: Duration
    ) async throws(AMQPError) {
        let waiter = Waiter<Void>()
        try core.enqueue(
            OutgoingPublish(
                message, exchange: exchange, routingKey: routingKey, mandatory: mandatory, purpose: .confirmed(waiter),
                deadline: .now + timeout
            )
        )
        try await waiter.value()
    }
}
