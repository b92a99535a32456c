package import EventStore
package import Logging
package import Postgres
import ServiceLifecycle
import Synchronization

/// Lets queries wait until read models have considered a position, so that callers read their own writes.
///
/// However many wait, one poller asks the database, and only while somebody waits; nobody who waits holds a connection.
/// What it learnt is remembered, so that a wait for a position that has long been considered costs nothing. It is forgotten when the pool
/// opens a connection: read models commit without waiting for the disk, and a server that was started anew may have lost the last steps.
package final class ProgressWatcher: Service {
    private typealias Room = WaitingRoom<CheckedContinuation<Set<String>, Never>>

    private static let interval = Duration.milliseconds(3)
    private static let intervalAfterFailure = Duration.milliseconds(100)
    /// How often a query is run where connections keep being opened: a pool that fills up opens a few, close together.
    private static let tries = 4

    private struct State {
        var room: Room
        var nextID: UInt64 = 0
        /// `PostgresPool.openings` when what is remembered was read.
        var openings: UInt64 = 0

        /// Those that are not known to have come there.
        mutating func laggards(among models: Set<String>, at position: Position, openings now: UInt64) -> Set<String> {
            if openings != now {
                room.forget()
                openings = now
            }
            return room.laggards(among: models, at: position)
        }
    }

    private let pool: PostgresPool
    private let logger: Logger
    private let state: Mutex<State>
    private let bells: AsyncStream<Void>
    private let bell: AsyncStream<Void>.Continuation

    /// - Parameters:
    ///   - pool: connections of a role that may read `read.checkpoints`.
    ///   - maximumWaiters: how many may wait; whoever comes then is told at once who lags.
    package init(pool: PostgresPool, maximumWaiters: Int = 10_000, logger: Logger) {
        self.pool = pool
        self.logger = logger
        state = Mutex(State(room: Room(capacity: maximumWaiters)))
        (bells, bell) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
    }

    /// Waits until all of the read models have considered a position.
    ///
    /// - Parameter timeout: how long at most; a cancelled task waits no longer either.
    /// - Returns: those that have not; empty where none lags.
    package func wait(for position: Position, models: Set<String>, timeout: Duration) async -> Set<String> {
        let openings = pool.openings
        let laggards = state.withLock { $0.laggards(among: models, at: position, openings: openings) }
        guard !laggards.isEmpty, timeout > .zero else { return laggards }
        let id = state.withLock { state in
            state.nextID += 1
            return state.nextID
        }
        return await withTaskGroup(of: Set<String>?.self) { group in
            group.addTask {
                try? await Task.sleep(for: timeout)
                // Where the other task has been held up, there is nobody to send away yet.
                while !self.dismiss(id), !Task.isCancelled { try? await Task.sleep(for: Self.interval) }
                return nil
            }
            group.addTask { await self.waitInTurn(id, for: position, models: models) }
            var result = laggards
            for await laggards in group {
                guard let laggards else { continue }
                result = laggards
                break
            }
            group.cancelAll()
            return result
        }
    }

    /// Waits as `wait` does, then runs a query over the same pool. Where a connection was opened in between, the server may have been
    /// started anew and the query may have seen less than was waited for: then both are done again.
    ///
    /// - Parameter body: gets the laggards.
    /// - Returns: what the query gave, and the laggards; all models where nobody can say.
    package func reading<Answer>(
        _ models: Set<String>,
        after position: Position,
        timeout: Duration,
        _ body: (Set<String>) async throws -> Answer
    ) async throws -> (answer: Answer, laggards: Set<String>) {
        for _ in 0..<Self.tries {
            let openings = pool.openings
            let laggards = await wait(for: position, models: models, timeout: timeout)
            // What it throws may be wrong as well: it may not find what was there before.
            let outcome: Result<Answer, any Error>
            do { outcome = .success(try await body(laggards)) } catch { outcome = .failure(error) }
            if !laggards.isEmpty || openings == pool.openings { return (try outcome.get(), laggards) }
        }
        return (try await body(models), models)
    }

    /// How far every read model has come, by name.
    package func progress() async throws -> [ReadModelProgress] {
        let pool = pool
        let (openings, progress) = try await pool.withConnection { connection in
            // Before the query: a connection that is opened after it may be to another server.
            (pool.openings, try ReadModelProgress.all(on: connection))
        }
        take(progress, openings)
        return progress
    }

    /// Polls whenever somebody waits, until the task is cancelled or the service group shuts down.
    package func run() async throws {
        await cancelWhenGracefulShutdown {
            for await _ in self.bells {
                await self.pollWhileSomebodyWaits()
            }
        }
    }

    private func pollWhileSomebodyWaits() async {
        var hasFailed = false
        while !Task.isCancelled, state.withLock({ !$0.room.isEmpty }) {
            do {
                _ = try await progress()
                hasFailed = false
                try? await Task.sleep(for: Self.interval)
            } catch {
                // Once a stretch of failures: at this pace the same line would fill the log.
                if !hasFailed { logger.warning("cannot see how far the read models are", metadata: ["error": "\(error)"]) }
                hasFailed = true
                state.withLock { $0.room.forget() }
                try? await Task.sleep(for: Self.intervalAfterFailure)
            }
        }
    }

    private func take(_ progress: [ReadModelProgress], _ openings: UInt64) {
        let ready = state.withLock { state in
            state.openings = openings
            return state.room.learn(progress)
        }
        for waiter in ready {
            waiter.resume(returning: [])
        }
    }

    private func waitInTurn(_ id: UInt64, for position: Position, models: Set<String>) async -> Set<String> {
        await withCheckedContinuation { continuation in
            let openings = pool.openings
            let laggards = state.withLock { state -> Set<String>? in
                let laggards = state.laggards(among: models, at: position, openings: openings)
                guard !laggards.isEmpty, !state.room.isFull, !Task.isCancelled else { return laggards }
                state.room.admit(Room.Waiter(position: position, models: models, token: continuation), as: id)
                return nil
            }
            if let laggards {
                continuation.resume(returning: laggards)
            } else {
                bell.yield()
            }
        }
    }

    /// - Returns: whether there was such a waiter.
    private func dismiss(_ id: UInt64) -> Bool {
        guard let (waiter, laggards) = state.withLock({ $0.room.dismiss(id) }) else { return false }
        waiter.resume(returning: laggards)
        return true
    }
}
