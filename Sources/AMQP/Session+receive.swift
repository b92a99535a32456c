import Logging
import Synchronization

extension Session {
    func handle(_ frame: InboundFrame) throws(AMQPError) {
        switch frame {
        case .start, .tune, .openOK, .connectionClose, .connectionCloseOK, .blocked, .unblocked:
            try handleConnection(frame)
        case .reply(let number, let reply):
            if let channel = channels[number] { try handleReply(reply, on: channel) }
        case .channelClose(let number, let code, let text):
            if let channel = channels[number] { try handleClose(of: channel, code, text) }
        case .channelCloseOK(let number):
            if channels[number]?.isClosing == true {
                channels.removeValue(forKey: number)
                freeChannels.append(number)
            }
        case .deliver(let number, _, _, _, _), .returned(let number, _, _, _):
            channels[number]?.content = .init(method: frame)
        case .header(let number, let bodySize, let message, let publishTag):
            try handleHeader(channels[number], bodySize, message, publishTag)
        case .body(let number, let bytes):
            try handleBody(channels[number], bytes)
        case .acknowledged(let number, let tag, let multiple):
            guard let publications = publications(number) else { return }
            for purpose in settled(publications, tag, multiple) { publications.confirmed(purpose) }
        case .refused(let number, let tag, let multiple):
            guard let publications = publications(number) else { return }
            for purpose in settled(publications, tag, multiple) { publications.refused(purpose, .rejected) }
        case .consumerCancelled(let number):
            if let channel = channels[number] { try handleConsumerCancelled(channel) }
        case .flow(let number, let active):
            try link.send(.flowOK(active: active), on: number)
        case .unexpected(let number, let method):
            logger.debug("frame ignored", metadata: ["channel": "\(number)", "method": "\(method)"])
        }
    }

    private func handleConnection(_ frame: InboundFrame) throws(AMQPError) {
        let configuration = core.configuration
        switch frame {
        case .start:
            try link.send(
                .startOK(user: configuration.user, password: configuration.password, connectionName: configuration.connectionName), on: 0
            )
        case .tune(let channelMax, let frameMax, _):
            // Zero means no limit. Ours is the smaller heartbeat on purpose: the broker's default is a minute.
            let channels = channelMax == 0 ? 2_047 : min(channelMax, 2_047)
            let frame = frameMax == 0 ? UInt32(configuration.frameMax) : min(frameMax, UInt32(configuration.frameMax))
            let heartbeat = UInt16(configuration.heartbeat.components.seconds)
            core.frameMax.store(Int(frame), ordering: .relaxed)
            try link.tune(channelMax: channels, frameMax: frame, heartbeat: heartbeat)
            try link.send(.tuneOK(channelMax: channels, frameMax: frame, heartbeat: heartbeat), on: 0)
            try link.send(.open(virtualHost: configuration.virtualHost), on: 0)
        case .openOK:
            try setUp()
        case .connectionClose(let code, let text):
            try? link.send(.connectionCloseOK, on: 0)
            switch stage {
            case .handshake where code == 403: throw .authenticationFailed(text: text)
            case .handshake, .settingUp: throw .serverRefused(code: code, text: text)
            case .live, .closing, .closed: throw .connectionLost(detail: "\(code) \(text)")
            }
        case .connectionCloseOK:
            stage = .closed
        case .blocked(let reason):
            logger.warning("the broker takes no messages", metadata: ["reason": "\(reason)"])
            core.setBlocked(true)
        case .unblocked:
            logger.info("the broker takes messages again")
            core.setBlocked(false)
        default: break
        }
    }

    private func handleReply(_ reply: Reply, on channel: Channel) throws(AMQPError) {
        guard !channel.isClosing, !channel.replies.isEmpty else { return }
        let pending = channel.replies.removeFirst()
        switch pending.continuation {
        case .ignore: break
        case .setUp:
            missingReplies -= 1
            if missingReplies == 0 { try goLive() }
        case .call(let call):
            call.waiter.answer(.success(reply))
        }
        if channel.number == topologyChannel { try sendNextCall() }
    }

    /// The broker closes a channel to refuse what was asked on it; the connection goes on.
    func handleClose(of channel: Channel, _ code: UInt16, _ text: String) throws(AMQPError) {
        guard outbox.partial?.channel != channel.number else {
            // A method amid a message's body is an error of the whole connection: the answer waits for the body's end.
            outbox.partial?.refusal = (code, text)
            return
        }
        try link.send(.channelCloseOK, on: channel.number)
        guard !channel.isClosing else { return }
        let error = AMQPError.serverRefused(code: code, text: text)
        let what = channel.replies.first?.what
        let calls = channel.replies.map(\.continuation)
        channel.replies = []
        channel.content = nil
        guard stage != .settingUp else {
            logger.error("the broker refused the topology", metadata: ["what": "\(what ?? "")", "reason": "\(text)"])
            throw error
        }
        switch channel.role {
        case .topology:
            for case .call(let call) in calls { call.waiter.fail(error) }
            try ask(.channelOpen, on: channel, "channel")
        case .publishing:
            logger.error("the broker refused a message", metadata: ["reason": "\(text)"])
            try ask(.channelOpen, on: channel, "channel")
        case .confirming(let publications):
            publications.failAll(error.withUnknownOutcome())
            try ask(.channelOpen, on: channel, "channel")
            try ask(.selectConfirms, on: channel, "confirms")
        case .requester(_, let publications):
            publications.failAll(error.withUnknownOutcome())
            try prepareRequester(channel)
        case .consumer(let consumption):
            logger.error("the broker refused a consumer", metadata: ["queue": "\(consumption.queue)", "reason": "\(text)"])
            abandon(consumption)
            channels.removeValue(forKey: channel.number)
            freeChannels.append(channel.number)
        }
    }

    /// The queue was deleted, or its node is gone: try again, declaring it anew if it is ours.
    private func handleConsumerCancelled(_ channel: Channel) throws(AMQPError) {
        guard !channel.isClosing, case .consumer(let consumption) = channel.role else { return }
        logger.warning("the broker cancelled a consumer", metadata: ["queue": "\(consumption.queue)"])
        abandon(consumption)
        channel.isClosing = true
        channel.replies = []
        try link.send(.channelClose, on: channel.number)
    }

    private func abandon(_ consumption: Consumption) {
        consumptionsByEpoch.removeValue(forKey: consumption.epoch)
        consumptions.removeValue(forKey: consumption.id)
        guard let subscription = consumption.subscription else { return }
        subscription.dropBuffered()
        deadlines.insert(.resubscription(id: consumption.id), due: .now + .milliseconds(Int64.random(in: 500...1_000)))
    }

    // MARK: - Confirms

    private func publications(_ number: UInt16) -> Publications? {
        switch channels[number]?.role {
        case .confirming(let publications), .requester(_, let publications): publications
        default: nil
        }
    }

    private func settled(_ publications: Publications, _ tag: UInt64, _ multiple: Bool) -> [OutgoingPublish.Purpose] {
        if multiple { return publications.unconfirmed.removeAll(upTo: tag) }
        return publications.unconfirmed.remove(tag).map { [$0] } ?? []
    }

    // MARK: - Content

    private func handleHeader(_ channel: Channel?, _ bodySize: UInt64, _ message: AMQPMessage, _ publishTag: UInt64?) throws(AMQPError) {
        guard let channel, channel.content != nil else { return }
        channel.content?.message = message
        channel.content?.publishTag = publishTag
        channel.content?.missing = bodySize
        if bodySize == 0 { try complete(channel) }
    }

    private func handleBody(_ channel: Channel?, _ bytes: [UInt8]) throws(AMQPError) {
        guard let channel, let missing = channel.content?.missing, channel.content?.message != nil else { return }
        if channel.content?.message?.body.isEmpty == true {
            channel.content?.message?.body = bytes
        } else {
            channel.content?.message?.body += bytes
        }
        channel.content?.missing = missing - min(missing, UInt64(bytes.count))
        if missing <= UInt64(bytes.count) { try complete(channel) }
    }

    private func complete(_ channel: Channel) throws(AMQPError) {
        guard let content = channel.content, let message = content.message else { return }
        channel.content = nil
        guard !channel.isClosing else { return }
        switch content.method {
        case .deliver(_, let tag, let redelivered, let exchange, let routingKey):
            switch channel.role {
            case .requester(_, let publications):
                // An unknown one is late: whoever asked has given up.
                guard let id = message.correlationID.flatMap({ UInt64($0, radix: 16) }) else { return }
                publications.requests.removeValue(forKey: id)?.answer(.success(message))
            case .consumer(let consumption):
                consumption.outstanding.append(tag)
                try deliver(message, tag, redelivered, exchange, routingKey, to: consumption, on: channel)
            default: break
            }
        case .returned(_, let code, let exchange, let routingKey):
            if let tag = content.publishTag, let publications = publications(channel.number),
                let purpose = publications.unconfirmed[tag]
            {
                publications.refused(purpose, .returned)
            } else {
                logger.warning(
                    "a mandatory message came back",
                    metadata: ["code": "\(code)", "exchange": "\(exchange)", "routing-key": "\(routingKey)"]
                )
            }
        default: break
        }
    }

    private func deliver(
        _ message: AMQPMessage, _ tag: UInt64, _ redelivered: Bool, _ exchange: String, _ routingKey: String,
        to consumption: Consumption, on channel: Channel
    ) throws(AMQPError) {
        if let subscription = consumption.subscription {
            let delivery = AMQPDelivery(
                message: message, exchange: exchange, routingKey: routingKey, redelivered: redelivered,
                connectionGeneration: generation, epoch: consumption.epoch, tag: tag, subscription: subscription
            )
            if subscription.push(delivery) { return }
        }
        // Cancelled, but the broker did not know yet.
        _ = consumption.outstanding.remove(tag)
        try link.send(.refuse(tag: tag, requeue: true), on: channel.number)
    }
}
