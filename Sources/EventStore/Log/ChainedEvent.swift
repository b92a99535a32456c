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
            try connection.query(
                """
                select \(Self.columns), hash, context, fingerprint, first_position, last_position
                  from log.events e
                  left join (
                      select command_id as id, fingerprint, first_position, last_position from log.commands
                  ) c on c.id = e.command_id
                 where position between $1 and $2
                 order by position
                """,
                first.rawValue,
                last.rawValue
            ).map(Self.chained)
        }
    }

    private static func chained(_ row: PostgresRow) throws -> ChainedEvent {
        ChainedEvent(
            event: try event(row),
            context: try row.get(11, String.self),
            hash: try row.get(10, [UInt8].self),
            command: try row.get(12, [UInt8]?.self).map { fingerprint in
                CommandRecord(
                    fingerprint: fingerprint,
                    first: Position(try row.get(13, Int64.self)),
                    last: Position(try row.get(14, Int64.self))
                )
            }
        )
    }
}
