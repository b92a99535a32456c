package import FoundationEssentials
package import Postgres

/// Reads the log. Every position up to the head is there and final, because one writer assigns them.
package struct LogReader: Sendable {
    /// A stretch of the log, complete for the contexts asked for up to `end`.
    package struct Page: Sendable {
        package let events: [RecordedEvent]
        /// The last position considered.
        package let end: Position
        /// The head of the log when the page was read.
        package let head: Position
    }

    /// What is known of a command that appended.
    package struct CommandRecord: Sendable, Equatable {
        package let fingerprint: [UInt8]
        package let first: Position
        package let last: Position
    }

    let pool: PostgresPool
    /// The log's events, decoded once.
    package let decoded: DecodedEvents

    /// - Parameter pool: connections of a role that may read the log.
    package init(pool: PostgresPool) {
        self.pool = pool
        decoded = DecodedEvents()
    }

    /// The last recorded position; `.start` for an empty log.
    package func head() async throws -> Position {
        try await pool.withConnection { try Self.head($0) }
    }

    /// Every event of the streams, each stream in order of version. A stream that does not exist has no entry.
    ///
    /// All streams are read in one statement, so they are seen at one instant.
    package func streams(_ names: [String]) async throws -> [String: [RecordedEvent]] {
        guard !names.isEmpty else { return [:] }
        return try await pool.withConnection { connection in
            let rows = try connection.query(
                "select \(Self.columns) from log.events where stream = any($1) order by stream, version",
                PostgresArray(names)
            )
            var streams: [String: [RecordedEvent]] = [:]
            for row in rows {
                let event = try Self.event(row)
                streams[event.stream, default: []].append(event)
            }
            return streams
        }
    }

    /// The names of the streams that begin with a text, in the order of their bytes.
    ///
    /// - Parameter start: ends with an ASCII character.
    package func streams(beginningWith start: String) async throws -> [String] {
        try await pool.withConnection { connection in
            // Each has one first event. The index has them in the order of their bytes.
            try connection.query(
                "select stream from log.events where stream >= $1 and stream < $2 and version = 1 order by stream",
                start, Self.end(of: start)
            ).map { try $0.get(0, String.self) }
        }
    }

    /// The first text after all that begin with this one.
    private static func end(of start: String) -> String {
        String(decoding: start.utf8.dropLast() + start.utf8.suffix(1).map { $0 + 1 }, as: UTF8.self)
    }

    /// The next events after a position.
    ///
    /// - Parameters:
    ///   - contexts: only these, or all where nil.
    ///   - window: how many positions are considered at most; fewer where their events come to more than eight megabytes.
    package func page(after position: Position, contexts: Set<String>?, window: Int64 = 2000) async throws -> Page {
        try await pool.withConnection { try Self.page(after: position, contexts: contexts, window: window, on: $0) }
    }

    /// The events from `first` to `last`, both included.
    package func events(from first: Position, through last: Position) async throws -> [RecordedEvent] {
        try await pool.withConnection { connection in
            try connection.query(
                "select \(Self.columns) from log.events where position between $1 and $2 order by position",
                first.rawValue,
                last.rawValue
            ).map(Self.event)
        }
    }

    /// Everything that the commands recorded, in whatever streams, in order of position.
    package func events(of commands: Set<UUID>) async throws -> [RecordedEvent] {
        try await pool.withConnection { connection in
            try connection.query(
                """
                select \(Self.columns)
                  from (select first_position, last_position from log.commands where command_id = any($1)) c
                  join log.events on position between first_position and last_position
                 order by position
                """,
                PostgresArray(Array(commands))
            ).map(Self.event)
        }
    }

    /// Those of some events that lie in some streams, in order of position. Nothing else finds an event by its id.
    package func events(_ ids: Set<UUID>, in streams: Set<String>) async throws -> [RecordedEvent] {
        guard !ids.isEmpty else { return [] }
        return try await pool.withConnection { connection in
            try connection.query(
                "select \(Self.columns) from log.events where stream = any($1) and event_id = any($2) order by position",
                PostgresArray(streams.sorted()),
                PostgresArray(Array(ids))
            ).map(Self.event)
        }
    }

    /// The positions a command recorded, nil if it recorded nothing (yet).
    package func command(_ id: UUID) async throws -> CommandRecord? {
        try await pool.withConnection { connection in
            try connection.query(
                "select fingerprint, first_position, last_position from log.commands where command_id = $1",
                id
            ).first.map { row in
                CommandRecord(
                    fingerprint: try row.get(0, [UInt8].self),
                    first: Position(try row.get(1, Int64.self)),
                    last: Position(try row.get(2, Int64.self))
                )
            }
        }
    }

    static func head(_ connection: isolated PostgresConnection) throws -> Position {
        guard let row = try connection.query("select head from log.writer").first else { return .start }
        return Position(try row.get(0, Int64.self))
    }

    static func page(
        after position: Position,
        contexts: Set<String>?,
        window: Int64,
        on connection: isolated PostgresConnection
    ) throws -> Page {
        let head = try head(connection)
        let end = Position(min(position.rawValue + window, head.rawValue))
        guard end > position else { return Page(events: [], end: position, head: head) }
        let condition = contexts.map { "context in (\(literals($0)))" } ?? "true"
        let (events, reached) = try stretch(after: position, through: end, where: condition, on: connection) { event, _ in event }
        return Page(events: events, end: reached, head: head)
    }

    /// What the events of a stretch come to, in bytes of payload and metadata, before its last one.
    private static let stretchBytes = 8_000_000

    private struct StretchIsFull: Error {}

    /// The events after `position` up to `last` that meet a condition, in order, up to the one that fills the stretch: what follows is not sent
    /// any more. COPY hands over row by row what a statement's result would hold as a whole, and its rows are decoded while Postgres prints
    /// the next.
    ///
    /// - Parameters:
    ///   - condition: SQL; COPY takes no parameters.
    ///   - more: further columns, each after a comma, that `read` reads.
    /// - Returns: what `read` makes of them, and how far they go: to `last` unless they were cut off.
    static func stretch<Element>(
        after position: Position,
        through last: Position,
        where condition: String = "true",
        more: String = "",
        on connection: isolated PostgresConnection,
        read: (RecordedEvent, inout PostgresCopyRow) throws -> Element
    ) throws -> (events: [Element], end: Position) {
        var elements: [Element] = []
        var reached = position
        var bytes = 0
        do {
            try connection.copyOut(
                """
                copy (select \(columns)\(more) from log.events
                       where position > \(position) and position <= \(last) and \(condition) order by position)
                  to stdout (format binary)
                """
            ) { row in
                if bytes >= stretchBytes { throw StretchIsFull() }
                let event = try Self.event(&row)
                reached = event.position
                bytes += event.payload.count + event.metadata.count
                elements.append(try read(event, &row))
            }
            return (elements, last)
        } catch is StretchIsFull {
            return (elements, reached)
        }
    }

    /// A list of SQL's text literals, at least one.
    static func literals(_ texts: Set<String>) -> String {
        texts.isEmpty ? "null" : texts.sorted().map { "'\($0.replacing("'", with: "''"))'" }.joined(separator: ", ")
    }

    static let columns =
        "position, event_id, stream, version, type, schema_version, recorded_at, command_id, payload, metadata"

    static func event(_ row: PostgresRow) throws -> RecordedEvent {
        RecordedEvent(
            position: Position(try row.get(0, Int64.self)),
            id: try row.get(1, UUID.self),
            stream: try row.get(2, String.self),
            version: StreamVersion(try row.get(3, Int32.self)),
            type: try row.get(4, String.self),
            schemaVersion: try row.get(5, Int16.self),
            recordedAt: try row.get(6, PostgresTimestamp.self).microsecondsSinceEpoch,
            commandID: try row.get(7, UUID.self),
            payload: try row.get(8, [UInt8].self),
            metadata: try row.get(9, [UInt8].self)
        )
    }
    /// Reads `columns`, in their order.
    private static func event(_ row: inout PostgresCopyRow) throws -> RecordedEvent {
        RecordedEvent(
            position: Position(try row.read(Int64.self)),
            id: try row.read(UUID.self),
            stream: try row.read(String.self),
            version: StreamVersion(try row.read(Int32.self)),
            type: try row.read(String.self),
            schemaVersion: try row.read(Int16.self),
            recordedAt: try row.read(PostgresTimestamp.self).microsecondsSinceEpoch,
            commandID: try row.read(UUID.self),
            payload: try row.read([UInt8].self),
            metadata: try row.read([UInt8].self)
        )
    }
}
