import Logging

/// One connection to the broker from its handshake to its end, driven by the connection's thread alone.
///
/// Nothing in here waits except `WakeUp.wait`: methods are sent without waiting for their answers, which come back through
/// `handle`, and messages are sent only as fast as the socket takes them.
final class Session {
    enum Stage {
        case handshake, settingUp, live, closing, closed
    }

    enum DueTarget {
        case setUp, closing
        case publication(OutgoingPublish.Purpose)
        case call(BrokerCall)
        case resubscription(id: UInt64)

        var isAnswered: Bool {
            switch self {
            case .setUp, .closing, .resubscription: false
            case .publication(let purpose): purpose.isAbandoned
            case .call(let call): call.waiter.isAnswered
            }
        }
    }

    let core: ConnectionCore
    let link: BrokerLink
    let wakeUp: WakeUp
    var logger: Logger { core.logger }
    var stage = Stage.handshake
    private(set) var wasLive = false
    var generation: UInt64 = 0
    /// How many answers are missing until the connection counts as up.
    var missingReplies = 0
    var channels: [UInt16: Channel] = [:]
    var freeChannels: [UInt16] = []
    var highestChannel: UInt16 = 0
    let topologyChannel: UInt16 = 1
    let publishingChannel: UInt16 = 2
    let confirmingChannel: UInt16 = 3
    var consumptions: [UInt64: Channel] = [:]
    var consumptionsByEpoch: [UInt64: Channel] = [:]
    var requesters: [UInt64: Channel] = [:]
    /// Calls are sent one at a time, so that a refusal, which closes the channel, hits no other.
    var waitingCalls: [BrokerCall] = []
    var outbox = Outbox()
    var isCloseSent = false
    var deadlines = DeadlineQueue<DueTarget>()

    init(core: ConnectionCore, link: BrokerLink, wakeUp: WakeUp) {
        self.core = core
        self.link = link
        self.wakeUp = wakeUp
    }

    /// Returns after a clean close; throws when the connection is lost or never comes up.
    func run() throws(AMQPError) {
        let configuration = core.configuration
        let heartbeatCheck = configuration.heartbeat / 4
        deadlines.insert(.setUp, due: .now + configuration.connectTimeout)
        try link.sendProtocolHeader()
        var lastReceive = ContinuousClock.now
        while stage != .closed {
            let (commands, stop) = core.takeCommands()
            accept(commands)
            if stop { beginClosing() }
            try flush()
            var now = ContinuousClock.now
            try fireDeadlines(now)
            let mayWait = commands.isEmpty && stage != .closed && !link.hasBufferedInput
            let pause = mayWait ? heartbeatCheck : .zero
            let due = deadlines.earliest.map { now.duration(to: $0) } ?? pause
            let isReadable = wakeUp.wait(socket: link.socket, forWriting: !outbox.isEmpty, timeout: min(pause, due))
            now = .now
            // The library sends and checks heartbeats in `receive` only.
            if isReadable || link.hasBufferedInput || lastReceive.duration(to: now) >= heartbeatCheck {
                lastReceive = now
                try drain()
            }
        }
    }

    private func drain() throws(AMQPError) {
        // Bounded, so that a flood of deliveries does not keep acknowledgements from being sent.
        for _ in 0..<1_000 {
            guard let frame = try link.receive() else { return }
            try handle(frame)
            guard link.hasBufferedInput else { return }
        }
    }

    private func fireDeadlines(_ now: ContinuousClock.Instant) throws(AMQPError) {
        // Answered ones go early, so that they neither wake the thread nor pile up.
        while let target = deadlines.pop(at: now, obsolete: \.isAnswered) {
            switch target {
            case .setUp:
                if stage == .handshake || stage == .settingUp { throw .timedOut }
            case .closing:
                stage = .closed
            case .publication(let purpose):
                if case .request(let requester, let id, _) = purpose, case .requester(_, let publications) = requesters[requester]?.role {
                    publications.requests.removeValue(forKey: id)
                }
                purpose.fail(.timedOut)
            case .call(let call):
                call.waiter.fail(.timedOut)
            case .resubscription(let id):
                if stage == .live, consumptions[id] == nil, let subscription = core.subscription(id) { try subscribe(subscription) }
            }
        }
    }

    /// Sends a method and notes that an answer follows.
    func ask(_ method: OutboundMethod, on channel: Channel, _ what: String, _ then: Channel.PendingReply.Continuation = .ignore)
        throws(AMQPError)
    {
        channel.replies.append(.init(what: what, continuation: then))
        if case .setUp = then { missingReplies += 1 }
        try link.send(method, on: channel.number)
    }

    func makeChannel(_ role: Channel.Role) -> Channel {
        let number: UInt16
        if let free = freeChannels.popLast() {
            number = free
        } else {
            highestChannel += 1
            number = highestChannel
        }
        let channel = Channel(number: number, role: role)
        channels[number] = channel
        return channel
    }

    // MARK: - Coming up

    func setUp() throws(AMQPError) {
        stage = .settingUp
        let topology = makeChannel(.topology)
        try ask(.channelOpen, on: topology, "channel", .setUp)
        for exchange in core.topology.exchanges {
            try ask(.declareExchange(exchange), on: topology, "exchange \(exchange.name)", .setUp)
        }
        for queue in core.topology.queues {
            try ask(.declareQueue(queue, passive: false), on: topology, "queue \(queue.name)", .setUp)
        }
        for binding in core.topology.bindings {
            let what = "binding of queue \(binding.queue) to exchange \(binding.exchange) by \(binding.routingKey)"
            try ask(.bind(binding), on: topology, what, .setUp)
        }
        try ask(.channelOpen, on: makeChannel(.publishing), "channel", .setUp)
        let confirming = makeChannel(.confirming(Publications()))
        try ask(.channelOpen, on: confirming, "channel", .setUp)
        try ask(.selectConfirms, on: confirming, "confirms", .setUp)
    }

    func goLive() throws(AMQPError) {
        guard stage == .settingUp else { return }
        stage = .live
        wasLive = true
        let (generation, subscriptions, requesters) = core.connected()
        self.generation = generation
        logger.info("connected to the broker", metadata: ["broker": "\(core.configuration)", "generation": "\(generation)"])
        for requester in requesters { try openRequester(requester) }
        for subscription in subscriptions { try subscribe(subscription) }
    }

    func openRequester(_ id: UInt64) throws(AMQPError) {
        let channel = makeChannel(.requester(id: id, Publications()))
        requesters[id] = channel
        try prepareRequester(channel)
    }

    func prepareRequester(_ channel: Channel) throws(AMQPError) {
        try ask(.channelOpen, on: channel, "channel")
        try ask(.selectConfirms, on: channel, "confirms")
        let consume = OutboundMethod.consume(
            queue: "amq.rabbitmq.reply-to", tag: "replies", exclusive: false, withoutAcknowledgement: true
        )
        try ask(consume, on: channel, "direct reply-to")
    }

    func subscribe(_ subscription: Subscription) throws(AMQPError) {
        let consumption = Consumption(subscription: subscription, epoch: core.makeID())
        let channel = makeChannel(.consumer(consumption))
        consumptions[subscription.id] = channel
        consumptionsByEpoch[consumption.epoch] = channel
        try ask(.channelOpen, on: channel, "channel")
        // A queue of ours may have been deleted since the connection came up, which is why we subscribe again.
        let queue = subscription.queue
        for own in core.topology.queues where own.name == queue {
            try ask(.declareQueue(own, passive: false), on: channel, "queue \(queue)")
        }
        for binding in core.topology.bindings where binding.queue == queue {
            try ask(.bind(binding), on: channel, "binding of queue \(queue) to exchange \(binding.exchange)")
        }
        try ask(.prefetch(subscription.prefetch), on: channel, "prefetch")
        let consume = OutboundMethod.consume(
            queue: queue, tag: consumption.tag, exclusive: subscription.exclusive, withoutAcknowledgement: false
        )
        try ask(consume, on: channel, "consumer of queue \(queue)")
    }

    // MARK: - Going down

    private func beginClosing() {
        switch stage {
        case .handshake, .settingUp: stage = .closed
        case .live:
            stage = .closing
            // A broker that takes nothing more must not hold up the end.
            deadlines.insert(.closing, due: .now + .milliseconds(600))
        case .closing, .closed: break
        }
    }

    /// Tells everybody who waits. `error` is for what was handed to the connection; what was not is known not to be sent.
    func end(_ error: AMQPError, unsent: AMQPError) {
        let commands = core.disconnected(error)
        outbox.append(commands)
        var dropped = 0
        while let command = outbox.next() {
            switch command {
            case .publish(let publish):
                if case .fireAndForget = publish.purpose { dropped += 1 }
                publish.purpose.fail(unsent)
            case .call(let call): call.waiter.fail(unsent)
            default: break
            }
        }
        outbox.partial?.purpose.fail(error)
        for call in waitingCalls { call.waiter.fail(unsent) }
        for channel in channels.values {
            for case .call(let call) in channel.replies.map(\.continuation) { call.waiter.fail(error) }
            switch channel.role {
            case .confirming(let publications), .requester(_, let publications): publications.failAll(error)
            case .consumer(let consumption): consumption.subscription?.dropBuffered()
            case .topology, .publishing: break
            }
        }
        if dropped > 0 {
            logger.warning("messages dropped with the connection", metadata: ["count": "\(dropped)"])
        }
    }
}
