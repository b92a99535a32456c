extension Session {
    /// Takes over commands and their deadlines; `flush` executes them.
    func accept(_ commands: [Command]) {
        guard !commands.isEmpty else { return }
        outbox.append(commands)
        for command in commands {
            switch command {
            case .publish(let publish):
                if let deadline = publish.deadline { deadlines.insert(.publication(publish.purpose), due: deadline) }
            case .call(let call):
                deadlines.insert(.call(call), due: call.deadline)
            default: break
            }
        }
    }

    /// Executes commands as long as the socket takes what they send.
    func flush() throws(AMQPError) {
        if !outbox.isEmpty {
            try flushOutbox()
        }
        if stage == .closing, outbox.isEmpty, !isCloseSent {
            isCloseSent = true
            try link.send(.connectionClose, on: 0)
        }
    }

    private func flushOutbox() throws(AMQPError) {
        let isBatch = outbox.count > 1 || outbox.partial != nil
        if isBatch { link.setCork(true) }
        defer { if isBatch { link.setCork(false) } }
        var published = 0
        var bytes = 0
        defer { core.sent(published, bytes: bytes) }
        var room = 0
        while !outbox.isEmpty {
            if room <= 0 {
                guard link.isWritable else { return }
                room = link.chunkSize
            }
            if outbox.partial != nil {
                room -= try sendChunk()
            } else if let command = outbox.next() {
                if case .publish(let publish) = command {
                    published += 1
                    bytes += publish.message.body.count
                }
                room -= try execute(command)
            }
        }
    }

    private func sendChunk() throws(AMQPError) -> Int {
        guard var partial = outbox.partial else { return 0 }
        let start = partial.offset
        partial.offset = try link.publishChunk(of: partial.body, from: start, on: partial.channel)
        guard partial.offset == partial.body.count else {
            outbox.partial = partial
            return partial.offset - start
        }
        outbox.partial = nil
        if let refusal = partial.refusal, let channel = channels[partial.channel] {
            try handleClose(of: channel, refusal.code, refusal.text)
        }
        return partial.offset - start
    }

    /// - Returns: About how many bytes were sent.
    private func execute(_ command: Command) throws(AMQPError) -> Int {
        switch command {
        case .publish(let publish): return try send(publish)
        case .settle(let epoch, let tag, let settlement): try settle(epoch, tag, settlement)
        case .subscribe(let subscription): try subscribe(subscription)
        case .unsubscribe(let id, let unseen): try unsubscribe(id, unseen)
        case .release(let id): try release(id)
        case .openRequester(let id): try openRequester(id)
        case .closeRequester(let id): try closeRequester(id)
        case .call(let call):
            waitingCalls.append(call)
            try sendNextCall()
        }
        return 64
    }

    private func send(_ publish: OutgoingPublish) throws(AMQPError) -> Int {
        guard !publish.purpose.isAbandoned else { return 0 }
        let channel: UInt16
        var tag: UInt64?
        switch publish.purpose {
        case .fireAndForget:
            channel = publishingChannel
        case .confirmed:
            guard case .confirming(let publications) = channels[confirmingChannel]?.role else { return 0 }
            channel = confirmingChannel
            tag = publications.unconfirmed.nextTag
            publications.unconfirmed.append(publish.purpose)
        case .request(let requester, let id, let waiter):
            guard let target = requesters[requester], case .requester(_, let publications) = target.role else {
                waiter.fail(.closed)
                return 0
            }
            channel = target.number
            tag = publications.unconfirmed.nextTag
            publications.unconfirmed.append(publish.purpose)
            publications.requests[id] = waiter
        }
        let content = OutboundContent(
            message: publish.message, exchange: publish.exchange, routingKey: publish.routingKey, mandatory: publish.mandatory,
            publishTag: publish.mandatory ? tag : nil
        )
        guard publish.message.body.count >= link.chunkSize else {
            try link.publishWhole(content, on: channel)
            return 256 + publish.message.body.count
        }
        try link.publishHead(content, on: channel)
        outbox.partial = .init(body: publish.message.body, channel: channel, purpose: publish.purpose)
        return 256
    }

    private func settle(_ epoch: UInt64, _ tag: UInt64, _ settlement: Settlement) throws(AMQPError) {
        // Settling a tag that the broker does not wait for would make it close the channel.
        guard let channel = consumptionsByEpoch[epoch], !channel.isClosing, case .consumer(let consumption) = channel.role else { return }
        switch settlement {
        case .acknowledge:
            guard consumption.outstanding.remove(tag) != nil else { return }
            try link.send(.acknowledge(tag: tag, multiple: false), on: channel.number)
        case .acknowledgeUpTo:
            guard let last = consumption.outstanding.removeAll(upTo: tag).last else { return }
            try link.send(.acknowledge(tag: last, multiple: true), on: channel.number)
        case .refuse(let requeue):
            guard consumption.outstanding.remove(tag) != nil else { return }
            try link.send(.refuse(tag: tag, requeue: requeue), on: channel.number)
        }
    }

    private func unsubscribe(_ id: UInt64, _ unseen: (epoch: UInt64, tags: [UInt64])?) throws(AMQPError) {
        guard let channel = consumptions[id], case .consumer(let consumption) = channel.role else { return }
        // RabbitMQ ends the whole connection (541) over a cancellation that comes before it confirmed the consumer.
        guard channel.replies.isEmpty else { return try release(id) }
        consumption.subscription = nil
        try ask(.cancel(tag: consumption.tag), on: channel, "cancellation")
        guard let unseen else { return }
        for tag in unseen.tags { try settle(unseen.epoch, tag, .refuse(requeue: true)) }
    }

    private func release(_ id: UInt64) throws(AMQPError) {
        guard let channel = consumptions.removeValue(forKey: id), case .consumer(let consumption) = channel.role else { return }
        consumptionsByEpoch.removeValue(forKey: consumption.epoch)
        try close(channel)
    }

    private func closeRequester(_ id: UInt64) throws(AMQPError) {
        guard let channel = requesters.removeValue(forKey: id), case .requester(_, let publications) = channel.role else { return }
        publications.failAll(.closed.withUnknownOutcome())
        try close(channel)
    }

    private func close(_ channel: Channel) throws(AMQPError) {
        channel.isClosing = true
        channel.replies = []
        try link.send(.channelClose, on: channel.number)
    }

    func sendNextCall() throws(AMQPError) {
        guard let channel = channels[topologyChannel], channel.replies.isEmpty, !waitingCalls.isEmpty else { return }
        let call = waitingCalls.removeFirst()
        try ask(call.method, on: channel, "call", .call(call))
    }
}
