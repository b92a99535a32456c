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

    /// The log and what follows it are from different times, as after a restore of one alone: what would be recorded up to the checkpoint
    /// its owner would never look at.
    struct CheckpointAhead: Error, Equatable, CustomStringConvertible {
        let name: String
        let position: Position
        let head: Position

        var description: String {
            "the checkpoint of \(name) is at \(position), and the log ends at \(head): nothing is recorded before both are of one backup"
        }
    }

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
        // Of a server that says nothing any more it lets go soon, so that a standby which can reach one gets the requests.
        settings.connectTimeout = min(settings.connectTimeout, .seconds(2))
        settings.deadPeerTimeout = min(settings.deadPeerTimeout, .seconds(2))
        return settings
    }

    /// Connects and takes the log over from whoever wrote it before.
    ///
    /// - Parameter configuration: of a login that may take `DatabaseRole.recorder`.
    /// - Throws: `CheckpointAhead`.
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
                if let ahead = try connection.query("select name, position from log.checkpoint_ahead() where name is not null").first {
                    throw CheckpointAhead(name: try ahead.get(0), position: Position(try ahead.get(1, Int64.self)), head: head)
                }
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

    /// A batch whose requests are decided as they come, beside the commit of the batch before it.
    ///
    /// Streams and commands that are not known yet are taken to be as the requests expect them, which the transaction itself checks:
    /// so an append takes one round trip.
    struct Draft: Sendable {
        fileprivate(set) var planner: BatchPlanner
        /// The rows of all accepted requests, encoded.
        private(set) var rows = BatchRows()
        private(set) var outcomes: [AppendOutcome] = []
        /// Whether it can be committed as it is. A refusal may rest on what was only assumed, and a command that is refused may be a
        /// repeat: then what the requests name must be looked up.
        private(set) var isSound = true

        fileprivate init(_ planner: BatchPlanner) {
            self.planner = planner
        }

        fileprivate mutating func decide(_ requests: [AppendRequest]) {
            for request in requests {
                let outcome = planner.decide(request)
                outcomes.append(outcome)
                isSound = isSound && outcome.isAcceptance
            }
            rows.catchUp(with: planner)
        }
    }

    /// A batch to follow the given one, as if that were committed already. If it is not, the draft must be thrown away.
    /// - Returns: nil where requests must not be taken at their word: after a takeover they are likely to be second tries.
    func draft(after previous: Draft?, now: Int64) -> Draft? {
        guard isTrusting else { return nil }
        return Draft(
            BatchPlanner(
                head: previous?.planner.head ?? head,
                hash: previous?.planner.hash ?? hash,
                heads: [:],
                isAssuming: true,
                known: previous?.planner.newCommands ?? [],
                recordedAt: max(previous?.planner.recordedAt ?? lastRecordedAt, now),
                now: now
            )
        )
    }

    /// Decides more requests of a draft.
    /// - Parameter previous: the batch that the draft was made to follow.
    mutating func add(_ requests: [AppendRequest], to draft: inout Draft, after previous: Draft?, now: Int64) {
        draft.planner.setClock(now)
        for request in requests {
            for stream in request.streams where draft.planner.heads[stream.stream] == nil {
                guard let version = previous?.planner.heads[stream.stream] ?? heads.value(for: stream.stream) else { continue }
                draft.planner.learn(version, of: stream.stream)
            }
        }
        draft.decide(requests)
    }

    /// What commits drafts, beside which the next may be made.
    var committer: Committer { Committer(connection: connection, epoch: epoch) }

    /// - Parameter draft: was committed, and follows what was committed before it.
    mutating func advance(to draft: Draft) -> Written {
        let (plan, previous) = (draft.planner, lastOfContext)
        lastOfContext.merge(plan.events.lastOfContext) { $1 }
        for (stream, version) in plan.heads { heads.set(version, for: stream) }
        head = plan.head
        hash = plan.hash
        lastRecordedAt = plan.recordedAt
        return Written(outcomes: draft.outcomes, events: plan.events, previous: previous, elsewhere: takenOverAt)
    }

    /// Looks up what the requests name, decides them in order, and commits all that are accepted in one transaction.
    ///
    /// - Parameter clock: microseconds since the Unix epoch. Read when all is looked up, which may take long: what is over by then is not
    ///   recorded.
    /// - Throws: `Fenced` where another recorder took over; any other error leaves the outcome unknown. After either, the
    ///   writer must not be used again, unless Postgres says that it rolled the batch back.
    mutating func writeLookingUp(_ requests: [AppendRequest], clock: () -> Int64) async throws -> Written {
        let (versions, known) = try await lookUp(requests)
        let now = clock()
        var draft = Draft(
            BatchPlanner(head: head, hash: hash, heads: versions, known: known, recordedAt: max(lastRecordedAt, now), now: now)
        )
        draft.decide(requests)
        if !draft.planner.events.isEmpty {
            guard try await committer.commit(draft) else { throw Contradicted() }
            isTrusting = true
        }
        return advance(to: draft)
    }

    /// What the requests are told that were recorded earlier; nil for those that the log knows nothing of.
    mutating func answersToRepeats(among requests: [AppendRequest]) async throws -> [AppendOutcome?] {
        let known = Dictionary(try await lookUp(requests).known.map { ($0.id, $0) }) { first, _ in first }
        return requests.map { known[$0.commandID]?.answer(to: $0) }
    }

    /// The log refuses what was decided on its own word.
    struct Contradicted: Error {}

    /// The versions of the streams that the requests name, and those of their commands that the log knows.
    ///
    /// - Throws: `Fenced` where another recorder took over: a refusal commits nothing that the log could refuse, and would be told by what
    ///   this one remembers.
    private mutating func lookUp(
        _ requests: [AppendRequest]
    ) async throws -> (versions: [String: StreamVersion], known: [BatchPlanner.CommandRow]) {
        let named = Set(requests.lazy.flatMap { $0.streams.lazy.map(\.stream) }).filter(BatchPlanner.isStreamName)
        var versions: [String: StreamVersion] = [:]
        for stream in named { versions[stream] = heads.value(for: stream) }
        let unknown = named.filter { versions[$0] == nil }
        let ids = requests.map(\.commandID)
        let epoch = epoch
        let (found, rows) = try await connection.run { connection in
            let answers = try connection.pipeline([
                PostgresStatement(
                    """
                    select named.stream, last.version
                      from unnest($1::text[]) as named (stream)
                     cross join lateral (
                               select e.version from log.events e where e.stream = named.stream order by e.version desc limit 1) as last
                    """,
                    PostgresArray(Array(unknown))
                ),
                PostgresStatement(
                    "select command_id, fingerprint, first_position, last_position from log.commands where command_id = any($1)",
                    PostgresArray(ids)
                ),
                PostgresStatement("select epoch from log.writer"),
            ])
            guard try answers[2].first?.get(0, Int64.self) == epoch else { throw Fenced() }
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
}
