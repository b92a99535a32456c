package import FoundationEssentials

/// What somebody decided about an event that could not be applied.
package struct DeadLetterDecision: Sendable, Equatable {
    package enum Kind: String, Sendable {
        /// Never to be applied.
        case skip
        /// To be applied after all.
        case unskip
    }

    package let subscription: String
    package let kind: Kind
    /// Microseconds since the Unix epoch.
    package let at: Int64
    package let by: String
    package let reason: String
}

/// An event that a subscription could not apply, or that waits behind one of its stream.
package struct DeadLetter: Sendable, Equatable {
    /// Somebody's decision that the event is never to be applied.
    package struct Skip: Sendable, Equatable {
        /// Microseconds since the Unix epoch.
        package let at: Int64
        package let by: String
        package let reason: String
    }

    /// What cannot apply it: a read model or a policy.
    package let kind: SubscriptionKind
    package let subscription: String
    package let position: Position
    package let eventID: UUID
    package let stream: String
    package let type: String
    /// Why it could not be applied, without anything that the event says; nil where it only waits behind another.
    package let error: String?
    /// How often it was tried.
    package let attempts: Int32
    /// Microseconds since the Unix epoch.
    package let firstSeen: Int64
    /// Microseconds since the Unix epoch.
    package let lastSeen: Int64
    /// Whether somebody asked for another try that has not been made yet.
    package let isRetryAsked: Bool
    /// Nil where it is still to be applied.
    package let skip: Skip?
    /// Whether a skip was taken back that a read model had made use of: it applies the event where it is built anew.
    package let isRebuildAsked: Bool
    /// How many later events of its stream wait for it, where it is a policy that could not apply it.
    package let waitingBehind: Int64
}
