package import FoundationEssentials
package import Postgres

/// Walks the whole log and says whether it is what was recorded: positions and versions without gaps, every event hashing to
/// what follows it, and the tables beside the log in agreement with it.
///
/// Whoever can rewrite the log can also chain it anew from the place of the change; that shows only against heads that were
/// signed and kept elsewhere (see `SignedHead`).
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
        /// The event does not lie where the log says that its command's events do, or where it says that another's do.
        case commandRange(Position)
        /// The log knows a command of which it has no event.
        case commandWithoutEvents(UUID)
        /// There is an event past the head, or before the first position.
        case outside(Position)
        /// The hash of the last event is not the one that the next event will be chained to.
        case writerDisagrees(head: Position)
        /// A checkpoint has considered events that the log does not have: the log, or the checkpoint, is from another time.
        case checkpointAhead(name: String, Position)

        /// The chain holds, but it is not the one whose head was signed: events of this stretch were altered, and all that
        /// follows was chained anew.
        case chainedAnew(after: Position, through: Position)
        /// The log ends before a position that was signed.
        case shorterThanSigned(Position)

        package var description: String {
            switch self {
            case .missing(let position): "missing: position \(position)"
            case .altered(let position): "altered: position \(position)"
            case .versionGap(let stream, let position): "version gap: stream \(stream) at position \(position)"
            case .commandUnknown(let position): "command unknown: position \(position)"
            case .commandRange(let position): "command's range is not that of its events: position \(position)"
            case .commandWithoutEvents(let id): "command without events: \(id.uuidString.lowercased())"
            case .outside(let position): "event outside the log: position \(position)"
            case .writerDisagrees(let head): "the writer's hash is not that of position \(head)"
            case .chainedAnew(let good, let position):
                "chained anew: position \(position) is not the one that was signed; altered after position \(good)"
            case .shorterThanSigned(let position): "shorter than signed: position \(position) was signed and is not there"
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

    private let reader: LogReader
    private let window: Int64
    private let rememberedStreams: Int

    /// - Parameters:
    ///   - pool: connections of a login that may read `log`, `subs.checkpoints` and `read.checkpoints`: one that is a member
    ///     of the service's and of the projector's roles.
    ///   - window: positions read at a time.
    ///   - rememberedStreams: how many streams' versions are kept in memory; the others are looked up.
    package init(pool: PostgresPool, window: Int64 = 2000, rememberedStreams: Int = 100_000) {
        reader = LogReader(pool: pool)
        self.window = window
        self.rememberedStreams = rememberedStreams
    }

    /// Checks everything recorded until now. What is appended meanwhile does no harm and is not looked at.
    ///
    /// - Parameters:
    ///   - signed: heads that were signed earlier, in any order: the log must still have every one of them.
    ///   - progress: is told after each window how many events were checked, and of how many.
    /// - Throws: where the database cannot be read. What is found is in the report.
    package func verify(
        against signed: [SignedHead] = [],
        progress: @Sendable (Int64, Int64) -> Void = { _, _ in }
    ) async throws -> Report {
        let writer = try await reader.pool.withConnection { try Self.writer($0) }
        var check = ChainCheck(rememberedStreams: rememberedStreams)
        let signed = SignedHeads(signed)
        var problem = try await ChainWalk(reader: reader, window: window).run(&check, to: writer.head) { events in
            if let end = events.last?.event.position { progress(end.rawValue, writer.head.rawValue) }
            return signed.problem(of: events)
        }
        if problem == nil, let missing = signed.beyond(writer.head) { problem = .shorterThanSigned(missing) }
        if problem == nil { problem = try await atTheEnd(writer, check) }
        return Report(events: check.position.rawValue, head: writer.head, hash: check.hash, problem: problem)
    }

    /// Checks only what was recorded after a head that is trusted: the chain, not the tables beside it.
    package func verify(after head: SignedHead) async throws -> Report {
        let writer = try await reader.pool.withConnection { try Self.writer($0) }
        guard writer.head >= head.position else {
            return Report(events: 0, head: writer.head, hash: head.hash, problem: .shorterThanSigned(head.position))
        }
        // The signed event is read again: it may have been chained anew with all that follows it.
        guard (try await reader.hash(at: head.position) ?? EventHash.origin) == head.hash else {
            return Report(events: 0, head: writer.head, hash: head.hash, problem: .chainedAnew(after: .start, through: head.position))
        }
        var check = ChainCheck(after: head.position, head.hash, rememberedStreams: rememberedStreams)
        var problem = try await ChainWalk(reader: reader, window: window).run(&check, to: writer.head) { _ in nil }
        if problem == nil, check.isWithinCommand { problem = .commandRange(writer.head) }
        if problem == nil, check.hash != writer.hash { problem = .writerDisagrees(head: writer.head) }
        let events = check.position.rawValue - head.position.rawValue
        return Report(events: events, head: writer.head, hash: check.hash, problem: problem)
    }

    // MARK: Beside the log

    private struct Writer: Sendable {
        let head: Position
        let hash: [UInt8]
        /// Of an event that the walk does not come to.
        let outside: Position?
    }

    private static func writer(_ connection: isolated PostgresConnection) throws -> Writer {
        let row = try connection.query(
            """
            select head, hash, coalesce((select min(position) from log.events where position < 1),
                                        (select min(position) from log.events where position > head))
              from log.writer
            """
        ).first
        guard let row else { return Writer(head: .start, hash: EventHash.origin, outside: nil) }
        return Writer(
            head: Position(try row.get(0, Int64.self)),
            hash: try row.get(1, [UInt8].self),
            outside: try row.get(2, Int64?.self).map { Position($0) }
        )
    }

    private func atTheEnd(_ writer: Writer, _ check: ChainCheck) async throws -> Problem? {
        if let outside = writer.outside { return .outside(outside) }
        if check.isWithinCommand { return .commandRange(writer.head) }
        if check.hash != writer.hash { return .writerDisagrees(head: writer.head) }
        return try await reader.pool.withConnection { connection in
            try Self.commandWithoutEvents(through: writer.head, seen: check.commands, connection) ?? Self.checkpointAhead(connection)
        }
    }

    /// A command that recorded nothing would be answered as done by whoever gives it.
    private static func commandWithoutEvents(
        through head: Position,
        seen: Int64,
        _ connection: isolated PostgresConnection
    ) throws -> Problem? {
        let count = try connection.query(
            """
            select count(*) filter (where first_position <= $1), count(*) filter (where first_position > w.head)
              from log.commands, log.writer w
            """,
            head.rawValue
        ).first
        guard try count?.get(0, Int64.self) != seen || count?.get(1, Int64.self) != 0 else { return nil }
        return try connection.query(
            """
            select c.command_id
              from log.commands c
             where (c.first_position <= $1 or c.first_position > (select head from log.writer))
               and not exists (
                       select from log.events e where e.position = c.first_position and e.command_id = c.command_id)
             order by c.first_position, c.command_id limit 1
            """,
            head.rawValue
        ).first.map { .commandWithoutEvents(try $0.get(0, UUID.self)) }
    }

    private static func checkpointAhead(_ connection: isolated PostgresConnection) throws -> Problem? {
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
