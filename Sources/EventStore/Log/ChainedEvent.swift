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
    /// The events after `position` up to `last`, as they are stored, in order of position, or as many of them as come to eight megabytes.
    ///
    /// - Returns: how far they go, besides: to `last` unless they were cut off.
    package func chain(after position: Position, through last: Position) async throws -> (events: [ChainedEvent], end: Position) {
        try await pool.withConnection { connection in
            let (stored, end) = try Self.stretch(after: position, through: last, more: ", hash, context", on: connection) { event, row in
                Stored(event: event, hash: try row.read([UInt8].self), context: try row.read(String.self))
            }
            return (try Self.chained(stored, on: connection), end)
        }
    }

    /// The next events of a stream after a version, as they are stored, in order.
    package func chain(of stream: String, after version: StreamVersion, limit: Int32 = 500) async throws -> [ChainedEvent] {
        try await pool.withConnection { connection in
            let rows = try connection.query(
                """
                select \(Self.columns), hash, context from log.events
                 where stream = $1 and version > $2 order by version limit $3
                """,
                stream,
                version.rawValue,
                limit
            )
            let stored = try rows.map { row in
                Stored(event: try Self.event(row), hash: try row.get(10, [UInt8].self), context: try row.get(11, String.self))
            }
            return try Self.chained(stored, on: connection)
        }
    }

    /// What a row of the log says.
    private struct Stored {
        let event: RecordedEvent
        let hash: [UInt8]
        let context: String
    }

    /// Commands are looked up once each: a join would do it for every event, or read the whole table for every window.
    private static func chained(_ stored: [Stored], on connection: isolated PostgresConnection) throws -> [ChainedEvent] {
        let known = try connection.query(
            "select command_id, fingerprint, first_position, last_position from log.commands where command_id = any($1)",
            PostgresArray(Array(Set(stored.map(\.event.commandID))))
        )
        var commands: [UUID: CommandRecord] = [:]
        for row in known {
            commands[try row.get(0, UUID.self)] = CommandRecord(
                fingerprint: try row.get(1, [UInt8].self),
                first: Position(try row.get(2, Int64.self)),
                last: Position(try row.get(3, Int64.self))
            )
        }
        return stored.map { ChainedEvent(event: $0.event, context: $0.context, hash: $0.hash, command: commands[$0.event.commandID]) }
    }
}
