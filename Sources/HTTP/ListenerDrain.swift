import NIOCore

/// Lets a listener close only once what it has accepted was handed on.
///
/// A connection that is accepted while NIO's asynchronous channel of the listener closes is dropped unread, and NIO ends the process for it
/// (apple/swift-nio #2637: "Deinited NIOAsyncWriter without calling finish()"). So a listener that is to close accepts no more, and closes
/// a moment later.
final class ListenerDrain: ChannelDuplexHandler {
    typealias InboundIn = any Channel
    typealias InboundOut = any Channel
    typealias OutboundIn = Never
    typealias OutboundOut = Never

    /// Time for an accepted connection to get its handlers and to be taken over, which are a few steps of an event loop and of a task.
    private static let moment = TimeAmount.milliseconds(100)

    private var isClosing = false

    func read(context: ChannelHandlerContext) {
        if !isClosing { context.read() }
    }

    func close(context: ChannelHandlerContext, mode: CloseMode, promise: EventLoopPromise<Void>?) {
        guard !isClosing else { return context.close(mode: mode, promise: promise) }
        isClosing = true
        // Where this fails the listener is closed already.
        try? context.channel.syncOptions?.setOption(.autoRead, value: false)
        context.eventLoop.assumeIsolated().scheduleTask(in: Self.moment) { context.close(mode: mode, promise: promise) }
    }
}
