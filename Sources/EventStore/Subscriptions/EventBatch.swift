package import AMQP
import Domain
import FoundationEssentials

/// One committed batch as it is announced: a CloudEvents 1.0 JSON batch on a topic exchange.
///
/// The routing key is the batch's contexts joined by dots, so `#.reservas.#` gets every batch with an event of
/// `reservas`. The headers say where the batch ends and, for every context, in the batch or not, the last position of that
/// context before the batch: whoever has considered that position for all contexts it follows may apply the message and
/// move past it, everyone else reads the log.
package struct EventBatch: Sendable, Equatable {
    package private(set) var events: [RecordedEvent]
    /// The last position of a context before this batch, or a later one before the batch.
    package let previous: [String: Position]
    /// The same for every context that `previous` does not name.
    package let elsewhere: Position

    /// - Parameter elsewhere: the position before the batch where that is not known better, which makes a consumer of
    ///   those contexts read the log rather than miss anything.
    /// - Returns: nil without events.
    package init?(events: [RecordedEvent], previous: [String: Position], elsewhere: Position? = nil) {
        guard let first = events.first else { return nil }
        self.events = events
        self.previous = previous
        self.elsewhere = elsewhere ?? Position(first.position.rawValue - 1)
    }

    init?(_ written: LogWriter.Written) {
        self.init(events: written.events, previous: written.previous, elsewhere: written.elsewhere)
    }

    /// Adds the events that were recorded next.
    mutating func append(_ next: [RecordedEvent]) {
        events += next
    }

    package var first: Position { events.first?.position ?? .start }

    /// The last position of the batch.
    package var end: Position { events.last?.position ?? .start }

    /// What its events take in memory, in bytes, but for a few hundred each.
    var size: Int { events.reduce(0) { $0 + $1.size } }

    package var routingKey: String {
        events.lastOfContext.keys.sorted().joined(separator: ".")
    }

    /// Whether somebody who has considered everything up to `position` misses nothing by applying this batch.
    ///
    /// - Parameter contexts: those that the consumer follows, nil for all.
    package func follows(_ position: Position, contexts: Set<String>?) -> Bool {
        guard let contexts else { return position.rawValue >= first.rawValue - 1 }
        return contexts.allSatisfy { position >= previous[$0] ?? elsewhere }
    }

    package var message: AMQPMessage {
        var message = AMQPMessage(body: CloudEvents.encode(events))
        message.contentType = CloudEvents.batchContentType
        message.headers = Dictionary(uniqueKeysWithValues: previous.map { ("previous-\($0.key)", .int64($0.value.rawValue)) })
        message.headers["previous"] = .int64(elsewhere.rawValue)
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
        guard case .int64(let elsewhere) = message.headers["previous"],
            zip(events, events.dropFirst()).allSatisfy({ $0.position.next == $1.position })
        else { return nil }
        self.init(events: events, previous: previous, elsewhere: Position(elsewhere))
    }
}
