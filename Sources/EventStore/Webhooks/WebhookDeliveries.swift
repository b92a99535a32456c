package import Domain
package import FoundationEssentials
package import Postgres

/// One event that one webhook is to be told of.
package struct WebhookDelivery: Sendable {
    package let webhook: UUID
    package let url: String
    /// As the event registered it.
    package let secret: Selado
    package let position: Position
    /// Which try this is, from 1.
    package let attempt: Int
}

/// How a delivery stands, for whoever looks at the log of deliveries.
package struct WebhookDeliveryRecord: Sendable {
    package let position: Int64
    package let eventID: UUID
    package let type: String
    package let state: String
    package let attempts: Int32
    package let nextAt: Int64
    package let lastStatus: Int32?
    package let lastError: String?
    package let createdAt: Int64
    package let settledAt: Int64?
}

/// The deliveries to webhooks: which are due, and how they went. Any number of replicas may work on them.
package struct WebhookDeliveries: Sendable {
    /// How long a claim holds: longer than a delivery may take.
    package static let claim = Duration.seconds(30)
    /// At once, to one webhook: one that is slow keeps nobody else waiting.
    private static let most: Int64 = 4
    /// The waits between the tries of a delivery, in seconds; after the last it has failed.
    static let waits: [Int64] = [10, 30, 120, 300, 900, 1800, 3600, 10_800, 21_600, 43_200]
    /// Who fails so often and for so long is switched off.
    private static let mostFailures: Int32 = 20
    private static let patience: Int64 = 3_600_000_000
    /// How long settled deliveries are kept, in days.
    private static let memory = 30

    private let pool: PostgresPool

    /// - Parameter pool: connections of a role that may write `subs`.
    package init(pool: PostgresPool) {
        self.pool = pool
    }

    /// Takes what is due; of a webhook that failed last, one delivery at a time.
    ///
    /// - Parameter now: microseconds since the Unix epoch.
    package func claim(at now: Int64) async throws -> [WebhookDelivery] {
        try await pool.withConnection { connection in
            try connection.query(
                """
                with due as materialized (
                    select w.id, w.url, w.secret, d.position
                      from subs.webhooks w cross join lateral (
                          select position from subs.webhook_deliveries d
                           where d.webhook = w.id and d.state = 'pending' and d.next_at <= $1
                             and (d.claimed_until is null or d.claimed_until < $1)
                           order by position limit case when w.failures > 0 then 1 else $3 end for update skip locked
                      ) d
                     where w.active
                )
                update subs.webhook_deliveries d
                   set claimed_until = $1 + make_interval(secs => $2), attempts = attempts + 1
                  from due where d.webhook = due.id and d.position = due.position
                returning due.id, due.url, due.secret, due.position, d.attempts
                """,
                PostgresTimestamp(microsecondsSinceEpoch: now),
                Self.claim.inSeconds,
                Self.most
            ).map { row in
                WebhookDelivery(
                    webhook: try row.get(0, UUID.self),
                    url: try row.get(1, String.self),
                    secret: Selado(try row.get(2, String.self)),
                    position: Position(try row.get(3, Int64.self)),
                    attempt: Int(try row.get(4, Int32.self))
                )
            }
        }
    }

    /// It was taken.
    package func delivered(_ delivery: WebhookDelivery, status: Int, at now: Int64) async throws {
        try await pool.withConnection { connection in
            _ = try connection.pipeline([
                PostgresStatement(
                    """
                    update subs.webhook_deliveries
                       set state = 'delivered', claimed_until = null, last_status = $3, last_error = null, settled_at = $4
                     where webhook = $1 and position = $2
                    """,
                    delivery.webhook,
                    delivery.position.rawValue,
                    Int32(clamping: status),
                    PostgresTimestamp(microsecondsSinceEpoch: now)
                ),
                PostgresStatement(
                    "update subs.webhooks set failures = 0, failing_since = null where id = $1 and failures > 0", delivery.webhook
                ),
            ])
        }
    }

    /// It was not taken, and is to be tried again, unless it was the last try. One that ends the webhook stays claimed until that is recorded:
    /// where the process dies before, it is tried again when the claim has run out.
    ///
    /// - Parameter error: without what the receiver said: it may be anything.
    /// - Returns: whether the webhook has failed so often and for so long that it is to be switched off.
    package func failed(_ delivery: WebhookDelivery, status: Int?, error: String, at now: Int64) async throws -> Bool {
        let wait = delivery.attempt <= Self.waits.count ? Self.waits[delivery.attempt - 1] : nil
        let time = PostgresTimestamp(microsecondsSinceEpoch: now)
        return try await pool.transaction { connection in
            let row = try connection.query(
                """
                update subs.webhooks set failures = failures + 1, failing_since = coalesce(failing_since, $2) where id = $1
                returning failures, failing_since
                """,
                delivery.webhook,
                time
            ).first
            guard let row else { return false }
            let since = try row.get(1, PostgresTimestamp.self).microsecondsSinceEpoch
            let isHopeless = try row.get(0, Int32.self) >= Self.mostFailures && now - since >= Self.patience
            try connection.execute(
                """
                update subs.webhook_deliveries
                   set state = case when $3 and not $8 then 'failed' else state end,
                       claimed_until = case when $8 then claimed_until end,
                       settled_at = case when $3 and not $8 then $4 end,
                       next_at = case when $8 then next_at else $5 end, last_status = $6, last_error = left($7, 300)
                 where webhook = $1 and position = $2 and state = 'pending'
                """,
                delivery.webhook,
                delivery.position.rawValue,
                wait == nil,
                time,
                PostgresTimestamp(microsecondsSinceEpoch: now + (wait ?? 0) * 1_000_000),
                status.map { Int32(clamping: $0) },
                error,
                isHopeless
            )
            return isHopeless
        }
    }

    /// The newest first, before a position.
    package func log(of webhook: UUID, before position: Int64?, limit: Int) async throws -> [WebhookDeliveryRecord] {
        let statement = Self.logStatement(of: webhook, before: position, limit: limit)
        return try await pool.withConnection { connection in
            try connection.query(statement.sql, parameters: statement.parameters).map { row in
                WebhookDeliveryRecord(
                    position: try row.get(0, Int64.self),
                    eventID: try row.get(1, UUID.self),
                    type: try row.get(2, String.self),
                    state: try row.get(3, String.self),
                    attempts: try row.get(4, Int32.self),
                    nextAt: try row.get(5, PostgresTimestamp.self).microsecondsSinceEpoch,
                    lastStatus: try row.get(6, Int32?.self),
                    lastError: try row.get(7, String?.self),
                    createdAt: try row.get(8, PostgresTimestamp.self).microsecondsSinceEpoch,
                    settledAt: try row.get(9, PostgresTimestamp?.self)?.microsecondsSinceEpoch
                )
            }
        }
    }

    package static func logStatement(of webhook: UUID, before position: Int64?, limit: Int) -> PostgresStatement {
        PostgresStatement(
            """
            select position, event_id, type, state, attempts, next_at, last_status, last_error, created_at, settled_at
              from subs.webhook_deliveries where webhook = $1 and position < $2 order by position desc limit $3
            """,
            webhook,
            position ?? .max,
            Int64(limit)
        )
    }

    /// How many webhooks there are.
    package func count() async throws -> Int {
        try await pool.withConnection { connection in
            Int(try connection.query("select count(*) from subs.webhooks").first?.get(0, Int64.self) ?? 0)
        }
    }

    /// Forgets what was settled long ago.
    package func prune(at now: Int64) async throws {
        let before = PostgresTimestamp(microsecondsSinceEpoch: now - Int64(Self.memory) * 86_400_000_000)
        try await pool.withConnection { connection in
            _ = try connection.execute("delete from subs.webhook_deliveries where settled_at < $1", before)
        }
    }
}
