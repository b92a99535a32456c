package import FoundationEssentials

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
    /// How many later events of its stream wait for it, where it is a policy that could not apply it.
    package let waitingBehind: Int64
}
