import Domain
package import Postgres

/// Finds what is due and not done: commands that are late, and events that a policy has not come to or has set aside.
package struct OpenWorkReader: Sendable {
    /// A command that should have been given.
    package struct LateCommand: Sendable, Equatable {
        package let kind: String
        package let aggregate: String
        /// Microseconds since the Unix epoch.
        package let due: Int64
        package let attempts: Int
        package let lastError: String?
        /// Whether it failed so often that it is tried no more by itself.
        package let isSetAside: Bool
    }

    /// Some of what there is, and how much there is.
    package struct Late: Sendable, Equatable {
        package let commands: [LateCommand]
        package let count: Int
    }

    /// How many events are counted one by one.
    package static let mostCounted = 1000

    private let pool: PostgresPool

    /// - Parameter pool: connections of a role that may read the log and `subs`.
    package init(pool: PostgresPool) {
        self.pool = pool
    }

    /// Commands that were due by a time, the longest due first.
    ///
    /// - Parameters:
    ///   - kinds: what their kinds begin with; all where there are none.
    ///   - due: microseconds since the Unix epoch.
    ///   - limit: how many are named.
    package func late(kinds: [String] = [], dueBy due: Int64, limit: Int) async throws -> Late {
        let rows = try await pool.withConnection { connection in
            try connection.query(
                """
                select kind, aggregate, due, attempts, last_error, set_aside_at is not null, count(*) over ()
                  from subs.timers
                 where due <= $1 and (cardinality($2::text[]) = 0 or kind ^@ any($2))
                 order by due, kind, aggregate
                 limit $3
                """,
                PostgresTimestamp(microsecondsSinceEpoch: due),
                PostgresArray(kinds),
                Int64(limit)
            ).map { row in
                let command = LateCommand(
                    kind: try row.get(0, String.self),
                    aggregate: try row.get(1, String.self),
                    due: try row.get(2, PostgresTimestamp.self).microsecondsSinceEpoch,
                    attempts: Int(try row.get(3, Int32.self)),
                    lastError: try row.get(4, String?.self),
                    isSetAside: try row.get(5, Bool.self)
                )
                return (command: command, count: Int(try row.get(6, Int64.self)))
            }
        }
        return Late(commands: rows.map(\.command), count: rows.first?.count ?? 0)
    }

    /// How many events of these types, recorded by a time, a policy has not come to; `mostCounted` at most.
    package func unseen(by policy: String, of types: Set<String>, recordedBy time: Int64) async throws -> Int {
        try await pool.withConnection { connection in
            let rows = try connection.query(
                """
                select count(*) from (
                    select 1 from log.events
                     where position > coalesce((select position from subs.checkpoints where name = $1), 0)
                       and type = any($2) and recorded_at <= $3
                     limit $4
                ) unseen
                """,
                policy,
                PostgresArray(types.sorted()),
                PostgresTimestamp(microsecondsSinceEpoch: time),
                Int64(Self.mostCounted)
            )
            return Int(try rows.first?.get(0, Int64.self) ?? 0)
        }
    }

    /// How many events the policies have set aside and nobody has skipped.
    package func parked(by policies: Set<String>) async throws -> Int {
        try await pool.withConnection { connection in
            let rows = try connection.query(
                "select count(*) from subs.dead_letters where subscription = any($1) and skipped_at is null",
                PostgresArray(policies.sorted())
            )
            return Int(try rows.first?.get(0, Int64.self) ?? 0)
        }
    }
}
