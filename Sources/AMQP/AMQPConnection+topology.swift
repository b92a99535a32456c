/// For tools and tests: what is declared here is not restored after a reconnect. Each call throws `.notConnected` at once
/// without a connection, `.serverRefused` when the broker refuses, `.timedOut` after ten seconds.
extension AMQPConnection {
    private static let callTimeout = Duration.seconds(10)

    package func declare(exchange: AMQPExchange) async throws(AMQPError) {
        _ = try await core.call(.declareExchange(exchange), timeout: Self.callTimeout)
    }

    @discardableResult
    package func declare(queue: AMQPQueue) async throws(AMQPError) -> AMQPQueueStatus {
        try await status(.declareQueue(queue, passive: false))
    }

    /// The state of a queue that exists; `.serverRefused` with code 404 if it does not.
    package func status(ofQueue name: String) async throws(AMQPError) -> AMQPQueueStatus {
        try await status(.declareQueue(AMQPQueue(name: name), passive: true))
    }

    package func bind(_ binding: AMQPBinding) async throws(AMQPError) {
        _ = try await core.call(.bind(binding), timeout: Self.callTimeout)
    }

    package func unbind(_ binding: AMQPBinding) async throws(AMQPError) {
        _ = try await core.call(.unbind(binding), timeout: Self.callTimeout)
    }

    /// - Returns: How many messages were dropped.
    @discardableResult
    package func purge(queue: String) async throws(AMQPError) -> Int {
        try await count(.purge(queue: queue))
    }

    /// - Returns: How many messages were dropped; deleting what does not exist is no error.
    @discardableResult
    package func delete(queue: String) async throws(AMQPError) -> Int {
        try await count(.delete(queue: queue))
    }

    private func status(_ method: OutboundMethod) async throws(AMQPError) -> AMQPQueueStatus {
        guard case .queue(let status) = try await core.call(method, timeout: Self.callTimeout) else { throw .connectionLost }
        return status
    }

    private func count(_ method: OutboundMethod) async throws(AMQPError) -> Int {
        guard case .messageCount(let count) = try await core.call(method, timeout: Self.callTimeout) else { throw .connectionLost }
        return count
    }
}
