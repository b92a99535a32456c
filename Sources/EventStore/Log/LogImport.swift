import Dispatch
import FoundationEssentials
package import Logging
package import Postgres
import Synchronization

/// Makes a log again from what `LogExport` wrote: the same positions, bytes, hashes and commands.
///
/// It takes the log over as a recorder does, so that none writes meanwhile, and works in one transaction: a reader sees either
/// the empty log or all of it, and an import that fails leaves nothing. The chain is checked line by line. A recorder that
/// becomes active meanwhile ends the import.
package struct LogImport: Sendable {
    package enum Problem: Error, Sendable, Equatable, CustomStringConvertible {
        /// The log has events, or once had.
        case notEmpty(head: Position)
        /// The first line does not say what follows.
        case noManifest
        /// The file holds a later stretch of a log, not its beginning.
        case notFromTheBeginning(Position)
        /// A line that cannot be read, where this position was expected.
        case unreadable(line: Int, Position)
        /// A line that does not follow from those before it.
        case altered(line: Int, LogVerifier.Problem)
        /// The file ends too early.
        case truncated(line: Int, Position, last: Position)
        /// There are lines past the last event that the first line announced.
        case tooLong(line: Int)
        /// The events fit each other, but they are not those that the first line announced.
        case notAnnounced(last: Position)
        /// A recorder took the log over.
        case interrupted

        package var description: String {
            switch self {
            case .notEmpty(let head):
                "the log is not empty (head \(head)): import only into a database that was migrated and never used"
            case .noManifest: "line 1: this is no exported log"
            case .notFromTheBeginning(let first): "the file begins at position \(first): only a whole log can be imported"
            case .unreadable(let line, let position): "line \(line): cannot be read as position \(position)"
            case .altered(let line, let problem): "line \(line): \(problem)"
            case .truncated(let line, let position, let last):
                "the file ends after line \(line), before position \(position); it should go on to \(last)"
            case .tooLong(let line): "line \(line): there should be no more"
            case .notAnnounced(let last): "the hash of position \(last) is not the one that line 1 announces"
            case .interrupted: "a recorder took the log over: stop all recorders and import again"
            }
        }
    }

    package struct Report: Sendable, Equatable {
        package let events: Int64
        package let commands: Int64
        package let hash: [UInt8]
    }

    /// Events inserted at a time, and what they come to in the file's bytes at most; what more belongs to the last one's command comes with them.
    private static let batch = (events: 5000, bytes: 8_000_000)

    private let database: PostgresConfiguration
    private let logger: Logger

    /// - Parameter database: of a login that may take `DatabaseRole.recorder`.
    package init(database: PostgresConfiguration, logger: Logger) {
        self.database = database
        self.logger = logger
    }

    /// Imports a file.
    ///
    /// - Parameters:
    ///   - read: the file's next bytes, empty at its end. It may block.
    ///   - progress: is told after each batch how many events were read, and of how many.
    /// - Throws: `Problem`, a `PostgresError`, or what `read` throws. Nothing was imported then.
    package func run(
        read: @escaping @Sendable () throws -> [UInt8],
        progress: @Sendable (Int64, Int64) -> Void = { _, _ in }
    ) async throws -> Report {
        var settings = LogWriter.settings(for: database).with(applicationName: "coworkflow log import")
        // A file may come slowly and a batch may be large; nobody else can write anyway.
        settings.idleInTransactionTimeout = nil
        settings.statementTimeout = nil
        let connection = try await PostgresConnection.connect(settings, logger: logger)
        do {
            let report = try await connection.run { try Self.run(on: $0, read, progress) }
            await connection.close()
            return report
        } catch {
            await connection.close()
            throw error
        }
    }

    private static func run(
        on connection: isolated PostgresConnection,
        _ read: @escaping @Sendable () throws -> [UInt8],
        _ progress: @Sendable (Int64, Int64) -> Void
    ) throws -> Report {
        var start = LineReader(read)
        guard let first = try start.next(), let manifest = LogManifest.read(first) else { throw Problem.noManifest }
        guard manifest.first == Position(1), manifest.previous == EventHash.origin else {
            throw Problem.notFromTheBeginning(manifest.first)
        }
        do {
            // Looked at first: a recorder at work is not disturbed for nothing.
            let before = try LogReader.head(connection)
            guard before == .start else { throw Problem.notEmpty(head: before) }
            guard let taken = try connection.query("select epoch, head from log.take_over()").first else { throw Problem.interrupted }
            let (epoch, head) = (try taken.get(0, Int64.self), Position(try taken.get(1, Int64.self)))
            guard head == .start else { throw Problem.notEmpty(head: head) }
            return try connection.transaction { [start] connection in
                _ = try connection.pipeline([Committer.fence(epoch, from: .start, to: manifest.last, manifest.hash)])
                try refuseRemains(on: connection)
                return try fill(from: start, manifest, on: connection, progress)
            }
        } catch let error as PostgresError where error.sqlState == Committer.fencedState || error.isConnectionLost {
            throw error.sqlState == Committer.fencedState || error.sqlState == "57P01" ? Problem.interrupted : error
        }
    }

    /// A log whose head is 0 may yet have rows, if somebody put them there.
    private static func refuseRemains(on connection: isolated PostgresConnection) throws {
        let rows = try connection.query(
            """
            select exists (select from log.events) or exists (select from log.commands)
            """
        )
        guard try rows.first?.get(0, Bool.self) == false else { throw Problem.notEmpty(head: .start) }
    }

    private static func fill(
        from lines: LineReader,
        _ manifest: LogManifest,
        on connection: isolated PostgresConnection,
        _ progress: (Int64, Int64) -> Void
    ) throws -> Report {
        var check = ChainCheck()
        var commands: Int64 = 0
        let ahead = ReadAhead(lines, manifest)
        if manifest.last > .start { ahead.read(after: .start) }
        while check.position < manifest.last {
            let batch = try ahead.take()
            // The next is read and decoded while this one is checked and written.
            if let last = batch.events.last?.event.position, last < manifest.last { ahead.read(after: last) }
            let unknown = check.unknownStreams(batch.events)
            let found = try ChainCheck.predecessors(of: unknown, through: check.position, on: connection)
            let before = check.position
            if let problem = check.follow(batch.events, found: found) {
                throw Problem.altered(line: batch.line(of: check.position.next, after: before), problem)
            }
            try insert(batch, after: before, on: connection)
            commands += Int64(batch.commands.count)
            progress(check.position.rawValue, manifest.last.rawValue)
        }
        guard check.hash == manifest.hash else { throw Problem.notAnnounced(last: manifest.last) }
        if let line = try ahead.lineTooMany() { throw Problem.tooLong(line: line) }
        // What was told anybody outside was told where the file comes from.
        try connection.execute("select subs.begin_after($1)", manifest.last.rawValue)
        return Report(events: manifest.last.rawValue, commands: commands, hash: check.hash)
    }

    // MARK: Reading

    private struct Command {
        let id: UUID
        let fingerprint: [UInt8]
        let first: Position
        var last: Position
    }

    /// Whole commands: what follows a batch begins another one.
    private struct Batch {
        var events: [ChainedEvent] = []
        var commands: [Command] = []
        let firstLine: Int

        func line(of position: Position, after before: Position) -> Int {
            firstLine + Int(position.rawValue - before.rawValue) - 1
        }
    }

    private static func batch(from lines: inout LineReader, after position: Position, _ manifest: LogManifest) throws -> Batch {
        var batch = Batch(firstLine: lines.number + 1)
        var entries: [LogLine.Entry] = []
        var bytes = 0
        var position = position
        while position < manifest.last {
            guard let line = try lines.next() else {
                throw Problem.truncated(line: lines.number, position.next, last: manifest.last)
            }
            guard let entry = try? LogLine.read(line), isWellFormed(entry.event) else {
                throw Problem.unreadable(line: lines.number, position.next)
            }
            guard entry.event.position == position.next else {
                throw Problem.altered(line: lines.number, .missing(position.next))
            }
            if let fingerprint = entry.fingerprint {
                if entries.count >= Self.batch.events || bytes >= Self.batch.bytes {
                    lines.putBack(line)
                    break
                }
                batch.commands.append(
                    Command(id: entry.event.commandID, fingerprint: fingerprint, first: position.next, last: position.next)
                )
            }
            guard let command = batch.commands.last, command.id == entry.event.commandID else {
                throw Problem.altered(line: lines.number, .commandUnknown(position.next))
            }
            position = position.next
            batch.commands[batch.commands.count - 1].last = position
            entries.append(entry)
            bytes += line.count
        }
        batch.events = chained(entries, batch.commands)
        return batch
    }

    /// What the table would refuse, and a command's text cannot say.
    private static func isWellFormed(_ event: RecordedEvent) -> Bool {
        BatchPlanner.isStreamName(event.stream) && !event.type.utf8.contains(0) && event.schemaVersion > 0
    }

    private static func chained(_ entries: [LogLine.Entry], _ commands: [Command]) -> [ChainedEvent] {
        let records = commands.flatMap { command in
            let record = LogReader.CommandRecord(fingerprint: command.fingerprint, first: command.first, last: command.last)
            return repeatElement(record, count: Int(command.last.rawValue - command.first.rawValue) + 1)
        }
        return zip(entries, records).map { entry, record in
            ChainedEvent(event: entry.event, context: entry.event.context, hash: entry.hash, command: record)
        }
    }

    /// Reads one batch ahead of whoever takes them, on a queue of its own, where reading may block.
    private final class ReadAhead: Sendable {
        private let lines: Mutex<LineReader>
        private let manifest: LogManifest
        private let made = Mutex<Result<Batch, any Error>?>(nil)
        private let isMade = DispatchSemaphore(value: 0)
        private let queue = DispatchQueue(label: "coworkflow.import")

        init(_ lines: LineReader, _ manifest: LogManifest) {
            self.lines = Mutex(lines)
            self.manifest = manifest
        }

        /// Begins with the batch after a position; the one before has been taken.
        func read(after position: Position) {
            queue.async { [self] in
                let batch = Result { try lines.withLock { try LogImport.batch(from: &$0, after: position, manifest) } }
                made.withLock { $0 = batch }
                isMade.signal()
            }
        }

        /// Waits for the batch that was begun with.
        func take() throws -> Batch {
            isMade.wait()
            guard let batch = made.withLock({ made in made.take() }) else { preconditionFailure("a batch is made once and taken once") }
            return try batch.get()
        }

        /// The number of the line that follows the last batch, where there is one.
        func lineTooMany() throws -> Int? {
            try lines.withLock { lines in try lines.next() == nil ? nil : lines.number }
        }
    }

    // MARK: Writing

    private static func insert(_ batch: Batch, after position: Position, on connection: isolated PostgresConnection) throws {
        let new = try connection.query(
            """
            insert into log.commands (command_id, fingerprint, first_position, last_position)
            select unnest($1::uuid[]), unnest($2::bytea[]), unnest($3::int8[]), unnest($4::int8[])
            on conflict do nothing returning first_position
            """,
            PostgresArray(batch.commands.map(\.id)),
            PostgresArray(batch.commands.map(\.fingerprint)),
            PostgresArray(batch.commands.map(\.first.rawValue)),
            PostgresArray(batch.commands.map(\.last.rawValue))
        )
        if new.count < batch.commands.count {
            let accepted = Set(try new.map { Position(try $0.get(0, Int64.self)) })
            if let twice = batch.commands.first(where: { !accepted.contains($0.first) }) {
                throw Problem.altered(line: batch.line(of: twice.first, after: position), .commandUnknown(twice.first))
            }
        }
        try connection.copyIn(
            """
            copy log.events (position, event_id, stream, version, context, type, schema_version, recorded_at,
                             command_id, payload, metadata, hash)
            from stdin (format binary)
            """
        ) { copy in
            for link in batch.events {
                let event = link.event
                copy.write(event.position.rawValue)
                copy.write(event.id)
                copy.write(event.stream)
                copy.write(event.version.rawValue)
                copy.write(link.context)
                copy.write(event.type)
                copy.write(event.schemaVersion)
                copy.write(PostgresTimestamp(microsecondsSinceEpoch: event.recordedAt))
                copy.write(event.commandID)
                copy.write(event.payload)
                copy.write(event.metadata)
                copy.write(link.hash)
                try copy.endRow()
            }
        }
    }
}

/// Lines of a file that comes in pieces.
private struct LineReader: Sendable {
    /// No event comes near: an append has 4 MB at most.
    private static let longest = 32 << 20

    private let read: @Sendable () throws -> [UInt8]
    private var buffer: [UInt8] = []
    private var index = 0
    private var isAtEnd = false
    /// The number of the line that was read last, from 1.
    private(set) var number = 0
    private var pending: [UInt8]?

    init(_ read: @escaping @Sendable () throws -> [UInt8]) {
        self.read = read
    }

    /// The next line without its line feed; nil at the end. A last line without a line feed counts.
    mutating func next() throws -> [UInt8]? {
        if let line = pending {
            pending = nil
            number += 1
            return line
        }
        var searched = index
        while true {
            if let end = buffer[searched...].firstIndex(of: UInt8(ascii: "\n")) {
                defer { index = end + 1 }
                number += 1
                return Array(buffer[index..<end])
            }
            if isAtEnd || buffer.count - index > Self.longest {
                guard index < buffer.count else { return nil }
                defer { index = buffer.count }
                number += 1
                return Array(buffer[index...])
            }
            buffer.removeSubrange(..<index)
            index = 0
            searched = buffer.count
            let piece = try read()
            isAtEnd = piece.isEmpty
            buffer += piece
        }
    }

    /// Makes a line that was read the next one again.
    mutating func putBack(_ line: [UInt8]) {
        pending = line
        number -= 1
    }
}
