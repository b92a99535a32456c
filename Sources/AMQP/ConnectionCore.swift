import Logging
import Synchronization

/// What the connection's thread shares with everybody else.
final class ConnectionCore: Sendable {
    enum Phase {
        case idle, running, ended
    }

    struct State {
        var phase = Phase.idle
        var stopRequested = false
        var wakeUp: WakeUp?
        /// The thread is in its poll, or about to be, and must be woken for a command to be seen.
        var isSleeping = false
        var generation: UInt64 = 0
        var isConnected = false
        var isBlocked = false
        var lastFailure: AMQPError?
        var inbox: [Command] = []
        /// Messages in the inbox and in the thread's own queue.
        var pendingPublishes = 0
        var pendingBytes = 0
        var nextID: UInt64 = 1
        var subscriptions: [UInt64: Subscription] = [:]
        var requesters: Set<UInt64> = []
        var observers: [UInt64: AsyncStream<AMQPConnectionState>.Continuation] = [:]

        mutating func makeID() -> UInt64 {
            defer { nextID += 1 }
            return nextID
        }

        /// To be called after a change that the thread must see; the result is signalled outside the lock.
        mutating func wake() -> WakeUp? {
            guard isSleeping else { return nil }
            isSleeping = false
            return wakeUp
        }
    }

    let configuration: AMQPConfiguration
    let topology: AMQPTopology
    let logger: Logger
    let state = Mutex(State())
    /// As last agreed with the broker.
    let frameMax: Atomic<Int>

    init(configuration: AMQPConfiguration, topology: AMQPTopology, logger: Logger) {
        self.configuration = configuration
        self.topology = topology
        self.logger = logger
        frameMax = Atomic(configuration.frameMax)
    }

    func makeID() -> UInt64 {
        state.withLock { $0.makeID() }
    }

    /// Queues a message if the connection can take it now.
    func enqueue(_ publish: OutgoingPublish) throws(AMQPError) {
        try publish.message.validate(
            exchange: publish.exchange, routingKey: publish.routingKey, frameMax: frameMax.load(ordering: .relaxed)
        )
        let configuration = self.configuration
        let size = publish.message.body.count
        let wakeUp = try state.withLock { state throws(AMQPError) -> WakeUp? in
            guard state.phase != .ended, !state.stopRequested else { throw .closed }
            guard state.isConnected else { throw .notConnected }
            guard !state.isBlocked else { throw .blocked }
            guard state.pendingPublishes < configuration.maximumPendingPublishes else { throw .bufferFull }
            // Alone, a message of any size may wait: otherwise it could never be sent.
            guard state.pendingBytes == 0 || size <= configuration.maximumPendingBytes - state.pendingBytes else { throw .bufferFull }
            state.pendingPublishes += 1
            state.pendingBytes += size
            state.inbox.append(.publish(publish))
            return state.wake()
        }
        wakeUp?.signal()
    }

    /// Queues anything but a message. Without a connection it is dropped: the next one starts from the registries.
    /// - Returns: Whether there is a connection.
    @discardableResult
    func enqueue(_ command: Command, updating update: (inout State) -> Void = { _ in }) -> Bool {
        let (isConnected, wakeUp) = state.withLock { state -> (Bool, WakeUp?) in
            update(&state)
            guard state.isConnected else { return (false, nil) }
            state.inbox.append(command)
            return (true, state.wake())
        }
        wakeUp?.signal()
        return isConnected
    }

    func call(_ method: OutboundMethod, timeout: Duration) async throws(AMQPError) -> Reply {
        let call = BrokerCall(method: method, waiter: Waiter(), deadline: .now + timeout)
        guard enqueue(.call(call)) else {
            throw state.withLock { $0.phase } == .ended ? .closed : .notConnected
        }
        return try await call.waiter.value()
    }

    /// Lets `run()` begin, once.
    func begin(_ wakeUp: WakeUp) throws(AMQPError) {
        try state.withLock { state throws(AMQPError) in
            guard state.phase == .idle else { throw .closed }
            state.phase = .running
            state.wakeUp = wakeUp
        }
    }

    func requestStop() {
        let wakeUp = state.withLock { state -> WakeUp? in
            state.stopRequested = true
            state.isSleeping = false
            return state.wakeUp
        }
        wakeUp?.signal()
    }

    /// A stream that starts with the present state.
    func observe() -> AsyncStream<AMQPConnectionState> {
        let (stream, continuation) = AsyncStream.makeStream(of: AMQPConnectionState.self, bufferingPolicy: .bufferingNewest(64))
        let id = state.withLock { state -> UInt64? in
            guard state.phase != .ended else { return nil }
            let id = state.makeID()
            state.observers[id] = continuation
            continuation.yield(state.isConnected ? .connected(generation: state.generation) : .disconnected)
            return id
        }
        guard let id else {
            continuation.finish()
            return stream
        }
        continuation.onTermination = { [weak self] _ in
            _ = self?.state.withLock { $0.observers.removeValue(forKey: id) }
        }
        return stream
    }
}

// MARK: - For the connection's thread

extension ConnectionCore {
    var isStopRequested: Bool { state.withLock { $0.stopRequested } }

    func setLastFailure(_ error: AMQPError) {
        state.withLock { $0.lastFailure = error }
    }

    /// Takes the commands; with none there, marks the thread as sleeping unless it is to stop.
    func takeCommands() -> (commands: [Command], stop: Bool) {
        state.withLock { state in
            let commands = state.inbox
            state.inbox = []
            state.isSleeping = commands.isEmpty && !state.stopRequested
            return (commands, state.stopRequested)
        }
    }

    func sent(_ count: Int, bytes: Int) {
        guard count > 0 else { return }
        state.withLock { state in
            state.pendingPublishes -= count
            state.pendingBytes -= bytes
        }
    }

    /// Publishers may come from here on; whoever registers later sends a command.
    func connected() -> (generation: UInt64, subscriptions: [Subscription], requesters: [UInt64]) {
        state.withLock { state in
            state.generation += 1
            state.isConnected = true
            state.isBlocked = false
            state.lastFailure = nil
            // Yielded under the lock, so that no observer sees states out of order; a buffered yield never waits.
            for observer in state.observers.values { observer.yield(.connected(generation: state.generation)) }
            return (state.generation, state.subscriptions.values.sorted { $0.id < $1.id }, state.requesters.sorted())
        }
    }

    func subscription(_ id: UInt64) -> Subscription? {
        state.withLock { $0.subscriptions[id] }
    }

    func setBlocked(_ blocked: Bool) {
        state.withLock { $0.isBlocked = blocked }
    }

    /// Publishers get errors from here on.
    /// - Returns: The commands that nobody will execute.
    func disconnected(_ error: AMQPError) -> [Command] {
        state.withLock { state in
            state.lastFailure = error
            defer {
                state.inbox = []
                state.pendingPublishes = 0
                state.pendingBytes = 0
            }
            guard state.isConnected else { return state.inbox }
            state.isConnected = false
            state.isBlocked = false
            for observer in state.observers.values { observer.yield(.disconnected) }
            return state.inbox
        }
    }

    func ended() {
        let (observers, subscriptions) = state.withLock { state in
            state.phase = .ended
            state.wakeUp = nil
            defer {
                state.observers = [:]
                state.subscriptions = [:]
                state.requesters = []
            }
            return (Array(state.observers.values), Array(state.subscriptions.values))
        }
        for observer in observers { observer.finish() }
        for subscription in subscriptions { subscription.finish() }
    }
}
