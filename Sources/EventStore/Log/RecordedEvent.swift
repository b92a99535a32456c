package import FoundationEssentials

/// An event as the log holds it. Payload and metadata are the stored bytes, decoded only by whoever needs them.
package struct RecordedEvent: Sendable, Equatable {
    package let position: Position
    package let id: UUID
    package let stream: String
    package let version: StreamVersion
    /// The stored name, `context.NameInThePast`.
    package let type: String
    package let schemaVersion: Int16
    /// Microseconds since the Unix epoch, by the recorder's clock; never decreases along the log.
    package let recordedAt: Int64
    /// The command that caused the event; all events of one command share it.
    package let commandID: UUID
    package let payload: [UInt8]
    package let metadata: [UInt8]

    package init(
        position: Position,
        id: UUID,
        stream: String,
        version: StreamVersion,
        type: String,
        schemaVersion: Int16,
        recordedAt: Int64,
        commandID: UUID,
        payload: [UInt8],
        metadata: [UInt8]
    ) {
        self.position = position
        self.id = id
        self.stream = stream
        self.version = version
        self.type = type
        self.schemaVersion = schemaVersion
        self.recordedAt = recordedAt
        self.commandID = commandID
        self.payload = payload
        self.metadata = metadata
    }

    /// What it takes in memory, in bytes, but for a few hundred.
    var size: Int { payload.count + metadata.count }

    /// The part of the type before the dot, e.g. `reservas`.
    package var context: String {
        EventType.context(of: type)
    }
}

extension [RecordedEvent] {
    /// The position of the last event of each context. The events are in order.
    package var lastOfContext: [String: Position] {
        var last: [String: Position] = [:]
        // Most are of the type of their neighbour. By index, because an event taken out of the array is retained and released.
        for index in indices.reversed() where index == endIndex - 1 || self[index].type != self[index + 1].type {
            let context = EventType.context(of: self[index].type)
            if last[context] == nil { last[context] = self[index].position }
        }
        return last
    }
}

/// Rules of event type names.
package enum EventType {
    /// `reservas` of `reservas.ReservaConfirmada`; the whole name where there is no dot.
    package static func context(of type: String) -> String {
        // By bytes: characters would be looked up in Unicode's tables, for every event that is recorded or read.
        String(type.utf8.prefix { $0 != UInt8(ascii: ".") }) ?? type
    }
}
