import Postgres
import TestSupport
import Testing

@Suite("Cancellation")
struct CancellationTests {
    private static let sleep = "SELECT pg_sleep(60)"

    /// Runs a cancellable closure on a connection of its own, cancels it once the server is busy with `statement`, and looks whether
    /// the connection goes on.
    private static func cancelling<T: Sendable>(
        when statement: String,
        prepare: String = "",
        _ body: @escaping @Sendable (isolated PostgresConnection) throws -> T
    ) async throws -> (result: Result<T, any Error>, connection: PostgresConnection) {
        let connection = try await PostgresConnection.connect(try TestServer.configuration(), logger: TestServer.logger)
        try await connection.executeScript(prepare)
        let task = Task { try await connection.runCancellable(body) }
        try await waitUntil(connection.backendProcessID, runs: statement)
        task.cancel()
        let result = await task.result
        #expect(await connection.isUsable)
        #expect(await !connection.isInTransaction)
        // A request that came late would hit one of these.
        for number in 0..<20 { #expect(try await connection.query("SELECT $1", number)[0].get(0, Int.self) == number) }
        return (result, connection)
    }

    private static func waitUntil(_ process: Int32, runs statement: String) async throws {
        let admin = try await PostgresConnection.connect(try TestServer.configuration(), logger: TestServer.logger)
        try await eventually("the statement runs") {
            try await admin.query(
                "SELECT 1 FROM pg_stat_activity WHERE pid = $1 AND state = 'active' AND query LIKE $2", process, statement + "%"
            ).count == 1
        }
        await admin.close()
    }

    /// Expects a process to wait for an advisory lock, and to go on with that for a while.
    private static func expectWaiting(_ process: Int32, _ admin: PostgresConnection) async throws {
        let start = ContinuousClock.now
        while ContinuousClock.now - start < .milliseconds(200) {
            let waiting = try await admin.query("SELECT 1 FROM pg_locks WHERE pid = $1 AND locktype = 'advisory' AND NOT granted", process)
            #expect(waiting.count == 1)
        }
    }

    @Test("A long statement ends on the server, and its connection goes on", .timeLimit(.minutes(1)))
    func statement() async throws {
        let (result, connection) = try await Self.cancelling(when: Self.sleep) { c throws in
            let error = #expect(throws: PostgresError.self) { try c.query(Self.sleep) }
            #expect(error?.kind == .cancelled)
            #expect(error?.sqlState == "57014")
            #expect(error?.isConnectionLost == false)
            // And nothing more is sent.
            let next = #expect(throws: PostgresError.self) { try c.execute("SET application_name = 'depois'") }
            #expect(next?.kind == .cancelled)
            #expect(next?.sqlState == nil)
            throw try #require(error)
        }
        #expect(throws: CancellationError.self) { try result.get() }
        #expect(try await connection.query("SELECT current_setting('application_name')")[0].get(0, String.self) != "depois")
        // The next closure is a new matter.
        #expect(try await connection.runCancellable { c in try c.query("SELECT 1").count } == 1)
        await connection.close()
    }

    @Test("A transaction is rolled back", .timeLimit(.minutes(1)))
    func transaction() async throws {
        let (result, connection) = try await Self.cancelling(when: Self.sleep, prepare: "CREATE TEMP TABLE t (id int8)") { c throws in
            try c.execute("INSERT INTO t VALUES (1)")
            try c.transaction { c throws in
                try c.execute("INSERT INTO t VALUES (2)")
                _ = try c.query(Self.sleep)
            }
        }
        #expect(throws: CancellationError.self) { try result.get() }
        #expect(try await connection.query("SELECT id FROM t").map { try $0.get(0, Int.self) } == [1])
        await connection.close()
    }

    @Test("A commit under way is neither cancelled nor told wrongly", .timeLimit(.minutes(1)))
    func commit() async throws {
        let admin = try await PostgresConnection.connect(try TestServer.configuration(), logger: TestServer.logger)
        let connection = try await PostgresConnection.connect(try TestServer.configuration(), logger: TestServer.logger)
        let process = connection.backendProcessID
        // Given a commit that waits for a lock.
        try await admin.execute("SELECT pg_advisory_lock($1)", Int(process))
        try await connection.executeScript(
            """
            CREATE TEMP TABLE t (id int8);
            CREATE FUNCTION pg_temp.wait() RETURNS trigger LANGUAGE plpgsql AS
                'BEGIN PERFORM pg_advisory_xact_lock(pg_backend_pid()); RETURN NULL; END';
            CREATE CONSTRAINT TRIGGER wait AFTER INSERT ON t DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION pg_temp.wait();
            """
        )
        let task = Task {
            try await connection.runCancellable { c in
                try c.transaction { c throws in
                    try c.execute("INSERT INTO t VALUES (1)")
                    return "feito"
                }
            }
        }
        try await Self.waitUntil(process, runs: "COMMIT")
        // When the task is cancelled, then the commit goes on waiting and takes effect.
        task.cancel()
        try await Self.expectWaiting(process, admin)
        try await admin.execute("SELECT pg_advisory_unlock($1)", Int(process))
        #expect(try await task.value == "feito")
        #expect(try await connection.query("SELECT 1 FROM t").count == 1)
        await connection.close()
        await admin.close()
    }

    @Test("A pipeline and both ways of COPY end too", .timeLimit(.minutes(1)), arguments: ["pipeline", "in", "out"])
    func others(kind: String) async throws {
        let statement = kind == "pipeline" ? Self.sleep : "COPY"
        let (result, connection) = try await Self.cancelling(when: statement, prepare: "CREATE TEMP TABLE t (id int8)") { c throws in
            switch kind {
            case "pipeline":
                _ = try c.pipeline([PostgresStatement("INSERT INTO t VALUES (1)"), PostgresStatement(Self.sleep)])
            case "in":
                try c.copyIn("COPY t FROM STDIN (FORMAT binary)") { copy throws in
                    while true {
                        copy.write(1)
                        try copy.endRow()
                    }
                }
            default:
                try c.copyOut("COPY (SELECT generate_series(1, 10000000000)) TO STDOUT (FORMAT binary)") { _ in }
            }
        }
        #expect(throws: CancellationError.self) { try result.get() }
        #expect(try await connection.query("SELECT 1 FROM t").isEmpty)
        await connection.close()
    }

    @Test("Whenever the cancellation comes, the statement is cancelled or done, and the next is never hit", .timeLimit(.minutes(1)))
    func races() async throws {
        let connection = try await PostgresConnection.connect(try TestServer.configuration(), logger: TestServer.logger)
        var done = 0
        for round in 0..<150 {
            let task = Task { try await connection.runCancellable { c in try c.query("SELECT pg_sleep(0.002), $1", round).count } }
            // From before the statement is sent to after it is over.
            let start = ContinuousClock.now
            while ContinuousClock.now - start < .microseconds(round * 30) { await Task.yield() }
            task.cancel()
            switch await task.result {
            case .success(let count):
                #expect(count == 1)
                done += 1
            case .failure(let error): #expect(error is CancellationError)
            }
            #expect(try await connection.query("SELECT pg_sleep(0.001), $1", round)[0].get(1, Int.self) == round)
        }
        #expect(done > 0)
        #expect(done < 150)
        await connection.close()
    }

    @Test("Who was cancelled before sends nothing")
    func before() async throws {
        let connection = try await PostgresConnection.connect(try TestServer.configuration(), logger: TestServer.logger)
        let task = Task {
            while !Task.isCancelled { await Task.yield() }
            try await connection.runCancellable { c in try c.executeScript("SET application_name = 'depois'") }
        }
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
        #expect(try await connection.query("SELECT current_setting('application_name')")[0].get(0, String.self) != "depois")
        await connection.close()
    }

    @Test("The server's own limit of time is not taken for a cancellation")
    func statementTimeout() async throws {
        let connection = try await PostgresConnection.connect(try TestServer.configuration(), logger: TestServer.logger)
        try await connection.execute("SET statement_timeout = 50")
        let error = await #expect(throws: PostgresError.self) { try await connection.runCancellable { c in _ = try c.query(Self.sleep) } }
        #expect(error?.kind == .timedOut)
        await connection.close()
    }

    @Test("The pool cancels when asked to, and lends the same connection again", .timeLimit(.minutes(1)), arguments: [true, false])
    func pool(cancels: Bool) async throws {
        let pool = PostgresPool(try TestServer.configuration(), maximumConnections: 1, logger: TestServer.logger)
        let admin = try await PostgresConnection.connect(try TestServer.configuration(), logger: TestServer.logger)
        let process = try await pool.withConnection { $0.backendProcessID }
        try await admin.execute("SELECT pg_advisory_lock($1)", Int(process))
        let statement = "SELECT pg_advisory_xact_lock(pg_backend_pid())"
        let task = Task {
            try await pool.withConnection(cancelsStatements: cancels) { c in try c.query(statement).count }
        }
        try await Self.waitUntil(process, runs: statement)
        task.cancel()
        if cancels {
            await #expect(throws: CancellationError.self) { try await task.value }
        } else {
            try await Self.expectWaiting(process, admin)
        }
        try await admin.execute("SELECT pg_advisory_unlock($1)", Int(process))
        if !cancels { #expect(try await task.value == 1) }
        #expect(try await pool.withConnection { $0.backendProcessID } == process)
        await pool.close()
        await admin.close()
    }
}
