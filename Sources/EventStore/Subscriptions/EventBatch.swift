package import AMQP
import Domain
import FoundationEssentials

/// One committed batch as it is announced: a CloudEvents 1.0 JSON batch on a topic exchange.
///
/// The routing key is the batch's contexts joined by dots, so `#.reservas.#` gets every batch with an event of
/// `reservas`. The headers say where the batch ends and, for each context in it, the last position of that context before
/// the batch: whoever has considered that position may apply the message, everyone else reads the log.
package struct EventBatch: Sendable, Equatable {
    package let events: [RecordedEvent]
    /// The last position of each context of the batch before this batch, or one after it where that is not known.
    package let previous: [String: Position]

    package init?(events: [RecordedEvent], previous: [String: Position]) {
        guard !events.isEmpty else { return nil }
        self.events = events
        self.previous = previous
    }

    init?(_ written: LogWriter.Written) {
        self.init(events: written.events, previous: written.previous)
    }

    package var first: Position { events.first?.position ?? .start }

    /// The last position of the batch.
    package var end: Position { events.last?.position ?? .start }

    package var routingKey: String {
        previous.keys.sorted().joined(separator: ".")
    }

    /// Whether somebody who has considered everything up to `position` misses nothing by applying this batch.
    ///
    /// - Parameter contexts: those that the consumer follows, nil for all.
    package func follows(_ position: Position, contexts: Set<String>?) -> Bool {
        guard let contexts else { return position.rawValue >= first.rawValue - 1 }
        return previous.allSatisfy { !contexts.contains($0.key) || position >= $0.value }
    }

    package var message: AMQPMessage {
        var message = AMQPMessage(body: CloudEvents.encode(events))
        message.contentType = CloudEvents.batchContentType
        message.headers = Dictionary(uniqueKeysWithValues: previous.map { ("previous-\($0.key)", .int64($0.value.rawValue)) })
        message.headers["end"] = .int64(end.rawValue)
        return message
    }

    /// Nil where the message is not one of ours: the consumer then reads the log.
    package init?(_ message: AMQPMessage) {
        guard message.contentType == CloudEvents.batchContentType, let events = try? CloudEvents.decode(message.body) else { return nil }
        var previous: [String: Position] = [:]
        for (name, value) in message.headers {
            if name.hasPrefix("previous-"), case .int64(let position) = value {
                previous[String(name.dropFirst("previous-".count))] = Position(position)
            }
        }
        let contexts = Set(events.map(\.context))
        guard contexts.isSubset(of: previous.keys), zip(events, events.dropFirst()).allSatisfy({ $0.position < $1.position }) else {
            return nil
        }
        self.init(events: events, previous: previous)
    }
}
