import Domain
package import FoundationEssentials
package import Logging
import Metrics
package import Postgres
import ServiceLifecycle

/// A command whose time has come.
package struct DueTimer: Sendable {
    package let commandID: UUID
    package let kind: String
    package let aggregate: String
    /// Microseconds since the Unix epoch.
    package let due: Int64
    /// The event that asked for it.
    package let cause: UUID
    package let attempts: Int32
}

/// Says that a due command cannot be done yet, which is nobody's mistake: it is given again later.
package protocol Postponement: Error {
    /// Why, from a bounded set: it is logged.
    var reason: String { get }
}

/// A due command cannot be done yet, for a reason that its handler knows.
package struct TimerPostponed: Postponement, CustomStringConvertible {
    package let reason: String

    package init(_ reason: String) {
        self.reason = reason
    }

    package var description: String { reason }
}

/// Gives the commands that are due. Any number of replicas may run; each row is claimed by one at a time.
///
/// A row is deleted after its command was accepted; a replica that dies in between leaves it to be claimed again, and the
/// command id makes the second time a no-op.
///
/// A command that fails again and again is set aside: it waits for its operator (`DeadLetterDesk`), who has it tried as often again, or for
/// a process that begins, which may be a newer version, and tries it once more.
package final class TimerRunner: Service {
    package typealias Handler = @Sendable (DueTimer) async throws -> Void

    /// How long a claim holds: longer than any command may take. No wait before another try is as long, so that a row whose claim ends
    /// so long from now, on a clock that stands still, is being given.
    package static let claim = Duration.seconds(30)
    private static let batch: Int32 = 64
    /// How often a command may find no way to the log before that is an error.
    private static let patience: Int32 = 5
    /// How often a command is tried that fails for a reason of its own: for more than an hour.
    static let mostFailures: Int32 = 20

    private let pool: PostgresPool
    private let handlers: [String: Handler]
    private let clock: @Sendable () -> Int64
    private let logger: Logger
    private let signal: AsyncStream<Void>
    private let bell: AsyncStream<Void>.Continuation

    /// - Parameters:
    ///   - pool: connections of a role that may write `subs`.
    ///   - handlers: by kind; kinds without a handler here are left for other processes.
    package init(
        pool: PostgresPool,
        handlers: [String: Handler],
        clock: @escaping @Sendable () -> Int64,
        logger: Logger
    ) {
        self.pool = pool
        self.handlers = handlers
        self.clock = clock
        self.logger = logger
        (signal, bell) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
    }

    /// Says that there may be something to do at once.
    package func ring() {
        bell.yield()
    }

    /// Ticks until the task is cancelled or the service group shuts down.
    package func run() async throws {
        await cancelWhenGracefulShutdown {
            await withTaskGroup { group in
                group.addTask {
                    while (try? await Task.sleep(for: .milliseconds(500))) != nil { self.ring() }
                }
                var hasBegun = false
                for await _ in self.signal {
                    do {
                        if !hasBegun { try await self.takeUpWhatIsSetAside() }
                        hasBegun = true
                        while try await self.tick() == Int(Self.batch), !Task.isCancelled {}
                    } catch {
                        self.logger.error("timers could not be read", metadata: ["error": "\(error)"])
                    }
                }
                group.cancelAll()
            }
        }
    }

    private func takeUpWhatIsSetAside() async throws {
        let kinds = handlers.keys.sorted()
        try await pool.withConnection { connection in
            try SetAsideCommands.free(kinds: kinds, countingAnew: false, on: connection)
        }
    }

    /// - Returns: how many were claimed.
    private func tick() async throws -> Int {
        let claimed = try await claimDue()
        await withTaskGroup { group in
            for timer in claimed {
                group.addTask { await self.give(timer) }
            }
        }
        return claimed.count
    }

    private func claimDue() async throws -> [DueTimer] {
        let kinds = handlers.keys.sorted()
        let now = clock()
        return try await pool.withConnection { connection in
            try connection.query(
                """
                with due as materialized (
                    select command_id from subs.timers
                     where due <= $1 and kind = any($3) and (claimed_until is null or claimed_until < $1) and set_aside_at is null
                     order by due limit $4 for update skip locked
                )
                update subs.timers t
                   set claimed_until = $1 + make_interval(secs => $2), attempts = attempts + 1
                  from due where t.command_id = due.command_id
                returning t.command_id, t.kind, t.aggregate, t.due, t.cause, t.attempts
                """,
                PostgresTimestamp(microsecondsSinceEpoch: now),
                Self.claim.inSeconds,
                PostgresArray(kinds),
                Self.batch
            ).map { row in
                DueTimer(
                    commandID: try row.get(0, UUID.self),
                    kind: try row.get(1, String.self),
                    aggregate: try row.get(2, String.self),
                    due: try row.get(3, PostgresTimestamp.self).microsecondsSinceEpoch,
                    cause: try row.get(4, UUID.self),
                    attempts: try row.get(5, Int32.self)
                )
            }
        }
    }

    private func give(_ timer: DueTimer) async {
        let failure: (any Error)?
        do {
            try await handlers[timer.kind]?(timer)
            failure = nil
        } catch CommandError.outcomeUnknown where Task.isCancelled {
            failure = CancellationError()
        } catch {
            failure = error
        }
        // What became of the command is written down even while the process shuts down: the pool refuses cancelled tasks.
        await Task { await settle(timer, failure) }.value
    }

    private func settle(_ timer: DueTimer, _ failure: (any Error)?) async {
        do {
            switch failure {
            case nil:
                try await pool.withConnection { connection in
                    try connection.execute("delete from subs.timers where command_id = $1", timer.commandID)
                }
                Self.count("fired", timer)
            case is CancellationError:
                // Nobody failed: the next replica may try at once.
                try await pool.withConnection { connection in
                    try connection.execute(
                        "update subs.timers set claimed_until = null, attempts = attempts - 1 where command_id = $1",
                        timer.commandID
                    )
                }
            case .some(let error) where Self.isOfTheSystem(error):
                // Nobody is to blame yet: a broker or a database that restarts, a clock that was set.
                logger.log(
                    level: timer.attempts < Self.patience ? .warning : .error,
                    "a due command found no way",
                    metadata: ["kind": "\(timer.kind)", "aggregate": "\(timer.aggregate)", "attempts": "\(timer.attempts)"]
                )
                Self.count("postponed", timer)
                try await postpone(timer, because: "\(error)")
            case let later as any Postponement:
                logger.info(
                    "a due command is postponed",
                    metadata: ["kind": "\(timer.kind)", "aggregate": "\(timer.aggregate)", "reason": "\(later.reason)"]
                )
                Self.count("postponed", timer)
                try await postpone(timer, because: later.reason)
            case .some(let error):
                logger.error(
                    "a due command failed",
                    metadata: ["kind": "\(timer.kind)", "aggregate": "\(timer.aggregate)", "error": "\(error)"]
                )
                Self.count("failed", timer)
                if try await postpone(timer, because: Self.words(error), failures: 1) {
                    logger.error(
                        "a due command is set aside; see 'coworkflow deadletters'",
                        metadata: ["kind": "\(timer.kind)", "aggregate": "\(timer.aggregate)"]
                    )
                }
            }
        } catch {
            // The claim lapses, and the row is given again.
            logger.error("a timer could not be settled", metadata: ["kind": "\(timer.kind)", "error": "\(error)"])
        }
    }

    /// An error as an operator reads it: of a rule that said no its sentence, not its name in the program.
    private static func words(_ error: any Error) -> String {
        guard let refusal = error as? any Recusa else { return "\(error)" }
        return "\(refusal.codigo): \(refusal.frase(em: .ingles))"
    }

    private static func count(_ outcome: String, _ timer: DueTimer) {
        Counter(label: "coworkflow_timers_\(outcome)_total", dimensions: [("kind", timer.kind)]).increment()
    }

    /// Whether servers or rivals are to blame, which says nothing about the command.
    private static func isOfTheSystem(_ error: any Error) -> Bool {
        switch error {
        case CommandError.unavailable, CommandError.contended, CommandError.outcomeUnknown: true
        case let error as PostgresError: Poison.reason(for: error) == nil
        default: false
        }
    }

    /// Tries again after a time that doubles with each failure, to at most five minutes.
    ///
    /// - Parameter failures: how many more failures there are for which the command itself is to blame.
    /// - Returns: whether there were too many: then it is tried no more by itself.
    @discardableResult
    private func postpone(_ timer: DueTimer, because reason: String, failures: Int32 = 0) async throws -> Bool {
        let wait = min(300.0, Double(1 << min(max(timer.attempts, 0), 16)))
        let now = clock()
        return try await pool.withConnection { connection in
            let rows = try connection.query(
                """
                update subs.timers
                   set claimed_until = $2 + make_interval(secs => $3), last_error = left($4, 500), failures = failures + $5,
                       set_aside_at = case when $5 > 0 and failures + $5 >= $6 then $2 end
                 where command_id = $1
                returning set_aside_at is not null
                """,
                timer.commandID,
                PostgresTimestamp(microsecondsSinceEpoch: now),
                wait,
                reason.replacing("\0", with: ""),
                failures,
                Self.mostFailures
            )
            return try rows.first?.get(0, Bool.self) ?? false
        }
    }
}
