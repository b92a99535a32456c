package import Postgres

/// What becomes of an event that a rebuild of a read model could not apply. The model itself may have passed it long ago, and goes on.
extension DeadLetters {
    /// Sets an event aside that stopped a rebuild.
    ///
    /// - Parameter reason: of `Poison.reason`.
    package func setAside(
        _ event: RecordedEvent,
        because reason: String,
        byRebuildOf name: String,
        on connection: isolated PostgresConnection
    ) throws {
        try connection.execute(
            """
            insert into read.dead_letters as d (subscription, position, event_id, stream, type, error, attempts, rebuilding)
            values ($1, $2, $3, $4, $5, $6, 1, true)
            on conflict (subscription, position) do update
               set error = excluded.error, attempts = d.attempts + 1, last_seen = clock_timestamp(), retry_asked = false,
                   rebuilding = true
             where d.skipped_at is null
            """,
            name,
            event.position.rawValue,
            event.id,
            event.stream,
            event.type,
            reason
        )
    }

    /// Whether an event that stopped a rebuild is out of its way, or somebody has asked for another try.
    package func isReleased(_ position: Position, forRebuildOf name: String, on connection: isolated PostgresConnection) throws -> Bool {
        let row = try connection.query(
            "select retry_asked from read.dead_letters where subscription = $1 and position = $2 and skipped_at is null and rebuilding",
            name,
            position.rawValue
        ).first
        return try row?.get(0, Bool.self) ?? true
    }

    /// Nothing stands in a rebuild's way any more: it has applied everything. Skips stay.
    package func forgetRebuild(of name: String, on connection: isolated PostgresConnection) throws {
        try connection.execute("delete from read.dead_letters where subscription = $1 and rebuilding and skipped_at is null", name)
    }
}
