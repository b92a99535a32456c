import Postgres

/// What replaying the log asks of it.
extension LogReader {
    /// The events of some types after `position`, up to and including `end`, in order.
    package func events(after position: Position, through end: Position, types: Set<String>) async throws -> [RecordedEvent] {
        try await pool.withConnection { connection in
            try connection.query(
                """
                select \(Self.columns) from log.events
                 where position > $1 and position <= $2 and type = any($3) order by position
                """,
                position.rawValue,
                end.rawValue,
                PostgresArray(types.sorted())
            ).map(Self.event)
        }
    }

    /// The hash of the event at a position, nil where the log has none.
    package func hash(at position: Position) async throws -> [UInt8]? {
        try await pool.withConnection { connection in
            try connection.query("select hash from log.events where position = $1", position.rawValue).first.map {
                try $0.get(0, [UInt8].self)
            }
        }
    }

    /// The last position recorded at or before a time; `.start` where nothing was. Times never decrease along the log, so it is
    /// found by halving.
    ///
    /// - Parameter time: microseconds since the Unix epoch, by the recorder's clock.
    package func lastPosition(at time: Int64) async throws -> Position {
        try await pool.withConnection { connection in
            var before: Int64 = 0
            var after = try Self.head(connection).rawValue + 1
            while after - before > 1 {
                let middle = before + (after - before) / 2
                let row = try connection.query("select recorded_at from log.events where position = $1", middle).first
                guard let recordedAt = try row.map({ try $0.get(0, PostgresTimestamp.self).microsecondsSinceEpoch }) else { break }
                if recordedAt <= time { before = middle } else { after = middle }
            }
            return Position(before)
        }
    }
}
