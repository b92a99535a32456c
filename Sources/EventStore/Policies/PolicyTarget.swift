import Domain
import FoundationEssentials
import Metrics
package import Postgres
import Synchronization

/// Runs a policy: what it asks for is written down together with its checkpoint, and the timers do it.
///
/// An event that it cannot apply parks its stream: that event and all later ones of the stream are set aside, and the other
/// streams go on. The stream is worked off, in order, when somebody asks for it and when a process starts.
package final class PolicyTarget: SubscriptionTarget {
    private static let lease = Duration.seconds(5)
    /// How often it looks whether somebody has asked for a parked stream to be worked off.
    private static let look = Duration.seconds(1)
    /// How many parked events it works off in one transaction.
    private static let stretch: Int64 = 200
    /// How long before `subs.beginning` a command that leaves no trace must have been due to be taken for given: a provider may have been
    /// away for a while.
    private static let doubtful = Duration.seconds(86_400)
    private static let letters = DeadLetters(.policies)

    private struct State {
        var parked = DeadLetters.Standing()
        var looked = ContinuousClock.now
        var hasBegun = false
    }

    private let policy: any Policy
    private let decoded: DecodedEvents
    private let pool: PostgresPool
    private let timers: TimerRunner
    private let maximumParked: Int
    private let checkpoint: Checkpoint
    private let state = Mutex(State())

    package var name: String { policy.name }
    package var contexts: Set<String>? { policy.contexts }

    /// - Parameters:
    ///   - decoded: shared with whoever else in the process reads the same log.
    ///   - pool: connections of a role that may write `subs` and read the log.
    ///   - timers: told when there is something to do at once.
    ///   - maximumParked: how many events are set aside; rather than more it halts.
    package init(
        _ policy: any Policy,
        decoded: DecodedEvents = DecodedEvents(),
        pool: PostgresPool,
        timers: TimerRunner,
        maximumParked: Int = 10_000
    ) {
        self.policy = policy
        self.decoded = decoded
        self.pool = pool
        self.timers = timers
        self.maximumParked = maximumParked
        checkpoint = Checkpoint(table: .policies, name: policy.name, replica: UUID(), lease: Self.lease)
    }

    package func acquire() async throws -> Position? {
        let checkpoint = checkpoint
        guard let position = try await pool.withConnection({ try checkpoint.acquire($0) }) else { return nil }
        try await workOffWhatIsAsked(at: position)
        return position
    }

    package func apply(_ events: [RecordedEvent], after position: Position, through end: Position) async throws {
        // Also where nothing is parked: a skip may have been taken back.
        let isTime = state.withLock { $0.looked.duration(to: .now) > Self.look }
        if isTime { try await workOffWhatIsAsked(at: position) }
        try await Poison.search(events[...], after: position, through: end, apply: write) { event, reason, position, end in
            // What the policy asked for cannot be written down.
            try await self.commit([], parking: [DeadLetters.Entry(event, because: reason)], after: position, through: end)
        }
    }

    package func isReleased(from halt: SubscriptionHalted) async throws -> Bool {
        state.withLock { $0.parked.count < maximumParked }
    }

    package func release() async throws {
        let checkpoint = checkpoint
        try await pool.withConnection { try checkpoint.release($0) }
    }

    // MARK: Applying

    private struct Wanted {
        let command: ScheduledCommand
        let cause: RecordedEvent
    }

    private func write(_ events: ArraySlice<RecordedEvent>, after position: Position, through end: Position) async throws {
        var parked = Set(state.withLock { $0.parked.waiting.keys })
        var wanted: [Wanted] = []
        var entries: [DeadLetters.Entry] = []
        for event in events {
            guard !parked.contains(event.stream) else {
                entries.append(DeadLetters.Entry(event, because: nil))
                continue
            }
            do {
                wanted += try commands(for: event)
            } catch {
                parked.insert(event.stream)
                entries.append(DeadLetters.Entry(event, because: Poison.reason(for: error) ?? "\(type(of: error))"))
            }
        }
        try await commit(wanted, parking: entries, after: position, through: end)
    }

    private func commands(for event: RecordedEvent) throws(ErroDeCodec) -> [Wanted] {
        policy.react(to: try decoded.event(event)).map { Wanted(command: $0, cause: event) }
    }

    private func commit(
        _ wanted: [Wanted],
        parking entries: [DeadLetters.Entry],
        after position: Position,
        through end: Position
    ) async throws {
        if let first = entries.first, state.withLock({ $0.parked.count + entries.count > maximumParked }) {
            throw SubscriptionHalted(at: first.event.position, because: "\(maximumParked) events are parked already")
        }
        var statements = [checkpoint.moving(from: position, to: end)]
        if !entries.isEmpty { statements.append(Self.letters.setting(aside: entries, for: name)) }
        if !wanted.isEmpty { statements.append(Self.insertion(of: wanted)) }
        let pipeline = statements
        try await pool.withConnection { connection in
            _ = try CheckpointMoved.recognising { try connection.pipeline(pipeline) }
        }
        if !wanted.isEmpty { timers.ring() }
        if !entries.isEmpty { try await learn(at: end) }
    }

    /// What leaves no trace was given where the log comes from, unless it was due so shortly before the end that it may not have been.
    private static func insertion(of wanted: [Wanted]) -> PostgresStatement {
        PostgresStatement(
            """
            insert into subs.timers (command_id, kind, aggregate, due, cause, subject)
            select t.command_id, t.kind, t.aggregate, t.due, t.cause, t.subject
              from unnest($1::uuid[], $2::text[], $3::text[], $4::timestamptz[], $5::uuid[], $6::text[], $7::bigint[], $8::boolean[])
                     as t (command_id, kind, aggregate, due, cause, subject, position, leaves_no_trace)
             where not t.leaves_no_trace
                or not exists (
                       select from subs.beginning b
                        where t.position <= b.position and t.due < b.recorded_at - make_interval(secs => $9))
            on conflict (command_id) do nothing
            """,
            PostgresArray(wanted.map(\.command.commandID)),
            PostgresArray(wanted.map(\.command.kind)),
            PostgresArray(wanted.map(\.command.aggregate)),
            PostgresArray(wanted.map { PostgresTimestamp(microsecondsSinceEpoch: $0.command.due) }),
            PostgresArray(wanted.map(\.cause.id)),
            PostgresArray(wanted.map(\.command.subject)),
            PostgresArray(wanted.map(\.cause.position.rawValue)),
            PostgresArray(wanted.map(\.command.leavesNoTrace)),
            doubtful.inSeconds
        )
    }

    // MARK: Parked streams

    @discardableResult
    private func learn(at position: Position) async throws -> DeadLetters.Standing {
        let name = name
        let standing = try await pool.withConnection { try Self.letters.standing(of: name, at: position, on: $0) }
        state.withLock { state in
            state.parked = standing
            state.looked = .now
        }
        Gauge(label: "coworkflow_dead_letters", dimensions: [("subscription", name)]).record(standing.count)
        return standing
    }

    /// Works off the streams for which somebody has asked, and those whose obstacle was skipped; all of them when the process
    /// begins, which may be a newer version.
    private func workOffWhatIsAsked(at position: Position) async throws {
        let isFirst = state.withLock { !$0.hasBegun }
        let streams = try await learn(at: position).waiting
            .filter { isFirst || $0.value.isRetryAsked || !$0.value.isBlocked }.keys.sorted()
        for stream in streams {
            while try await workOff(stream, at: position) {}
        }
        state.withLock { $0.hasBegun = true }
        if !streams.isEmpty { try await learn(at: position) }
    }

    /// Works off some of a stream's parked events, in order, as far as they can be applied.
    ///
    /// - Returns: whether there are more that can be tried.
    private func workOff(_ stream: String, at position: Position) async throws -> Bool {
        do {
            return try await workOff(stream, at: position, limit: Self.stretch)
        } catch {
            // One of them asks for what cannot be written down: alone it is found out.
            guard Poison.reason(for: error) != nil else { throw error }
            return try await workOff(stream, at: position, limit: 1)
        }
    }

    private func workOff(_ stream: String, at position: Position, limit: Int64) async throws -> Bool {
        do {
            let (hasMore, hasAsked) = try await pool.transaction { connection in
                try self.workOff(stream, at: position, limit: limit, on: connection)
            }
            if hasAsked { timers.ring() }
            return hasMore
        } catch {
            guard limit == 1, let reason = Poison.reason(for: error) else { throw error }
            try await pool.transaction { connection in
                guard let event = try Self.letters.parked(in: stream, of: self.name, limit: 1, on: connection).first else { return }
                _ = try connection.pipeline([
                    Self.letters.setting(aside: [DeadLetters.Entry(event, because: reason)], for: self.name),
                    Self.letters.answering(stream, of: self.name),
                ])
            }
            return false
        }
    }

    private func workOff(
        _ stream: String,
        at position: Position,
        limit: Int64,
        on connection: isolated PostgresConnection
    ) throws -> (hasMore: Bool, hasAsked: Bool) {
        try checkpoint.move(from: position, to: position, on: connection)
        let events = try Self.letters.parked(in: stream, of: name, limit: limit, on: connection)
        var wanted: [Wanted] = []
        var applied: [Position] = []
        var failed: DeadLetters.Entry?
        for event in events {
            do {
                wanted += try commands(for: event)
                applied.append(event.position)
            } catch {
                failed = DeadLetters.Entry(event, because: error.description)
                break
            }
        }
        var statements = [Self.letters.removing(applied, of: name)]
        if !wanted.isEmpty { statements.append(Self.insertion(of: wanted)) }
        if let failed { statements += [Self.letters.setting(aside: [failed], for: name), Self.letters.answering(stream, of: name)] }
        _ = try connection.pipeline(statements)
        return (failed == nil && events.count == Int(limit), !wanted.isEmpty)
    }
}
