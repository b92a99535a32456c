package import Postgres

/// The events that one kind of subscription could not apply: what its subscriptions write down of them, and what they heed.
package struct DeadLetters: Sendable {
    /// What a subscription has to know of its own.
    package struct Standing: Sendable, Equatable {
        /// Never to be applied.
        package let skipped: Set<Position>
        /// Still to be applied, by stream.
        package let waiting: [String: Waiting]

        package init(skipped: Set<Position> = [], waiting: [String: Waiting] = [:]) {
            self.skipped = skipped
            self.waiting = waiting
        }

        /// How many are still to be applied.
        package var count: Int { waiting.values.reduce(0) { $0 + $1.count } }
        /// The first that is still to be applied.
        package var first: Position? { waiting.values.map(\.first).min() }
    }

    /// The events of one stream that are still to be applied.
    package struct Waiting: Sendable, Equatable {
        package let count: Int
        package let first: Position
        /// Whether the first of them could not be applied; otherwise it waited behind one that is out of the way.
        package let isBlocked: Bool
        /// Whether somebody asked for another try.
        package let isRetryAsked: Bool
    }

    /// An event that is set aside.
    package struct Entry: Sendable {
        let event: RecordedEvent
        /// Nil where it only waits behind another.
        let reason: String?

        /// - Parameter reason: of `Poison.reason`; nil where the event only waits behind another of its stream.
        package init(_ event: RecordedEvent, because reason: String?) {
            self.event = event
            self.reason = reason
        }
    }

    let kind: SubscriptionKind
    var table: String { "\(kind.schema).dead_letters" }
    /// What a subscription itself has met, and not a rebuild beside it.
    private var isItsOwn: String { kind == .readModels ? "not rebuilding" : "true" }

    package init(_ kind: SubscriptionKind) {
        self.kind = kind
    }

    /// The positions that somebody decided a subscription is never to apply, which a replay has to obey as the live one does.
    package func skipped(by name: String, on connection: isolated PostgresConnection) throws -> Set<Position> {
        let rows = try connection.query(
            "select position from \(table) where subscription = $1 and skipped_at is not null",
            name
        )
        return Set(try rows.map { Position(try $0.get(0, Int64.self)) })
    }

    /// - Parameter position: the subscription's checkpoint. What a read model has passed waits no longer: it was built anew.
    package func standing(of name: String, at position: Position, on connection: isolated PostgresConnection) throws -> Standing {
        if kind == .readModels {
            try connection.execute(
                """
                delete from \(table)
                 where subscription = $1 and position <= $2 and skipped_at is null and not rebuild_asked and \(isItsOwn)
                """,
                name,
                position.rawValue
            )
        }
        var waiting: [String: Waiting] = [:]
        let rows = try connection.query(
            """
            select stream, count(*), min(position), (array_agg(error is not null order by position))[1], bool_or(retry_asked)
              from \(table)
              where subscription = $1 and skipped_at is null and \(isItsOwn) and ($2::bigint is null or position > $2) group by stream
            """,
            name,
            kind == .readModels ? position.rawValue : nil
        )
        for row in rows {
            waiting[try row.get(0, String.self)] = Waiting(
                count: Int(try row.get(1, Int64.self)),
                first: Position(try row.get(2, Int64.self)),
                isBlocked: try row.get(3, Bool.self),
                isRetryAsked: try row.get(4, Bool.self)
            )
        }
        return Standing(skipped: try skipped(by: name, on: connection), waiting: waiting)
    }

    /// Nothing waits any more: what the subscription keeps is made anew from the first event. Skips stay, and so do those that were
    /// taken back.
    package func forgetWaiting(of name: String, on connection: isolated PostgresConnection) throws {
        try connection.execute("delete from \(table) where subscription = $1 and skipped_at is null and not rebuild_asked", name)
    }

    /// For read models: the positions that somebody skipped, and decided later to have applied where the model is built anew.
    package func restored(by name: String, on connection: isolated PostgresConnection) throws -> [Position] {
        try connection.query("select position from \(table) where subscription = $1 and rebuild_asked order by position", name)
            .map { Position(try $0.get(0, Int64.self)) }
    }

    /// For read models: such positions have been applied.
    package func forgetRestored(_ positions: [Position], of name: String, on connection: isolated PostgresConnection) throws {
        try connection.execute(
            "delete from \(table) where subscription = $1 and position = any($2) and rebuild_asked",
            name,
            PostgresArray(positions.map(\.rawValue))
        )
    }

    /// The statement that sets events aside. An event that was set aside before has been tried once more.
    package func setting(aside entries: [Entry], for name: String) -> PostgresStatement {
        PostgresStatement(
            """
            insert into \(table) as d (subscription, position, event_id, stream, type, error, attempts)
            select $1, n.position, n.event_id, n.stream, n.type, n.error, (n.error is not null)::int
              from unnest($2::bigint[], $3::uuid[], $4::text[], $5::text[], $6::text[])
                       as n(position, event_id, stream, type, error)
            on conflict (subscription, position) do update
               set error = excluded.error, attempts = d.attempts + 1, last_seen = clock_timestamp(), retry_asked = false, rebuild_asked = false
             where d.skipped_at is null
            """,
            name,
            PostgresArray(entries.map(\.event.position.rawValue)),
            PostgresArray(entries.map(\.event.id)),
            PostgresArray(entries.map(\.event.stream)),
            PostgresArray(entries.map(\.event.type)),
            PostgresArray(entries.map(\.reason))
        )
    }

    /// For policies: the first events of a stream that are parked, in order, kept from being skipped until the transaction ends.
    func parked(
        in stream: String,
        of name: String,
        limit: Int64,
        on connection: isolated PostgresConnection
    ) throws -> [RecordedEvent] {
        let positions = try connection.query(
            """
            select position from \(table)
             where subscription = $1 and stream = $2 and skipped_at is null order by position limit $3 for update
            """,
            name,
            stream,
            limit
        ).map { try $0.get(0, Int64.self) }
        return try connection.query(
            "select \(LogReader.columns) from log.events where position = any($1) order by position",
            PostgresArray(positions)
        ).map(LogReader.event)
    }

    /// For policies: the statement that goes with what parked events asked for.
    func removing(_ positions: [Position], of name: String) -> PostgresStatement {
        PostgresStatement(
            "delete from \(table) where subscription = $1 and position = any($2)",
            name,
            PostgresArray(positions.map(\.rawValue))
        )
    }

    /// For policies: whoever asked for another try of a stream has had it.
    func answering(_ stream: String, of name: String) -> PostgresStatement {
        PostgresStatement(
            "update \(table) set retry_asked = false where subscription = $1 and stream = $2 and retry_asked",
            name,
            stream
        )
    }

    /// For read models: the statement that goes with an event's changes when it has been applied after all. It raises where
    /// somebody has skipped the event meanwhile; see `CheckpointMoved.recognising`.
    package func resolving(_ position: Position, of name: String) -> PostgresStatement {
        PostgresStatement("select read.resolve_dead_letter($1, $2)", name, position.rawValue)
    }
}
