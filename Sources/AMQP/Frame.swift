/// A frame from the broker, copied out of the C library's memory.
enum InboundFrame {
    case start
    case tune(channelMax: UInt16, frameMax: UInt32, heartbeat: UInt16)
    case openOK
    case connectionClose(code: UInt16, text: String)
    case connectionCloseOK
    case blocked(reason: String)
    case unblocked
    case reply(channel: UInt16, Reply)
    case channelClose(channel: UInt16, code: UInt16, text: String)
    case channelCloseOK(channel: UInt16)
    case deliver(channel: UInt16, tag: UInt64, redelivered: Bool, exchange: String, routingKey: String)
    case returned(channel: UInt16, code: UInt16, exchange: String, routingKey: String)
    case acknowledged(channel: UInt16, tag: UInt64, multiple: Bool)
    case refused(channel: UInt16, tag: UInt64, multiple: Bool)
    case consumerCancelled(channel: UInt16)
    case flow(channel: UInt16, active: Bool)
    /// The message has all but its body. `publishTag` is ours: see `OutboundContent.publishTag`.
    case header(channel: UInt16, bodySize: UInt64, message: AMQPMessage, publishTag: UInt64?)
    case body(channel: UInt16, [UInt8])
    case unexpected(channel: UInt16, method: UInt32)
}

/// The broker's answer to a method sent on a channel; answers come in the order of the methods.
enum Reply: Sendable {
    case done
    case queue(AMQPQueueStatus)
    case messageCount(Int)
}

/// A method for the broker.
enum OutboundMethod: Sendable {
    case startOK(user: String, password: String, connectionName: String)
    case tuneOK(channelMax: UInt16, frameMax: UInt32, heartbeat: UInt16)
    case open(virtualHost: String)
    case connectionClose
    case connectionCloseOK
    case channelOpen
    case channelClose
    case channelCloseOK
    case flowOK(active: Bool)
    case declareExchange(AMQPExchange)
    case declareQueue(AMQPQueue, passive: Bool)
    case bind(AMQPBinding)
    case unbind(AMQPBinding)
    case purge(queue: String)
    case delete(queue: String)
    case prefetch(UInt16)
    case consume(queue: String, tag: String, exclusive: Bool, withoutAcknowledgement: Bool)
    case cancel(tag: String)
    case acknowledge(tag: UInt64, multiple: Bool)
    case refuse(tag: UInt64, requeue: Bool)
    case selectConfirms
}

/// A message on its way out.
struct OutboundContent {
    let message: AMQPMessage
    let exchange: String
    let routingKey: String
    let mandatory: Bool
    /// The message's confirm tag, carried in the unused property `app-id` of mandatory messages, because `basic.return`
    /// does not say which of our messages comes back.
    let publishTag: UInt64?
}
