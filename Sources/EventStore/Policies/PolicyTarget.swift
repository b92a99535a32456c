import Domain
import FoundationEssentials
package import Postgres

/// Runs a policy: what it asks for is written down together with its checkpoint, and the timers do it.
package struct PolicyTarget: SubscriptionTarget {
    private static let lease = Duration.seconds(5)

    private let policy: any Policy
    private let decoded: DecodedEvents
    private let pool: PostgresPool
    private let timers: TimerRunner
    private let replica = UUID()

    package var name: String { policy.name }
    package var contexts: Set<String>? { policy.contexts }

    /// - Parameters:
    ///   - decoded: shared with whoever else in the process reads the same log.
    ///   - pool: connections of a role that may write `subs`.
    ///   - timers: told when there is something to do at once.
    package init(_ policy: any Policy, decoded: DecodedEvents = DecodedEvents(), pool: PostgresPool, timers: TimerRunner) {
        self.policy = policy
        self.decoded = decoded
        self.pool = pool
        self.timers = timers
    }

    package func acquire() async throws -> Position? {
        let checkpoint = Checkpoint(table: .policies, name: name, replica: replica, lease: Self.lease)
        return try await pool.withConnection { try checkpoint.acquire($0) }
    }

    package func apply(_ events: [RecordedEvent], after position: Position, through end: Position) async throws {
        let checkpoint = Checkpoint(table: .policies, name: name, replica: replica, lease: Self.lease)
        var wanted: [(ScheduledCommand, UUID)] = []
        for event in events {
            wanted += policy.react(to: try decoded.event(event)).map { ($0, event.id) }
        }
        let rows = wanted
        try await pool.transaction { connection in
            try checkpoint.move(from: position, to: end, on: connection)
            try Self.insert(rows, on: connection)
        }
        if !rows.isEmpty { timers.ring() }
    }

    package func release() async throws {
        let checkpoint = Checkpoint(table: .policies, name: name, replica: replica, lease: Self.lease)
        try await pool.withConnection { try checkpoint.release($0) }
    }

    private static func insert(_ rows: [(ScheduledCommand, UUID)], on connection: isolated PostgresConnection) throws {
        guard !rows.isEmpty else { return }
        try connection.execute(
            """
            insert into subs.timers (command_id, kind, aggregate, due, cause, subject)
            select * from unnest($1::uuid[], $2::text[], $3::text[], $4::timestamptz[], $5::uuid[], $6::text[])
            on conflict (command_id) do nothing
            """,
            PostgresArray(rows.map(\.0.commandID)),
            PostgresArray(rows.map(\.0.kind)),
            PostgresArray(rows.map(\.0.aggregate)),
            PostgresArray(rows.map { PostgresTimestamp(microsecondsSinceEpoch: $0.0.due) }),
            PostgresArray(rows.map(\.1)),
            PostgresArray(rows.map(\.0.subject))
        )
    }
}
