import AsyncHTTPClient
import Domain
import EventStore
import FoundationEssentials
import HTTP
import NIOHTTP1
import Postgres
import Synchronization

/// Knows when the system has done everything that there is to do at the simulated time: no policy and no read model has events before it, no
/// command is due, no webhook is under way to us or from us.
final class Rest: Sendable {
    private static let patience = Duration.seconds(120)
    private static let pause = Duration.milliseconds(2)

    /// One connection, of a login that may read everything.
    private let pool: PostgresPool
    private let clock: SimulatedClock
    private let client: SimulationClient
    private let contexts: [String: Set<String>?]
    private let memory = Mutex(Memory())

    /// How everything stood when it was last at rest.
    private struct Memory {
        /// How many webhooks there had been when none waited; nil where one did.
        var told: Int?
        /// How many commands had been given; nil before the first time.
        var commands: Int?
        var next: Due?
    }

    /// - Parameters:
    ///   - pool: of a login that may read everything.
    ///   - contexts: what each policy listens to; nil for everything.
    init(pool: PostgresPool, clock: SimulatedClock, client: SimulationClient, contexts: [String: Set<String>?]) {
        self.pool = pool
        self.clock = clock
        self.client = client
        self.contexts = contexts
    }

    /// When commands are due next.
    struct Due: Sendable {
        let time: Instante
        /// Nil where that cannot be told.
        let kinds: Set<String>?
    }

    private struct Standing {
        let behind: Bool
        let due: Bool
        let next: Due?
        var isQuiet: Bool { !behind && !due }
    }

    private struct Waiting: Decodable {
        let waiting: Int
        let told: Int
    }

    /// Waits until nothing is left to do.
    ///
    /// - Returns: what is due next; nil for nothing.
    @discardableResult
    func come() async throws -> Due? {
        let deadline = ContinuousClock.now + Self.patience
        let commands = client.commands.count
        let known = memory.withLock { $0 }
        // Nobody has done anything since, and no time has come.
        if known.commands == commands, known.next.map({ $0.time > clock.time }) ?? true { return known.next }
        while true {
            let standing = try await standing()
            if standing.isQuiet {
                let bank = try await waiting()
                // What the provider tells comes back as events. Those of what it had told when it was last seen with nothing to tell were
                // there when the system was looked at; of what it has told since, nobody knows.
                let next = standing.next
                let isStill = memory.withLock { memory in
                    let isStill = bank.waiting == 0 && bank.told == memory.told
                    memory = Memory(told: bank.waiting == 0 ? bank.told : nil, commands: isStill ? commands : nil, next: next)
                    return isStill
                }
                if isStill { return next }
            } else {
                try await Task.sleep(for: Self.pause)
            }
            guard ContinuousClock.now < deadline else {
                throw SimulationError.restless(
                    standing.due ? "a command is due at \(clock.time) and is not done" : "policies or read models stay behind"
                )
            }
        }
    }

    /// Sets the clock to a time, by way of every time at which a command is due before.
    func sleep(until time: Instante) async throws {
        var next = try await come()
        while let due = next, due.time < time {
            clock.advance(to: due.time, for: due.kinds)
            next = try await come()
        }
        clock.advance(to: time, for: next?.kinds)
        try await come()
    }

    private func waiting() async throws -> Waiting {
        try await client.control(.GET, "/control/waiting").decode(Waiting.self)
    }

    private func standing() async throws -> Standing {
        let now = PostgresTimestamp(microsecondsSinceEpoch: clock.now)
        let named = contexts.sorted { $0.key < $1.key }.flatMap { name, contexts in (contexts ?? []).sorted().map { (name, $0) } }
        let all = contexts.filter { $0.value == nil }.keys.sorted()
        return try await pool.withConnection { connection in
            // Mostly they are, and the whole question takes twenty times as long.
            guard try !Self.areReadModelsBehind(connection) else { return Standing(behind: true, due: false, next: nil) }
            let rows = try connection.query(
                """
                with deliveries as (
                    select d.next_at as due, d.claimed_until
                      from subs.webhook_deliveries d join subs.webhooks w on w.id = d.webhook
                     where w.active and d.state = 'pending'
                ), late as (
                    select claimed_until from subs.timers where due <= $1 and set_aside_at is null
                    union all
                    select claimed_until from deliveries where due <= $1
                ), latest as (
                    -- Once, however many policies have not come to what does not concern them.
                    select context, max(position) as position from log.events
                     where position > (select min(position) from subs.checkpoints) group by context
                )
                select exists (select from read.checkpoints c where c.position < w.head)
                       or exists (select from subs.checkpoints c where c.position < w.head and c.name = any($4))
                       or exists (select from subs.checkpoints c
                                    join unnest($2::text[], $3::text[]) as l (name, context) on l.name = c.name
                                    join latest e on e.context = l.context and e.position > c.position),
                       exists (select from late where claimed_until is null or claimed_until < $1
                                                      or claimed_until = $1 + make_interval(secs => $5)),
                       n.due,
                       (select string_agg(kind, ',') from (
                            select distinct kind from subs.timers where due = n.due
                            union all
                            select $6 where exists (select from deliveries where due = n.due)) k),
                       (select min(claimed_until) + interval '1 microsecond' from late where claimed_until >= $1)
                  from log.writer w cross join lateral (
                      select least((select min(due) from subs.timers where due > $1), (select min(due) from deliveries where due > $1)) as due
                  ) n
                """,
                now,
                PostgresArray(named.map(\.0)),
                PostgresArray(named.map(\.1)),
                PostgresArray(all),
                // Deliveries are claimed for as long.
                Double(TimerRunner.claim.components.seconds),
                WebhookOutbox.subscription
            )
            guard let row = rows.first else { throw SimulationError.restless("there is no log") }
            return Standing(behind: try row.get(0), due: try row.get(1), next: try Self.next(row))
        }
    }

    private static func areReadModelsBehind(_ connection: isolated PostgresConnection) throws -> Bool {
        let rows = try connection.query("select exists (select from read.checkpoints c where c.position < w.head) from log.writer w")
        return try rows.first?.get(0) ?? false
    }

    /// What is due next, or what is tried again before that.
    private static func next(_ row: PostgresRow) throws -> Due? {
        let due = try row.get(2, PostgresTimestamp?.self)?.microsecondsSinceEpoch
        let again = try row.get(4, PostgresTimestamp?.self)?.microsecondsSinceEpoch
        if let again, again <= due ?? .max { return Due(time: Instante(microssegundos: again), kinds: nil) }
        let kinds = try row.get(3, String?.self).map { Set($0.split(separator: ",").map(String.init)) }
        return due.map { Due(time: Instante(microssegundos: $0), kinds: kinds) }
    }
}
