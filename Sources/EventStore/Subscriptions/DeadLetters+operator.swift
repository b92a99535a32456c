import FoundationEssentials
package import Postgres

/// What an operator asks of one kind of subscription.
extension DeadLetters {
    enum Fate {
        case waiting
        case skipped
    }

    /// Those that could not be applied or were skipped, by subscription and position.
    ///
    /// - Parameters:
    ///   - name: of one subscription only.
    ///   - place: only what comes after this subscription and position.
    package func letters(
        of name: String? = nil,
        after place: (subscription: String, position: Position)? = nil,
        limit: Int = 10_000,
        on connection: isolated PostgresConnection
    ) throws -> [DeadLetter] {
        try connection.query(
            """
            \(selection)
             where (d.error is not null or d.skipped_at is not null)
               and ($1::text is null or d.subscription = $1)
               and ($2::text is null or (d.subscription, d.position) > ($2, $3))
             order by d.subscription, d.position limit $4
            """,
            name,
            place?.subscription,
            place?.position.rawValue ?? 0,
            Int64(limit)
        ).map(letter)
    }

    /// What became of the event at a position, those included that only wait behind another.
    func letters(at position: Position, on connection: isolated PostgresConnection) throws -> [DeadLetter] {
        try connection.query("\(selection) where d.position = $1 order by d.subscription", position.rawValue).map(letter)
    }

    /// - Returns: what is to become of the event, nil where it was not set aside. That stays so until the transaction ends.
    func lock(_ position: Position, of name: String, on connection: isolated PostgresConnection) throws -> Fate? {
        try connection.query(
            "select skipped_at is null from \(table) where subscription = $1 and position = $2 for update",
            name,
            position.rawValue
        ).first.map { try $0.get(0, Bool.self) ? .waiting : .skipped }
    }

    /// - Parameter position: of an event whose stream is meant; nil for all.
    /// - Returns: how many events wait.
    func askForRetry(of name: String, at position: Position?, on connection: isolated PostgresConnection) throws -> Int {
        try connection.execute(
            """
            update \(table) as d set retry_asked = true
             where subscription = $1 and skipped_at is null and not rebuild_asked
               and ($2::bigint is null
                    or stream = (select stream from \(table) where subscription = $1 and position = $2))
            """,
            name,
            position?.rawValue
        )
    }

    func skip(
        _ position: Position,
        of name: String,
        by person: String,
        because reason: String,
        on connection: isolated PostgresConnection
    ) throws {
        try connection.execute(
            """
            update \(table)
               set skipped_at = clock_timestamp(), skipped_by = $3, skip_reason = $4, retry_asked = false, rebuild_asked = false
             where subscription = $1 and position = $2
            """,
            name,
            position.rawValue,
            person,
            reason
        )
        try note(.skip, of: position, in: name, by: person, because: reason, on: connection)
    }

    /// A policy gives what the event asks for when it looks next. A read model may have passed the event, so it has to be built anew; what
    /// a replay has built until now may have passed it too.
    func unskip(
        _ position: Position,
        of name: String,
        by person: String,
        because reason: String,
        on connection: isolated PostgresConnection
    ) throws {
        try connection.execute(
            """
            update \(table)
               set skipped_at = null, skipped_by = null, skip_reason = null, retry_asked = $3, rebuild_asked = not $3
             where subscription = $1 and position = $2
            """,
            name,
            position.rawValue,
            kind == .policies
        )
        if kind == .readModels { try connection.execute("delete from read_shadow.builds where name = $1", name) }
        try note(.unskip, of: position, in: name, by: person, because: reason, on: connection)
    }

    private func note(
        _ decision: DeadLetterDecision.Kind,
        of position: Position,
        in name: String,
        by person: String,
        because reason: String,
        on connection: isolated PostgresConnection
    ) throws {
        try connection.execute(
            "insert into \(decisionTable) (subscription, position, decision, decided_by, reason) values ($1, $2, $3, $4, $5)",
            name,
            position.rawValue,
            decision.rawValue,
            person,
            reason
        )
    }

    /// What was decided about the event at a position, in order.
    func decisions(about position: Position, on connection: isolated PostgresConnection) throws -> [DeadLetterDecision] {
        try connection.query(
            "select subscription, decision = 'skip', decided_at, decided_by, reason from \(decisionTable) where position = $1 order by decided_at",
            position.rawValue
        ).map { row in
            DeadLetterDecision(
                subscription: try row.get(0),
                kind: try row.get(1, Bool.self) ? .skip : .unskip,
                at: try row.get(2, PostgresTimestamp.self).microsecondsSinceEpoch,
                by: try row.get(3),
                reason: try row.get(4)
            )
        }
    }

    private var decisionTable: String { "\(kind.schema).dead_letter_decisions" }

    private var selection: String {
        """
        select d.subscription, d.position, d.event_id, d.stream, d.type, d.error, d.attempts, d.first_seen, d.last_seen,
               d.retry_asked, d.skipped_at, d.skipped_by, d.skip_reason, d.rebuild_asked,
               case when d.error is null then 0 else (
                   select count(*) from \(table) as w
                    where w.subscription = d.subscription and w.stream = d.stream and w.skipped_at is null
                      and w.position > d.position
               ) end
          from \(table) as d
        """
    }

    private func letter(_ row: PostgresRow) throws -> DeadLetter {
        let skip = try row.get(10, PostgresTimestamp?.self).map { at in
            DeadLetter.Skip(at: at.microsecondsSinceEpoch, by: try row.get(11), reason: try row.get(12))
        }
        return DeadLetter(
            kind: kind,
            subscription: try row.get(0),
            position: Position(try row.get(1, Int64.self)),
            eventID: try row.get(2),
            stream: try row.get(3),
            type: try row.get(4),
            error: try row.get(5),
            attempts: try row.get(6),
            firstSeen: try row.get(7, PostgresTimestamp.self).microsecondsSinceEpoch,
            lastSeen: try row.get(8, PostgresTimestamp.self).microsecondsSinceEpoch,
            isRetryAsked: try row.get(9),
            skip: skip,
            isRebuildAsked: try row.get(13),
            waitingBehind: try row.get(14)
        )
    }
}
