import Postgres

/// What replaying the log asks of it.
extension LogReader {
    /// The events of some types after `position`, up to and including `last`, in order, or as many of them as come to eight megabytes.
    ///
    /// - Returns: how far they go, besides: to `last` unless they were cut off.
    package func events(
        after position: Position,
        through last: Position,
        types: Set<String>
    ) async throws -> (events: [RecordedEvent], end: Position) {
        try await pool.withConnection { connection in
            let condition = "type in (\(Self.literals(types)))"
            return try Self.stretch(after: position, through: last, where: condition, on: connection) { event, _ in event }
        }
    }

    /// Where the last event of some types lies after a position.
    package func lastPosition(ofTypes types: Set<String>, after position: Position) async throws -> Position? {
        try await pool.withConnection { connection in
            try connection.query(
                "select max(position) from log.events where position > $1 and type = any($2)",
                position.rawValue,
                PostgresArray(types.sorted())
            ).first.flatMap { try $0.get(0, Int64?.self) }.map { Position($0) }
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
