package import Domain
package import EventStore
import Postgres

/// One thing that somebody did.
package struct AuditRecord: Sendable, Equatable {
    package let position: Position
    package let at: Instante
    /// Whose command it was: a user's id, or the name of a policy or timer.
    package let actor: String
    /// The event's type.
    package let action: String
    /// The event's stream.
    package let subject: String
    /// Without personal data.
    package let detail: [String: String]

    static let columns = "position, at, actor, action, subject, detail"

    init(row: PostgresRow) throws {
        position = Position(try row.get("position", Int64.self))
        at = try row.instant("at")
        actor = try row.get("actor")
        action = try row.get("action")
        subject = try row.get("subject")
        detail = try row.json("detail")
    }
}

/// Which entries of the audit trail are wanted; nil is "any".
package struct AuditFilter: Sendable, Equatable {
    package var actor: String?
    /// An event type.
    package var action: String?
    /// A stream name.
    package var subject: String?
    package var from: Instante?
    /// Excluded.
    package var to: Instante?

    package init(
        actor: String? = nil,
        action: String? = nil,
        subject: String? = nil,
        from: Instante? = nil,
        to: Instante? = nil
    ) {
        self.actor = actor
        self.action = action
        self.subject = subject
        self.from = from
        self.to = to
    }
}
