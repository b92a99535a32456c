package import Domain
package import FoundationEssentials

/// Who wants what recorded, and how a repeat of it is known.
package struct CommandEnvelope: Sendable {
    package let commandID: UUID
    /// An HMAC of what was asked, empty for commands that nobody can ask twice differently.
    package let fingerprint: [UInt8]
    /// Whether the command may have been given before: then the log is asked first.
    package let mayRepeat: Bool
    /// Microseconds since the Unix epoch until which somebody waits for the answer.
    package let deadline: Int64
    package let metadata: EventMetadata
    /// In whose name it is given, with the role that it rests on; nil for what nobody with an account asks for.
    package let actor: Ator?

    package init(
        commandID: UUID,
        fingerprint: [UInt8],
        mayRepeat: Bool,
        deadline: Int64,
        metadata: EventMetadata,
        actor: Ator? = nil
    ) {
        self.commandID = commandID
        self.fingerprint = fingerprint
        self.mayRepeat = mayRepeat
        self.deadline = deadline
        self.metadata = metadata
        self.actor = actor
    }
}

/// What is stored beside each event's payload. Holds no personal data: the principal is an id.
package struct EventMetadata: Codable, Sendable, Equatable {
    /// Whose command it was: a user's id, or the name of a policy or timer.
    package var principal: String
    /// The event that the command answers, for commands of policies and timers.
    package var causation: String?
    /// The HTTP request that began it.
    package var correlation: String?
    /// W3C trace context.
    package var traceparent: String?

    package init(principal: String, causation: String? = nil, correlation: String? = nil, traceparent: String? = nil) {
        self.principal = principal
        self.causation = causation
        self.correlation = correlation
        self.traceparent = traceparent
    }

    func encoded() throws -> [UInt8] {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return Array(try encoder.encode(self))
    }
}
