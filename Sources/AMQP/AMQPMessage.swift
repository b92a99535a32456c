/// A message with the properties that we use of AMQP's.
package struct AMQPMessage: Sendable, Equatable {
    package var body: [UInt8]
    package var contentType: String?
    package var headers: [String: AMQPFieldValue]
    package var correlationID: String?
    /// The queue that answers go to; answer with `publish(…, exchange: "", routingKey: replyTo)`.
    package var replyTo: String?
    package var messageID: String?
    package var type: String?
    /// Whether a durable queue writes the message to disk.
    package var persistent: Bool
    /// How long the message may wait in a queue, in whole milliseconds.
    package var expiration: Duration?

    package init(
        body: [UInt8] = [],
        contentType: String? = nil,
        headers: [String: AMQPFieldValue] = [:],
        correlationID: String? = nil,
        replyTo: String? = nil,
        messageID: String? = nil,
        type: String? = nil,
        persistent: Bool = false,
        expiration: Duration? = nil
    ) {
        self.body = body
        self.contentType = contentType
        self.headers = headers
        self.correlationID = correlationID
        self.replyTo = replyTo
        self.messageID = messageID
        self.type = type
        self.persistent = persistent
        self.expiration = expiration
    }

    /// Checked before a message is queued, because a frame that cannot be encoded would break the connection for everybody.
    func validate(exchange: String, routingKey: String, frameMax: Int) throws(AMQPError) {
        func check(_ text: String?, _ name: StaticString) throws(AMQPError) {
            guard let text, text.utf8.count > 255 else { return }
            throw .invalidMessage("the \(name) is longer than 255 bytes")
        }
        try check(exchange, "exchange")
        try check(routingKey, "routing key")
        try check(contentType, "content type")
        try check(correlationID, "correlation id")
        try check(replyTo, "reply-to")
        try check(messageID, "message id")
        try check(type, "type")
        if let expiration, expiration < .zero {
            throw .invalidMessage("the expiration is negative")
        }
        guard !headers.isEmpty else { return }
        guard headers.keys.allSatisfy({ $0.utf8.count <= 128 }) else {
            throw .invalidMessage("a header's name is longer than 128 bytes")
        }
        // All properties travel in one frame; 2 KiB are left for the short strings beside the headers.
        guard AMQPFieldValue.encodedSizeBound(of: headers) <= frameMax - 2_048 else {
            throw .invalidMessage("the headers do not fit a frame")
        }
    }
}
