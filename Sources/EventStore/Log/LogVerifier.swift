package import Postgres

/// Walks the whole log and says whether it is what was recorded: positions and versions without gaps, every event hashing to
/// what follows it, and the tables beside the log in agreement with it.
///
/// Whoever can rewrite the log can also chain it anew from the place of the change; that shows only against a hash kept
/// elsewhere, which is why `Report.hash` is worth keeping.
package struct LogVerifier: Sendable {
    /// The first thing found wrong. Positions come before what is found at the end of the walk.
    package enum Problem: Sendable, Equatable, CustomStringConvertible {
        /// There is no event at a position before the head.
        case missing(Position)
        /// The event at a position, or its hash, is not what was recorded.
        case altered(Position)
        /// The event's version does not follow the stream's event before it.
        case versionGap(stream: String, Position)
        /// The event belongs to a command that the log does not know, so that a repeat of it would be recorded again.
        case commandUnknown(Position)
        /// There are events past the head.
        case pastHead(Position)
        /// The hash of the last event is not the one that the next event will be chained to.
        case writerDisagrees(head: Position)
        /// The heads table has another version for a stream than the log.
        case headOfStream(String)
        /// A checkpoint has considered events that the log does not have: the log, or the checkpoint, is from another time.
        case checkpointAhead(name: String, Position)

        package var description: String {
            switch self {
            case .missing(let position): "missing: position \(position)"
            case .altered(let position): "altered: position \(position)"
            case .versionGap(let stream, let position): "version gap: stream \(stream) at position \(position)"
            case .commandUnknown(let position): "command unknown: position \(position)"
            case .pastHead(let position): "event past the head: position \(position)"
            case .writerDisagrees(let head): "the writer's hash is not that of position \(head)"
            case .headOfStream(let stream): "the heads table disagrees with the log: stream \(stream)"
            case .checkpointAhead(let name, let position): "checkpoint ahead of the log: \(name) at \(position)"
            }
        }
    }

    package struct Report: Sendable, Equatable {
        /// Events found good before the first problem.
        package let events: Int64
        /// The head when the walk began.
        package let head: Position
        /// The hash of the last good event.
        package let hash: [UInt8]
        package let problem: Problem?
    }

    private let pool: PostgresPool
    private let window: Int64

    /// - Parameters:
    ///   - pool: connections of a login that may read `log`, `subs.checkpoints` and `read.checkpoints`: one that is a member
    ///     of the service's and of the projector's roles.
    ///   - window: positions read at a time.
    package init(pool: PostgresPool, window: Int64 = 1000) {
        self.pool = pool
        self.window = window
    }

    /// Checks everything recorded until now. What is appended meanwhile does no harm and is not looked at.
    ///
    /// - Parameter progress: is told now and then how many events were checked, and of how many.
    /// - Throws: where the database cannot be read. What is found is in the report.
    package func verify(progress: @Sendable (Int64, Int64) -> Void = { _, _ in }) async throws -> Report {
        let writer = try await pool.withConnection { try Self.writer($0) }
        var hash = EventHash.origin
        var position = Position.start
        while position < writer.head {
            let end = Position(min(position.rawValue + window, writer.head.rawValue))
            let links = try await links(after: position, through: end)
            for link in links {
                if let problem = Self.problem(of: link, after: position, hash) {
                    return Report(events: position.rawValue, head: writer.head, hash: hash, problem: problem)
                }
                position = link.event.position
                hash = link.hash
            }
            guard position == end else {
                return Report(events: position.rawValue, head: writer.head, hash: hash, problem: .missing(position.next))
            }
            progress(position.rawValue, writer.head.rawValue)
            try Task.checkCancellation()
        }
        let problem: Problem? =
            if let past = writer.past {
                .pastHead(past)
            } else if hash != writer.hash {
                .writerDisagrees(head: writer.head)
            } else {
                try await pool.withConnection { try Self.problemBeside($0) }
            }
        return Report(events: position.rawValue, head: writer.head, hash: hash, problem: problem)
    }

    // MARK: The chain

    private struct Link: Sendable {
        let event: RecordedEvent
        let context: String
        let hash: [UInt8]
        let followsItsStream: Bool
        let hasCommand: Bool
    }

    private static func problem(of link: Link, after position: Position, _ hash: [UInt8]) -> Problem? {
        let event = link.event
        guard event.position == position.next else { return .missing(position.next) }
        // The context is the one column that is not hashed, because it follows from one that is.
        guard link.hash == EventHash.hash(after: hash, event), link.context == event.context else { return .altered(event.position) }
        guard link.followsItsStream else { return .versionGap(stream: event.stream, event.position) }
        guard link.hasCommand else { return .commandUnknown(event.position) }
        return nil
    }

    private func links(after position: Position, through end: Position) async throws -> [Link] {
        try await pool.withConnection { connection in
            try connection.query(
                """
                select \(LogReader.columns), hash, context,
                       version = 1 or exists (
                           select from log.events b
                            where b.stream = e.stream and b.version = e.version - 1 and b.position < e.position),
                       exists (
                           select from log.commands c
                            where c.command_id = e.command_id and e.position between c.first_position and c.last_position)
                  from log.events e
                 where position > $1 and position <= $2
                 order by position
                """,
                position.rawValue,
                end.rawValue
            ).map { row in
                Link(
                    event: try LogReader.event(row),
                    context: try row.get(11, String.self),
                    hash: try row.get(10, [UInt8].self),
                    followsItsStream: try row.get(12, Bool.self),
                    hasCommand: try row.get(13, Bool.self)
                )
            }
        }
    }

    // MARK: Beside the log

    private struct Writer: Sendable {
        let head: Position
        let hash: [UInt8]
        let past: Position?
    }

    private static func writer(_ connection: isolated PostgresConnection) throws -> Writer {
        let row = try connection.query(
            "select head, hash, (select min(position) from log.events where position > head) from log.writer"
        ).first
        guard let row else { return Writer(head: .start, hash: EventHash.origin, past: nil) }
        return Writer(
            head: Position(try row.get(0, Int64.self)),
            hash: try row.get(1, [UInt8].self),
            past: try row.get(2, Int64?.self).map { Position($0) }
        )
    }

    private static func problemBeside(_ connection: isolated PostgresConnection) throws -> Problem? {
        // One statement sees heads and events at one instant, whatever is appended meanwhile.
        let heads = try connection.query(
            """
            select coalesce(h.stream, e.stream)
              from log.heads h
              full join (select stream, max(version) as version from log.events group by stream) e on e.stream = h.stream
             where h.version is distinct from e.version
             order by 1 limit 1
            """
        )
        if let row = heads.first { return .headOfStream(try row.get(0, String.self)) }
        let checkpoints = try connection.query(
            """
            select name, position
              from (select name, position from subs.checkpoints union all select name, position from read.checkpoints) c
             where position > (select head from log.writer)
             order by name limit 1
            """
        )
        return try checkpoints.first.map {
            .checkpointAhead(name: try $0.get(0, String.self), Position(try $0.get(1, Int64.self)))
        }
    }
}
