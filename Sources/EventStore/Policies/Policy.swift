package import Domain
package import FoundationEssentials

/// A command that a policy wants given, now or at a time.
package struct ScheduledCommand: Sendable, Equatable {
    /// What is to be done, in a service's own words, e.g. `reservas.expirar`.
    package let kind: String
    /// What it is to be done to, e.g. a booking's id.
    package let aggregate: String
    /// Microseconds since the Unix epoch.
    package let due: Int64
    /// The id of the person or the space that it concerns, for `ScheduleReader`; nil where nobody asks. No part of what the command is.
    package let subject: String?
    /// Whether it asks somebody outside and may record nothing, so that the log does not say whether it was given: it is not given again
    /// for what lies long before `subs.beginning`.
    package let leavesNoTrace: Bool

    package init(kind: String, aggregate: String, due: Int64, subject: String? = nil, leavesNoTrace: Bool = false) {
        self.kind = kind
        self.aggregate = aggregate
        self.due = due
        self.subject = subject
        self.leavesNoTrace = leavesNoTrace
    }

    private static let namespace = UUID.v5(namespace: UUID(uuid: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0)), name: "timer".utf8)

    /// The same command asked for again has the same id, so however often it is given it takes effect once.
    package var commandID: UUID {
        .v5(namespace: Self.namespace, name: "\(kind)\n\(aggregate)\n\(due)".utf8)
    }
}

/// Turns events into commands.
package protocol Policy: Sendable {
    /// Names the checkpoint: changing it makes the policy start from the first event again.
    var name: String { get }
    var contexts: Set<String> { get }

    /// Pure: the same event always asks for the same commands.
    func react(to event: EventoDoDominio) -> [ScheduledCommand]
}
