import AMQP

/// Messages whose requests are recorded in one transaction.
struct RecordingBatch: Sendable {
    /// Past a thousand events or requests a bigger batch is hardly faster, and everyone in it waits longer.
    private static let enough = 1000

    private(set) var messages: [AppendMessage] = []
    private var weight = 0
    private var bytes = 0
    /// Absent where the requests must be looked up before they are decided.
    var draft: LogWriter.Draft?

    var isEmpty: Bool { messages.isEmpty }
    var requests: [AppendRequest] { messages.flatMap(\.requests) }

    /// Nor more than a few megabytes, because the batch is announced in one message.
    func hasRoom(for message: AppendMessage) -> Bool {
        isEmpty || (weight < Self.enough && bytes + message.bytes <= AppendClient.maximumBytesPerMessage)
    }

    mutating func add(_ message: AppendMessage) {
        messages.append(message)
        weight += message.weight
        bytes += message.bytes
    }

    /// Tells those who wait for it, and takes its messages out of the queue.
    ///
    /// - Parameter outcomes: of all requests, in order; nil for those that were not recorded because the log has no room.
    func answer(_ outcomes: [AppendOutcome?], over connection: AMQPConnection) {
        var outcomes = outcomes[...]
        for message in messages {
            let mine = Array(outcomes.prefix(message.requests.count))
            outcomes = outcomes.dropFirst(mine.count)
            guard let replyTo = message.delivery.message.replyTo else { continue }
            var reply = AMQPMessage(body: AppendWire.encode(mine))
            reply.correlationID = message.delivery.message.correlationID
            // A reply that cannot be sent is found out by the client, which asks again with the same command id.
            try? connection.publish(reply, exchange: "", routingKey: replyTo)
        }
        // Messages are answered in the order in which they came.
        messages.last?.delivery.acknowledgeUpTo()
    }

    /// Whether it can go into the log as it was decided: nobody was refused, and nobody has given up meanwhile.
    func isCommittable(at now: Int64) -> Bool {
        draft?.isSound == true && !messages.contains { $0.requests.contains { $0.deadline < now } }
    }
}
