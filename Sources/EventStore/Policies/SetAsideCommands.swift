package import FoundationEssentials
package import Postgres

/// A due command that failed so often that nobody gives it any more, until somebody asks.
package struct SetAsideCommand: Sendable, Equatable {
    package let commandID: UUID
    package let kind: String
    package let aggregate: String
    /// Microseconds since the Unix epoch.
    package let due: Int64
    /// The event that asked for it.
    package let cause: UUID
    /// How often it failed for a reason of its own.
    package let failures: Int32
    /// What was said the last time.
    package let lastError: String?
    /// Microseconds since the Unix epoch.
    package let setAsideAt: Int64
}

/// The commands that `TimerRunner` has set aside.
package enum SetAsideCommands {
    /// By kind and id.
    ///
    /// - Parameters:
    ///   - kind: of one kind only.
    ///   - place: only what comes after this kind and id.
    package static func list(
        kind: String? = nil,
        after place: (kind: String, id: UUID)? = nil,
        limit: Int = 10_000,
        on connection: isolated PostgresConnection
    ) throws -> [SetAsideCommand] {
        try connection.query(
            """
            select command_id, kind, aggregate, due, cause, failures, last_error, set_aside_at
              from subs.timers
             where set_aside_at is not null and ($1::text is null or kind = $1) and ($2::text is null or (kind, command_id) > ($2, $3::uuid))
             order by kind, command_id limit $4
            """,
            kind,
            place?.kind,
            place?.id,
            Int64(limit)
        ).map { row in
            SetAsideCommand(
                commandID: try row.get(0),
                kind: try row.get(1),
                aggregate: try row.get(2),
                due: try row.get(3, PostgresTimestamp.self).microsecondsSinceEpoch,
                cause: try row.get(4),
                failures: try row.get(5),
                lastError: try row.get(6),
                setAsideAt: try row.get(7, PostgresTimestamp.self).microsecondsSinceEpoch
            )
        }
    }

    /// Has them tried again.
    ///
    /// - Parameters:
    ///   - aggregate: of this one only; nil for all.
    ///   - anew: whether they are tried as often as at first. Otherwise it is once: one that fails again is set aside again.
    /// - Returns: how many there are.
    @discardableResult
    static func free(
        kinds: [String],
        of aggregate: String? = nil,
        countingAnew anew: Bool,
        on connection: isolated PostgresConnection
    ) throws -> Int {
        try connection.execute(
            """
            update subs.timers
               set set_aside_at = null, claimed_until = null,
                   attempts = case when $3 then 0 else attempts end, failures = case when $3 then 0 else failures end
             where set_aside_at is not null and kind = any($1) and ($2::text is null or aggregate = $2)
            """,
            PostgresArray(kinds),
            aggregate,
            anew
        )
    }
}
