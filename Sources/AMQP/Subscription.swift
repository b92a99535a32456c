import Synchronization

/// The consumer's side of a subscription: the deliveries between the connection's thread and the iterating task.
///
/// Kept alive by the registry while subscribed, by the consumer, and by every delivery that could still be settled.
/// When all are gone its channel is closed.
final class Subscription: Sendable {
    private struct State {
        var buffer: [AMQPDelivery] = []
        var head = 0
        var waiting: [CheckedContinuation<Void, Never>] = []
        var isFinished = false

        var count: Int { buffer.count - head }

        mutating func takeAll() -> ArraySlice<AMQPDelivery> {
            defer {
                buffer = []
                head = 0
            }
            return buffer[head...]
        }

        mutating func take(_ maximum: Int) -> ArraySlice<AMQPDelivery> {
            guard count > maximum else { return takeAll() }
            let taken = buffer[head..<head + maximum]
            head += maximum
            if head >= 64 {
                buffer.removeFirst(head)
                head = 0
            }
            return taken
        }
    }

    let id: UInt64
    let queue: String
    let prefetch: UInt16
    let exclusive: Bool
    let core: ConnectionCore
    private let state = Mutex(State())

    init(id: UInt64, queue: String, prefetch: UInt16, exclusive: Bool, core: ConnectionCore) {
        self.id = id
        self.queue = queue
        self.prefetch = prefetch
        self.exclusive = exclusive
        self.core = core
    }

    deinit {
        core.enqueue(.release(id: id))
    }

    /// - Returns: False when the consumer is gone, so that the delivery goes back to the queue.
    func push(_ delivery: AMQPDelivery) -> Bool {
        var isTaken = false
        resume { state in
            guard !state.isFinished else { return }
            state.buffer.append(delivery)
            isTaken = true
        }
        return isTaken
    }

    /// Drops what came over a connection or channel that is gone: the broker delivers it again.
    func dropBuffered() {
        let dropped = state.withLock { $0.takeAll() }
        // Deliveries refer to their subscription; they die outside the lock.
        _ = dropped
    }

    /// Ends the iteration without a word to the broker.
    func finish() {
        dropBuffered()
        resume { $0.isFinished = true }
    }

    /// Ends the iteration and the subscription.
    func cancel() {
        let undelivered = state.withLock { state -> [AMQPDelivery]? in
            guard !state.isFinished else { return nil }
            state.isFinished = true
            return Array(state.takeAll())
        }
        guard let undelivered else { return }
        resume { _ in }
        // Dropped on every change of channel, so all that is buffered belongs to one epoch.
        let unseen = undelivered.last.map { (epoch: $0.epoch, tags: undelivered.map(\.tag)) }
        var registered: Subscription?
        core.enqueue(.unsubscribe(id: id, unseen: unseen)) { registered = $0.subscriptions.removeValue(forKey: id) }
        // Released outside the core's lock, because its end enqueues.
        _ = consume registered
    }

    /// Everything that has arrived, at least one and `maximum` at most; empty when the subscription has ended.
    func next(maximum: Int) async -> ArraySlice<AMQPDelivery> {
        await withTaskCancellationHandler {
            while true {
                let available = state.withLock { state -> ArraySlice<AMQPDelivery>? in
                    if state.isFinished { return [] }
                    return state.count > 0 ? state.take(maximum) : nil
                }
                if let available { return available }
                await withCheckedContinuation { continuation in
                    let isReady = state.withLock { state in
                        if state.isFinished || state.count > 0 { return true }
                        state.waiting.append(continuation)
                        return false
                    }
                    if isReady { continuation.resume() }
                }
            }
        } onCancel: {
            cancel()
        }
    }

    private func resume(after change: (inout State) -> Void) {
        let waiting = state.withLock { state in
            change(&state)
            defer { state.waiting = [] }
            return state.waiting
        }
        for continuation in waiting { continuation.resume() }
    }
}
