import Dispatch
import Postgres
import TestSupport
import Testing

@Suite("Pool")
struct PoolTests {
    private static func pool(
        _ maximumConnections: Int,
        waitTimeout: Duration = .seconds(20),
        maximumWaiters: Int = 10_000,
        configuration: PostgresConfiguration? = nil
    ) throws -> PostgresPool {
        PostgresPool(
            try configuration ?? TestServer.configuration(),
            maximumConnections: maximumConnections,
            waitTimeout: waitTimeout,
            maximumWaiters: maximumWaiters,
            logger: TestServer.logger
        )
    }

    /// Has a connection opened, however long that takes on a busy machine and however short the pool's patience is.
    private static func warm(_ pool: PostgresPool) async throws {
        try await eventually("a connection could be opened") {
            do {
                return try await pool.withConnection { c in try c.query("SELECT 1").count == 1 }
            } catch let error as PostgresError where error.kind == .poolTimeout {
                return false
            }
        }
    }

    /// Holds the only connection of a pool until released.
    private final class Holder: Sendable {
        private let gate = DispatchSemaphore(value: 0)
        private let task: Task<Void, any Error>

        init(_ pool: PostgresPool) async throws {
            let held = Shared(false)
            let gate = gate
            // Blocks a connection's thread, which is there to be blocked.
            task = Task {
                try await PoolTests.warm(pool)
                try await pool.withConnection { _ in
                    held.withLock { $0 = true }
                    gate.wait()
                }
            }
            try await eventually("the connection is held") { held.withLock { $0 } }
        }

        func release() async throws {
            gate.signal()
            try await task.value
        }
    }

    @Test("Two hundred tasks share four connections, and there are never more", .timeLimit(.minutes(1)))
    func bound() async throws {
        let pool = try Self.pool(4, configuration: TestServer.configuration().with(applicationName: "pool-bound"))
        let busy = Shared((now: 0, most: 0))
        let processes = try await withThrowingTaskGroup(of: Int32.self) { group in
            for _ in 0..<200 {
                group.addTask {
                    try await pool.withConnection { c in
                        busy.withLock {
                            $0.now += 1
                            $0.most = max($0.most, $0.now)
                        }
                        defer { busy.withLock { $0.now -= 1 } }
                        _ = try c.query("SELECT pg_sleep(0.002)")
                        return c.backendProcessID
                    }
                }
            }
            return try await group.reduce(into: Set<Int32>()) { $0.insert($1) }
        }
        #expect(processes.count <= 4)
        #expect(busy.withLock { $0.most } == 4)
        #expect(pool.usage == (open: 4, leased: 0, waiting: 0))
        let connections = try await TestServer.withConnection { c in
            try c.query("SELECT 1 FROM pg_stat_activity WHERE application_name = 'pool-bound'").count
        }
        #expect(connections == 4)
        await pool.close()
        #expect(pool.usage == (open: 0, leased: 0, waiting: 0))
    }

    @Test("The connection used last is used next")
    func reuse() async throws {
        let pool = try Self.pool(4)
        let first = try await pool.withConnection { c in c.backendProcessID }
        for _ in 0..<5 {
            #expect(try await pool.withConnection { c in c.backendProcessID } == first)
        }
        #expect(pool.usage.open == 1)
        await pool.close()
    }

    @Test("A caller that waited too long is refused, and the others are served")
    func waitTimeout() async throws {
        let pool = try Self.pool(1, waitTimeout: .milliseconds(100))
        let holder = try await Holder(pool)
        let start = ContinuousClock.now
        let error = await #expect(throws: PostgresError.self) { try await pool.withConnection { _ in } }
        #expect(error?.kind == .poolTimeout)
        #expect(ContinuousClock.now - start >= .milliseconds(100))
        #expect(pool.usage.waiting == 0)
        try await holder.release()
        #expect(try await pool.withConnection { c in try c.query("SELECT 1").count } == 1)
        await pool.close()
    }

    @Test("Callers beyond the bound of the queue are refused at once")
    func overload() async throws {
        let pool = try Self.pool(1, maximumWaiters: 1)
        let holder = try await Holder(pool)
        async let waiting: Void = pool.withConnection { _ in }
        try await eventually("one caller waits") { pool.usage.waiting == 1 }
        let error = await #expect(throws: PostgresError.self) { try await pool.withConnection { _ in } }
        #expect(error?.kind == .poolOverloaded)
        try await holder.release()
        try await waiting
        await pool.close()
    }

    @Test("A cancelled caller leaves the queue, and its place does no harm")
    func cancellation() async throws {
        let pool = try Self.pool(1)
        let holder = try await Holder(pool)
        let waiter = Task { try await pool.withConnection { _ in Issue.record("a cancelled caller was served") } }
        try await eventually("the caller waits") { pool.usage.waiting == 1 }
        async let next = pool.withConnection { c in try c.query("SELECT 1").count }
        try await eventually("another caller waits") { pool.usage.waiting == 2 }
        waiter.cancel()
        await #expect(throws: CancellationError.self) { try await waiter.value }
        #expect(pool.usage.waiting == 1)
        try await holder.release()
        #expect(try await next == 1)
        await pool.close()
    }

    @Test("A caller cancelled before it asks is not served")
    func cancelledBefore() async throws {
        let pool = try Self.pool(1)
        _ = try await pool.withConnection { c in try c.query("SELECT 1").count }
        let task = Task {
            while !Task.isCancelled { await Task.yield() }
            try await pool.withConnection { _ in Issue.record("a cancelled caller was served") }
        }
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
        #expect(pool.usage == (open: 1, leased: 0, waiting: 0))
        await pool.close()
    }

    @Test("A connection killed while idle is replaced before anybody notices")
    func killedIdle() async throws {
        let pool = try Self.pool(2)
        for _ in 0..<3 {
            let process = try await pool.withConnection { c in c.backendProcessID }
            try await TestServer.terminate(process, whenRunning: nil)
            let next = try await pool.withConnection { c in
                _ = try c.query("SELECT 1")
                return c.backendProcessID
            }
            #expect(next != process)
        }
        await pool.close()
    }

    @Test("A connection that was idle too long is asked for a sign of life and lent when it gives one")
    func signOfLife() async throws {
        let pool = PostgresPool(
            try TestServer.configuration(), maximumConnections: 1, trustedIdleTime: .zero, logger: TestServer.logger
        )
        let process = try await pool.withConnection { c in c.backendProcessID }
        // Given the closures send nothing, so that only the question can have begun a statement.
        #expect(try await Self.hasRunStatement(process) == false)
        #expect(try await pool.withConnection { c in c.backendProcessID } == process)
        #expect(try await Self.hasRunStatement(process) == true)
        await pool.close()
    }

    private static func hasRunStatement(_ process: Int32) async throws -> Bool {
        try await TestServer.withConnection { admin in
            try admin.query("SELECT query_start IS NOT NULL FROM pg_stat_activity WHERE pid = $1", process)[0].get(0)
        }
    }

    @Test("All connections killed while idle are replaced")
    func allKilledIdle() async throws {
        let pool = try Self.pool(3, configuration: TestServer.configuration().with(applicationName: "pool-all-killed"))
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<3 { group.addTask { try await pool.withConnection { c in _ = try c.query("SELECT pg_sleep(0.2)") } } }
            try await group.waitForAll()
        }
        #expect(pool.usage.open == 3)
        try await TestServer.withConnection { c throws in
            try c.execute("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'pool-all-killed'")
        }
        try await eventually("they are gone") {
            try await TestServer.withConnection { c in
                try c.query("SELECT 1 FROM pg_stat_activity WHERE application_name = 'pool-all-killed'").isEmpty
            }
        }
        #expect(try await pool.withConnection { c in try c.query("SELECT 1").count } == 1)
        await pool.close()
    }

    @Test("A connection killed under a statement is a lost one; the statement is not repeated and the pool recovers")
    func killedBusy() async throws {
        let pool = try Self.pool(1)
        let runs = Shared(0)
        let process = try await pool.withConnection { c in c.backendProcessID }
        async let killed: Void = TestServer.terminate(process, whenRunning: "SELECT pg_sleep(31)")
        let error = await #expect(throws: PostgresError.self) {
            try await pool.withConnection { c throws in
                runs.withLock { $0 += 1 }
                _ = try c.query("SELECT pg_sleep(31)")
            }
        }
        try await killed
        #expect(error?.isConnectionLost == true)
        #expect(runs.withLock { $0 } == 1)
        #expect(try await pool.withConnection { c in try c.query("SELECT 1").count } == 1)
        #expect(pool.usage.open == 1)
        await pool.close()
    }

    @Test("A transaction left open by a closure does not reach the next one")
    func openTransaction() async throws {
        struct Stop: Error {}
        let pool = try Self.pool(1)
        try await pool.withConnection { c throws in
            try c.executeScript("CREATE TEMP TABLE t (id int8)")
            try c.executeScript("BEGIN")
            try c.execute("INSERT INTO t VALUES (1)")
        }
        let (open, count) = try await pool.withConnection { c in (c.isInTransaction, try c.query("SELECT 1 FROM t").count) }
        #expect(!open)
        #expect(count == 0)
        await #expect(throws: Stop.self) {
            try await pool.transaction { c throws in
                try c.execute("INSERT INTO t VALUES (2)")
                throw Stop()
            }
        }
        try await pool.transaction { c throws in try c.execute("INSERT INTO t VALUES (3)") }
        let rows = try await pool.withConnection { c in try c.query("SELECT id FROM t").map { try $0.get(0, Int.self) } }
        #expect(rows == [3])
        await pool.close()
    }

    @Test("A server that cannot be reached refuses a caller in time, with the reason")
    func unreachable() async throws {
        var configuration = try TestServer.configuration()
        configuration.host = "/nonexistent"
        let pool = try Self.pool(3, waitTimeout: .milliseconds(300), configuration: configuration)
        let start = ContinuousClock.now
        await withTaskGroup { group in
            for _ in 0..<20 {
                group.addTask {
                    let error = await #expect(throws: PostgresError.self) { try await pool.withConnection { _ in } }
                    #expect(error?.kind == .connectionFailed)
                }
            }
        }
        #expect(ContinuousClock.now - start < .seconds(5))
        await pool.close()
    }

    @Test("A server that accepts and says nothing refuses a caller in time, however long connecting may take")
    func silent() async throws {
        let server = try SilentServer()
        let configuration = PostgresConfiguration(
            port: Int(server.port), database: "x", user: "x", connectTimeout: .seconds(2)
        )
        let pool = try Self.pool(1, waitTimeout: .milliseconds(200), configuration: configuration)
        let error = await #expect(throws: PostgresError.self) { try await pool.withConnection { _ in } }
        // Had the caller waited for the attempt to end, the error would be the attempt's.
        #expect(error?.kind == .poolTimeout)
        await pool.close()
        withExtendedLifetime(server) {}
    }

    @Test("A database that comes late is found without a new pool")
    func recovery() async throws {
        let name = "pgtest_late_\(UInt32.random(in: 0...(.max)))"
        let pool = try Self.pool(2, configuration: TestServer.configuration().with(database: name))
        async let answer = pool.withConnection { c in try c.query("SELECT 1").count }
        try await TestServer.withConnection { c throws in try c.execute("CREATE DATABASE \(name) TEMPLATE template0") }
        #expect(try await answer == 1)
        await pool.close()
        try await TestServer.withConnection { c throws in try c.execute("DROP DATABASE \(name) WITH (FORCE)") }
    }

    @Test("Closing refuses those who wait, waits for those who work, and refuses those who come")
    func close() async throws {
        let pool = try Self.pool(1)
        let holder = try await Holder(pool)
        let waiting = Task { try await pool.withConnection { _ in } }
        try await eventually("a caller waits") { pool.usage.waiting == 1 }
        let closed = Shared(false)
        let closing = Task {
            await pool.close()
            closed.withLock { $0 = true }
        }
        let refused = await #expect(throws: PostgresError.self) { try await waiting.value }
        #expect(refused?.kind == .poolClosed)
        let late = await #expect(throws: PostgresError.self) { try await pool.withConnection { _ in } }
        #expect(late?.kind == .poolClosed)
        #expect(!closed.withLock { $0 })
        try await holder.release()
        await closing.value
        // A second close returns at once.
        await pool.close()
        #expect(pool.usage.open == 0)
    }

    @Test("Thirty-two blocked connections leave the cooperative pool free", .timeLimit(.minutes(1)))
    func cooperativePoolIsFree() async throws {
        let pool = try Self.pool(33, waitTimeout: .seconds(30))
        let lock = Int64.random(in: 1...(.max))
        // Given a lock that is held, and far more connections than the cooperative pool has threads, all waiting for it.
        let holder = try await PostgresConnection.connect(try TestServer.configuration(), logger: TestServer.logger)
        try await holder.run { c throws in try c.execute("SELECT pg_advisory_lock($1)", lock) }
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<32 {
                group.addTask {
                    try await pool.withConnection { c throws in
                        try c.transaction { c throws in try c.execute("SELECT pg_advisory_xact_lock($1)", lock) }
                    }
                }
            }
            // When this task, which runs on the cooperative pool, looks for them
            var waiting: Int64 = 0
            while waiting < 32 {
                try Task.checkCancellation()
                waiting = try await pool.withConnection { c throws in
                    try c.query(
                        """
                        SELECT count(*) FROM pg_locks
                         WHERE locktype = 'advisory' AND NOT granted AND (classid::int8 << 32 | objid::int8) = $1
                        """,
                        lock
                    )[0].get(0)
                }
            }
            // Then they all wait at once, and it still runs. Otherwise it would never come here.
            #expect(waiting == 32)
            try await holder.run { c throws in try c.execute("SELECT pg_advisory_unlock($1)", lock) }
            try await group.waitForAll()
        }
        await holder.close()
        await pool.close()
    }

    @Test("Callers that are cancelled, time out and work, all at once, leave nothing behind", .timeLimit(.minutes(1)))
    func churn() async throws {
        let pool = try Self.pool(3, waitTimeout: .milliseconds(250))
        try await Self.warm(pool)
        let served = Shared(0)
        await withTaskGroup { group in
            for number in 0..<300 {
                group.addTask {
                    let task = Task {
                        try await pool.withConnection { c throws in
                            _ = try c.query("SELECT pg_sleep(0.005)")
                            if number % 29 == 7 { try c.execute("SELECT pg_terminate_backend(pg_backend_pid())") }
                            served.withLock { $0 += 1 }
                        }
                    }
                    if number % 3 == 0 {
                        await Task.yield()
                        task.cancel()
                    }
                    _ = await task.result
                }
            }
        }
        #expect(served.withLock { $0 } > 0)
        // A connection killed at the end may still be closing.
        try await eventually("all are back") { pool.usage.leased == 0 && pool.usage.waiting == 0 }
        #expect(pool.usage.open <= 3)
        try await Self.warm(pool)
        await pool.close()
    }
}
