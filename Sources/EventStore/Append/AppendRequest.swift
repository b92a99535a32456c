package import FoundationEssentials

/// An event that is to be recorded.
package struct NewEvent: Sendable, Equatable {
    package var id: UUID
    package var type: String
    package var schemaVersion: Int16
    package var payload: [UInt8]
    package var metadata: [UInt8]

    package init(id: UUID, type: String, schemaVersion: Int16, payload: [UInt8], metadata: [UInt8]) {
        self.id = id
        self.type = type
        self.schemaVersion = schemaVersion
        self.payload = payload
        self.metadata = metadata
    }
}

/// What one stream must look like for an append to be accepted, and what the append adds to it.
package struct StreamAppend: Sendable, Equatable {
    package var stream: String
    package var expected: StreamVersion
    /// Empty makes the stream a guard: its version must hold, nothing is written to it.
    package var events: [NewEvent]

    package init(stream: String, expected: StreamVersion, events: [NewEvent] = []) {
        self.stream = stream
        self.expected = expected
        self.events = events
    }
}

/// Everything one command wants recorded: all of it or nothing.
package struct AppendRequest: Sendable, Equatable {
    /// Makes the append idempotent: a second request with this id records nothing and is told the first one's positions.
    package var commandID: UUID
    /// What the command was, as an HMAC of its body; a repeat with another fingerprint is a mistake of the caller.
    package var fingerprint: [UInt8]
    /// Microseconds since the Unix epoch after which the recorder must not accept the request any more.
    package var deadline: Int64
    /// Each stream once. Events are recorded in this order.
    package var streams: [StreamAppend]

    package init(commandID: UUID, fingerprint: [UInt8], deadline: Int64, streams: [StreamAppend]) {
        self.commandID = commandID
        self.fingerprint = fingerprint
        self.deadline = deadline
        self.streams = streams
    }

    package var eventCount: Int {
        streams.reduce(0) { $0 + $1.events.count }
    }
}

/// The recorder's answer to one request.
package enum AppendOutcome: Sendable, Equatable {
    /// Committed. `last - first + 1` events, in the order of the request.
    case accepted(first: Position, last: Position)
    /// The command id had been recorded before, with these positions.
    case repeated(first: Position, last: Position, sameFingerprint: Bool)
    /// A stream is not at the version expected; nothing was recorded.
    case conflict(stream: String, actual: StreamVersion)
    /// The deadline had passed when the recorder came to it; nothing was recorded.
    case expired
    /// The request makes no sense (no events, a stream twice, a name that the log cannot hold, more than four megabytes);
    /// nothing was recorded.
    case malformed

    var isAcceptance: Bool {
        if case .accepted = self { true } else { false }
    }
}
