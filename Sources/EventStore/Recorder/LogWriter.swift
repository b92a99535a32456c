import FoundationEssentials
import Logging
import Postgres

/// The database side of the recorder: holds the writer's epoch, and what the log was after the last commit.
///
/// Everything in memory is provisional. After any failed or unknown commit the writer is thrown away; the next one takes
/// a new epoch and reads what is true.
struct LogWriter: ~Copyable {
    /// Another recorder has taken the log over.
    struct Fenced: Error {}

    private static let fencedState = "CW001"
    /// What the log says to a plan that assumed wrongly: by `log.expect`, or by its indexes on commands and on versions.
    private static let doubtedStates: Set<String> = ["CW005", "23505"]
    /// Some ten megabytes.
    private static let maximumCachedHeads = 50_000

    private let connection: PostgresConnection
    private let epoch: Int64
    private(set) var head: Position
    private var hash: [UInt8]
    private var heads = RecentlyUsed<String, StreamVersion>(capacity: LogWriter.maximumCachedHeads)
    /// Whether the last batch was written as planned. After a takeover, requests are likely to be second tries.
    private var isTrusting = false
    private var lastRecordedAt: Int64 = 0
    /// Positions of contexts before this epoch are not known one by one: for those the head at takeover stands, which
    /// makes a consumer read the log once more than it need.
    private let takenOverAt: Position
    private var lastOfContext: [String: Position] = [:]

    /// What every connection that writes the log is set to, whatever the configuration says otherwise: a commit that is
    /// acknowledged is on disk, and a writer that falls asleep in a transaction does not hold the log up.
    static func settings(for configuration: PostgresConfiguration) -> PostgresConfiguration {
        var settings = configuration.taking(.recorder).with(applicationName: "coworkflow recorder")
        settings.synchronousCommit = "on"
        settings.idleInTransactionTimeout = .seconds(2)
        settings.statementTimeout = .seconds(10)
        return settings
    }

    /// Connects and takes the log over from whoever wrote it before.
    ///
    /// - Parameter configuration: of a login that may take `DatabaseRole.recorder`.
    static func takeOver(_ configuration: PostgresConfiguration, logger: Logger) async throws -> LogWriter {
        let connection = try await PostgresConnection.connect(settings(for: configuration), logger: logger)
        do {
            return try await connection.run { connection in
                guard let row = try connection.query("select epoch, head, hash from log.take_over()").first else {
                    throw Fenced()
                }
                let epoch = try row.get(0, Int64.self)
                let head = Position(try row.get(1, Int64.self))
                let hash = try row.get(2, [UInt8].self)
                let last = try connection.query("select recorded_at from log.events where position = $1", head.rawValue)
                let recordedAt = try last.first.map { try $0.get(0, PostgresTimestamp.self).microsecondsSinceEpoch } ?? 0
                return Taken(epoch: epoch, head: head, hash: hash, recordedAt: recordedAt)
            }.writer(connection)
        } catch {
            await connection.close()
            throw error
        }
    }

    private struct Taken: Sendable {
        let epoch: Int64
        let head: Position
        let hash: [UInt8]
        let recordedAt: Int64

        func writer(_ connection: PostgresConnection) -> LogWriter {
            LogWriter(connection: connection, taken: self)
        }
    }

    private init(connection: PostgresConnection, taken: Taken) {
        self.connection = connection
        epoch = taken.epoch
        head = taken.head
        hash = taken.hash
        lastRecordedAt = taken.recordedAt
        takenOverAt = taken.head
    }

    func close() async {
        await connection.close()
    }

    /// What a batch did to the log.
    struct Written: Sendable {
        let outcomes: [AppendOutcome]
        let events: [RecordedEvent]
        /// For each context that this epoch has recorded, the last position before the batch.
        let previous: [String: Position]
        /// The same for all other contexts.
        let elsewhere: Position
    }

    /// Decides the requests in order and commits all that are accepted in one transaction.
    ///
    /// Streams and commands that are not known yet are taken to be as the requests expect them, which the transaction itself checks:
    /// so an append takes one round trip. Where that was wrong nothing is written; then they are looked up and decided again.
    ///
    /// - Throws: `Fenced` where another recorder took over; any other error leaves the outcome unknown. After either, the
    ///   writer must not be used again.
    mutating func write(_ requests: [AppendRequest], now: Int64) async throws -> Written {
        lastRecordedAt = max(lastRecordedAt, now)
        if isTrusting, let written = try await writeAssuming(requests, now: now) { return written }
        let (versions, known) = try await lookUp(requests)
        var planner = planner(heads: versions, known: known, now: now)
        let outcomes = requests.map { planner.decide($0) }
        if !planner.events.isEmpty {
            try await commit(planner)
            isTrusting = true
        }
        return advance(to: planner, outcomes)
    }

    /// - Returns: nil where something must be looked up; nothing was written then.
    private mutating func writeAssuming(_ requests: [AppendRequest], now: Int64) async throws -> Written? {
        var versions: [String: StreamVersion] = [:]
        for stream in requests.lazy.flatMap(\.streams) where versions[stream.stream] == nil {
            versions[stream.stream] = heads.value(for: stream.stream)
        }
        var planner = planner(heads: versions, known: [], isAssuming: true, now: now)
        let outcomes = requests.map { planner.decide($0) }
        // A refusal may rest on what was only assumed, and a command that is refused may be a repeat.
        guard outcomes.allSatisfy(\.isAcceptance) else { return nil }
        do {
            try await commit(planner)
        } catch let error as PostgresError where !error.isConnectionLost && Self.doubtedStates.contains(error.sqlState ?? "") {
            return nil
        }
        return advance(to: planner, outcomes)
    }

    private func planner(
        heads: [String: StreamVersion],
        known: [BatchPlanner.CommandRow],
        isAssuming: Bool = false,
        now: Int64
    ) -> BatchPlanner {
        BatchPlanner(
            head: head,
            hash: hash,
            heads: heads,
            isAssuming: isAssuming,
            known: known,
            recordedAt: lastRecordedAt,
            now: now
        )
    }

    /// The versions of the streams that the requests name, and those of their commands that the log knows.
    private mutating func lookUp(
        _ requests: [AppendRequest]
    ) async throws -> (versions: [String: StreamVersion], known: [BatchPlanner.CommandRow]) {
        let named = Set(requests.lazy.flatMap { $0.streams.lazy.map(\.stream) }).filter(BatchPlanner.isStreamName)
        var versions: [String: StreamVersion] = [:]
        for stream in named { versions[stream] = heads.value(for: stream) }
        let unknown = named.filter { versions[$0] == nil }
        let ids = requests.map(\.commandID)
        let (found, rows) = try await connection.run { connection in
            let answers = try connection.pipeline([
                PostgresStatement("select stream, version from log.heads where stream = any($1)", PostgresArray(Array(unknown))),
                PostgresStatement(
                    "select command_id, fingerprint, first_position, last_position from log.commands where command_id = any($1)",
                    PostgresArray(ids)
                ),
            ])
            let found = try answers[0].map { row in
                (try row.get(0, String.self), StreamVersion(try row.get(1, Int32.self)))
            }
            let rows = try answers[1].map { row in
                BatchPlanner.CommandRow(
                    id: try row.get(0, UUID.self),
                    fingerprint: try row.get(1, [UInt8].self),
                    first: Position(try row.get(2, Int64.self)),
                    last: Position(try row.get(3, Int64.self))
                )
            }
            return (found, rows)
        }
        for stream in unknown { versions[stream] = StreamVersion.none }
        for (stream, version) in found { versions[stream] = version }
        for stream in unknown { heads.set(versions[stream] ?? .none, for: stream) }
        return (versions, rows)
    }

    private func commit(_ planner: BatchPlanner) async throws {
        let statements = Self.statements(for: planner, epoch: epoch, head: head)
        do {
            _ = try await connection.run { connection in
                try FaultPoint.arm(connection)
                return try connection.pipeline(statements)
            }
            await FaultPoint.hit(.afterCommit)
        } catch let error as PostgresError where error.sqlState == Self.fencedState {
            throw Fenced()
        }
    }

    private mutating func advance(to planner: BatchPlanner, _ outcomes: [AppendOutcome]) -> Written {
        let previous = lastOfContext
        for event in planner.events { lastOfContext[event.context] = event.position }
        for stream in planner.movedStreams { heads.set(planner.heads[stream] ?? .none, for: stream) }
        for (stream, version) in planner.assumptions where !planner.movedStreams.contains(stream) { heads.set(version, for: stream) }
        head = planner.head
        hash = planner.hash
        return Written(outcomes: outcomes, events: planner.events, previous: previous, elsewhere: takenOverAt)
    }

    /// One pipeline, which Postgres runs as one transaction and commits at its end.
    private static func statements(for plan: BatchPlanner, epoch: Int64, head: Position) -> [PostgresStatement] {
        let events = plan.events
        let moved = Array(plan.movedStreams)
        let commands = plan.newCommands
        let expected = plan.assumptions.sorted { $0.key < $1.key }
        var statements = [
            PostgresStatement("select log.fence($1, $2, $3, $4)", epoch, head.rawValue, plan.head.rawValue, plan.hash)
        ]
        if !expected.isEmpty {
            statements.append(
                PostgresStatement(
                    "select log.expect($1, $2)", PostgresArray(expected.map(\.key)), PostgresArray(expected.map(\.value.rawValue)))
            )
        }
        return statements + [
            PostgresStatement(
                """
                insert into log.events (position, event_id, stream, version, context, type, schema_version, recorded_at,
                                        command_id, payload, metadata, hash)
                select * from unnest($1::int8[], $2::uuid[], $3::text[], $4::int4[], $5::text[], $6::text[], $7::int2[],
                                     $8::timestamptz[], $9::uuid[], $10::bytea[], $11::bytea[], $12::bytea[])
                """,
                PostgresArray(events.map(\.position.rawValue)),
                PostgresArray(events.map(\.id)),
                PostgresArray(events.map(\.stream)),
                PostgresArray(events.map(\.version.rawValue)),
                PostgresArray(events.map(\.context)),
                PostgresArray(events.map(\.type)),
                PostgresArray(events.map(\.schemaVersion)),
                PostgresArray(events.map { PostgresTimestamp(microsecondsSinceEpoch: $0.recordedAt) }),
                PostgresArray(events.map(\.commandID)),
                PostgresArray(events.map(\.payload)),
                PostgresArray(events.map(\.metadata)),
                PostgresArray(plan.hashes)
            ),
            PostgresStatement(
                """
                insert into log.heads (stream, version) select * from unnest($1::text[], $2::int4[])
                on conflict (stream) do update set version = excluded.version
                """,
                PostgresArray(moved),
                PostgresArray(moved.map { (plan.heads[$0] ?? .none).rawValue })
            ),
            PostgresStatement(
                """
                insert into log.commands (command_id, fingerprint, first_position, last_position)
                select * from unnest($1::uuid[], $2::bytea[], $3::int8[], $4::int8[])
                """,
                PostgresArray(commands.map(\.id)),
                PostgresArray(commands.map(\.fingerprint)),
                PostgresArray(commands.map(\.first.rawValue)),
                PostgresArray(commands.map(\.last.rawValue))
            ),
        ]
    }
}
