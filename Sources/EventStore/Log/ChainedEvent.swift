import FoundationEssentials
import Postgres

/// An event with all that the log keeps beside it: enough to make the very same log elsewhere.
package struct ChainedEvent: Sendable, Equatable {
    package let event: RecordedEvent
    /// As stored. It follows from the type, so it is not hashed.
    package let context: String
    package let hash: [UInt8]
    /// What the log knows of the event's command; nil where it knows nothing, which is a fault of the log.
    package let command: LogReader.CommandRecord?
}

extension LogReader {
    /// The events from `first` to `last`, both included, as they are stored, in order of position.
    package func chain(from first: Position, through last: Position) async throws -> [ChainedEvent] {
        try await pool.withConnection { connection in
            try Self.chained(
                try connection.query(
                    "select \(Self.columns), hash, context from log.events where position between $1 and $2 order by position",
                    first.rawValue,
                    last.rawValue
                ),
                on: connection
            )
        }
    }

    /// The next events of a stream after a version, as they are stored, in order.
    package func chain(of stream: String, after version: StreamVersion, limit: Int32 = 500) async throws -> [ChainedEvent] {
        try await pool.withConnection { connection in
            try Self.chained(
                try connection.query(
                    """
                    select \(Self.columns), hash, context from log.events
                     where stream = $1 and version > $2 order by version limit $3
                    """,
                    stream,
                    version.rawValue,
                    limit
                ),
                on: connection
            )
        }
    }

    /// Commands are looked up once each: a join would do it for every event, or read the whole table for every window.
    private static func chained(_ rows: PostgresRows, on connection: isolated PostgresConnection) throws -> [ChainedEvent] {
        let events = try rows.map(event)
        let known = try connection.query(
            "select command_id, fingerprint, first_position, last_position from log.commands where command_id = any($1)",
            PostgresArray(Array(Set(events.map(\.commandID))))
        )
        var commands: [UUID: CommandRecord] = [:]
        for row in known {
            commands[try row.get(0, UUID.self)] = CommandRecord(
                fingerprint: try row.get(1, [UInt8].self),
                first: Position(try row.get(2, Int64.self)),
                last: Position(try row.get(3, Int64.self))
            )
        }
        return try zip(rows, events).map { row, event in
            ChainedEvent(
                event: event,
                context: try row.get(11, String.self),
                hash: try row.get(10, [UInt8].self),
                command: commands[event.commandID]
            )
        }
    }
}
