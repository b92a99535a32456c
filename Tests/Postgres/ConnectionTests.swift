import Logging
import Postgres
import Testing

@Suite("Connection")
struct ConnectionTests {
    // MARK: Errors

    @Test(
        "A refused statement carries its SQLSTATE, and its description no SQL and no value",
        arguments: [
            ("SELECT segredo", "42703"),
            ("SELEC segredo", "42601"),
            ("SELECT 'segredo'::int", "22P02"),
            ("SELECT 1/0 AS segredo", "22012"),
            ("INSERT INTO segredo VALUES (1)", "42P01"),
        ]
    )
    func sqlState(sql: String, expected: String) async throws {
        try await TestServer.withConnection { c throws in
            let error = #expect(throws: PostgresError.self) { try c.query(sql) }
            #expect(error?.sqlState == expected)
            #expect(error?.kind == .serverError)
            #expect(error?.isConnectionLost == false)
            #expect(error?.description.contains("segredo") == false)
            #expect(error.map { String(reflecting: $0).contains("segredo") } == false)
            #expect(error?.serverMessage?.isEmpty == false)
            // The connection goes on.
            #expect(try c.query("SELECT 1")[0].get(0, Int.self) == 1)
        }
    }

    @Test("A violated constraint is named")
    func constraint() async throws {
        try await TestServer.withConnection { c throws in
            try c.executeScript("CREATE TEMP TABLE t (id int8 CONSTRAINT t_um UNIQUE); INSERT INTO t VALUES (1)")
            let error = #expect(throws: PostgresError.self) { try c.execute("INSERT INTO t VALUES ($1)", 1) }
            #expect(error?.sqlState == "23505")
            #expect(error?.constraint == "t_um")
        }
    }

    @Test("Statements count the rows they touch")
    func affected() async throws {
        try await TestServer.withConnection { c throws in
            #expect(try c.execute("CREATE TEMP TABLE t (id int8)") == 0)
            #expect(try c.execute("INSERT INTO t SELECT generate_series(1, $1)", 5) == 5)
            #expect(try c.execute("UPDATE t SET id = id WHERE id > $1", 3) == 2)
            #expect(try c.query("SELECT * FROM t").affected == 5)
            #expect(try c.query("SELECT * FROM t ORDER BY id").map { try $0.get("id", Int.self) } == [1, 2, 3, 4, 5])
        }
    }

    @Test("U+0000 cuts no statement short and is refused in a text")
    func nul() async throws {
        try await TestServer.withConnection { c throws in
            #expect(throws: PostgresError.self) { try c.query("SELECT 1\0 / 0") }
            #expect(throws: PostgresError.self) { try c.executeScript("SELECT 1\0 / 0") }
            let error = #expect(throws: PostgresError.self) { try c.query("SELECT $1", "a\0b") }
            #expect(error?.sqlState == "22021")
        }
    }

    @Test("More parameters than the protocol counts are refused, as many as it counts are not")
    func parameterCount() async throws {
        try await TestServer.withConnection { c throws in
            let error = #expect(throws: PostgresError.self) {
                try c.query("SELECT 1", parameters: Array(repeating: 1, count: 65536))
            }
            #expect(error?.kind == .encoding)
            let sum = (1...65535).map { "($\($0))" }.joined(separator: ",")
            let row = try c.query("SELECT count(*) FROM (VALUES \(sum)) v", parameters: Array(repeating: 1, count: 65535))[0]
            #expect(try row.get(0, Int.self) == 65535)
        }
    }

    @Test("A statement that takes too long is cancelled by the server")
    func statementTimeout() async throws {
        try await TestServer.withConnection { c throws in
            try c.execute("SET statement_timeout = 50")
            let error = #expect(throws: PostgresError.self) { try c.query("SELECT pg_sleep(10)") }
            #expect(error?.kind == .timedOut)
            #expect(error?.sqlState == "57014")
            #expect(error?.isConnectionLost == false)
        }
    }

    @Test("COPY is refused and gives up the connection, which would wait for data otherwise", arguments: ["FROM STDIN", "TO STDOUT"])
    func copy(direction: String) async throws {
        try await TestServer.withConnection { c throws in
            try c.execute("CREATE TEMP TABLE t (id int8)")
            let error = #expect(throws: PostgresError.self) { try c.execute("COPY t \(direction)") }
            #expect(error?.kind == .misuse)
            let isUsable = c.isUsable
            #expect(!isUsable)
        }
    }

    @Test("Notices are logged at debug level")
    func notices() async throws {
        let log = Shared<[String]>([])
        var logger = Logger(label: "notices") { _ in RecordingLog(lines: log) }
        for (level, expected) in [(Logger.Level.debug, ["debug: postgres notice, olá, 00000"]), (.info, [])] {
            log.withLock { $0.removeAll() }
            logger.logLevel = level
            let connection = try await PostgresConnection.connect(try TestServer.configuration(), logger: logger)
            try await connection.executeScript("DO $$ BEGIN RAISE NOTICE 'olá'; END $$")
            await connection.close()
            #expect(log.withLock { $0 } == expected)
        }
    }

    // MARK: Connecting

    @Test("A refused connection says why and carries the SQLSTATE")
    func refused() async throws {
        let server = try TestServer.configuration()
        let unknown = await #expect(throws: PostgresError.self) {
            try await PostgresConnection.connect(server.with(database: "nao_existe"), logger: TestServer.logger)
        }
        #expect(unknown?.kind == .connectionFailed)
        #expect(unknown?.sqlState == "3D000")
        let role = await #expect(throws: PostgresError.self) {
            try await PostgresConnection.connect(server.with(role: "nao_existe"), logger: TestServer.logger)
        }
        #expect(role?.kind == .connectionFailed)
        var nobody = server
        // Given a port where nobody listens: that of a socket file that does not exist.
        nobody.host = "/nonexistent"
        let error = await #expect(throws: PostgresError.self) {
            try await PostgresConnection.connect(nobody, logger: TestServer.logger)
        }
        #expect(error?.kind == .connectionFailed)
        #expect(error?.sqlState == nil)
    }

    @Test("A server that accepts and says nothing is given up in time")
    func silentServer() async throws {
        let listener = try SilentServer()
        let configuration = PostgresConfiguration(
            port: Int(listener.port),
            database: "x",
            user: "x",
            connectTimeout: .milliseconds(200)
        )
        let start = ContinuousClock.now
        let error = await #expect(throws: PostgresError.self) {
            try await PostgresConnection.connect(configuration, logger: TestServer.logger)
        }
        #expect(error?.kind == .timedOut)
        #expect(ContinuousClock.now - start < .seconds(3))
        withExtendedLifetime(listener) {}
    }

    // MARK: Transactions

    @Test("What the closure did is kept when it returns and undone when it throws")
    func transaction() async throws {
        struct Stop: Error {}
        try await TestServer.withConnection { c throws in
            try c.execute("CREATE TEMP TABLE t (id int8)")
            let value = try c.transaction { c throws in
                try c.execute("INSERT INTO t VALUES (1)")
                return "feito"
            }
            #expect(value == "feito")
            #expect(throws: Stop.self) {
                try c.transaction { c throws in
                    try c.execute("INSERT INTO t VALUES (2)")
                    let isInTransaction = c.isInTransaction
                    #expect(isInTransaction)
                    throw Stop()
                }
            }
            let isInTransaction = c.isInTransaction
            #expect(!isInTransaction)
            #expect(try c.query("SELECT id FROM t").map { try $0.get(0, Int.self) } == [1])
        }
    }

    @Test("A commit that fails throws its error")
    func failedCommit() async throws {
        try await TestServer.withConnection { c throws in
            try c.execute("CREATE TEMP TABLE t (id int8 CONSTRAINT t_um UNIQUE DEFERRABLE INITIALLY DEFERRED)")
            let error = #expect(throws: PostgresError.self) {
                try c.transaction { c in _ = try c.execute("INSERT INTO t VALUES (1), (1)") }
            }
            #expect(error?.sqlState == "23505")
            #expect(error?.constraint == "t_um")
            #expect(error?.isConnectionLost == false)
            let isInTransaction = c.isInTransaction
            #expect(!isInTransaction)
            #expect(try c.query("SELECT 1 FROM t").isEmpty)
        }
    }

    @Test("Ignoring a failed statement does not make a commit of it")
    func swallowedError() async throws {
        try await TestServer.withConnection { c throws in
            try c.execute("CREATE TEMP TABLE t (id int8)")
            let error = #expect(throws: PostgresError.self) {
                try c.transaction { c throws in
                    try c.execute("INSERT INTO t VALUES (1)")
                    _ = try? c.execute("SELECT 1/0")
                }
            }
            #expect(error?.kind == .transactionAborted)
            #expect(try c.query("SELECT 1 FROM t").isEmpty)
        }
    }

    @Test("A transaction inside a transaction is refused and does not end the outer one")
    func nested() async throws {
        try await TestServer.withConnection { c throws in
            try c.execute("CREATE TEMP TABLE t (id int8)")
            try c.transaction { c throws in
                try c.execute("INSERT INTO t VALUES (1)")
                let error = #expect(throws: PostgresError.self) { try c.transaction { _ in } }
                #expect(error?.kind == .misuse)
            }
            #expect(try c.query("SELECT 1 FROM t").count == 1)
        }
    }

    @Test("Isolation and read-only reach the server")
    func isolation() async throws {
        try await TestServer.withConnection { c throws in
            let shown = try c.transaction(isolation: .serializable, readOnly: true) { c throws in
                let row = try c.query("SELECT current_setting('transaction_isolation'), current_setting('transaction_read_only')")[0]
                return (try row.get(0, String.self), try row.get(1, String.self))
            }
            #expect(shown == ("serializable", "on"))
        }
    }

    // MARK: Prepared statements

    @Test("A statement runs on after its prepared form was thrown away or its table changed")
    func stalePlans() async throws {
        try await TestServer.withConnection { c throws in
            try c.executeScript("CREATE TEMP TABLE t (a int8); INSERT INTO t VALUES (1)")
            #expect(try c.query("SELECT * FROM t")[0].count == 1)
            // When the result gets another shape (0A000).
            try c.executeScript("ALTER TABLE t ADD COLUMN b int8")
            #expect(try c.query("SELECT * FROM t")[0].count == 2)
            // When the server forgets the statement (26000).
            try c.executeScript("DEALLOCATE ALL")
            #expect(try c.query("SELECT * FROM t")[0].count == 2)
            try c.executeScript("DISCARD PLANS")
            #expect(try c.query("SELECT * FROM t")[0].count == 2)
            // And in a pipeline.
            try c.executeScript("ALTER TABLE t ADD COLUMN c int8")
            let rows = try c.pipeline([PostgresStatement("INSERT INTO t VALUES (2)"), PostgresStatement("SELECT * FROM t")])
            #expect(rows[1].map(\.count) == [3, 3])
            try c.executeScript("DEALLOCATE ALL")
            #expect(try c.pipeline([PostgresStatement("SELECT * FROM t")])[0].count == 2)
        }
    }

    @Test("In a transaction a stale plan is an error, and the next transaction succeeds")
    func stalePlanInTransaction() async throws {
        try await TestServer.withConnection { c throws in
            try c.executeScript("CREATE TEMP TABLE t (a int8); INSERT INTO t VALUES (1)")
            _ = try c.query("SELECT * FROM t")
            try c.executeScript("ALTER TABLE t ADD COLUMN b int8")
            let error = #expect(throws: PostgresError.self) {
                try c.transaction { c in _ = try c.query("SELECT * FROM t") }
            }
            #expect(error?.sqlState == "0A000")
            #expect(try c.transaction { c in try c.query("SELECT * FROM t")[0].count } == 2)
        }
    }

    @Test("A pipeline that committed something on the way is not run again")
    func stalePipelineNotRepeated() async throws {
        try await TestServer.withConnection { c throws in
            try c.executeScript("CREATE TEMP TABLE t (a int8)")
            _ = try c.query("SELECT * FROM t")
            try c.executeScript("ALTER TABLE t ADD COLUMN b int8")
            let error = #expect(throws: PostgresError.self) {
                try c.pipeline([
                    PostgresStatement("BEGIN"), PostgresStatement("INSERT INTO t VALUES (1)"), PostgresStatement("COMMIT"),
                    PostgresStatement("SELECT * FROM t"),
                ])
            }
            #expect(error?.sqlState == "0A000")
            #expect(error?.pipelineStep == 3)
            #expect(try c.query("SELECT a FROM t").count == 1)
        }
    }

    @Test("The server keeps no more statements than the connection remembers")
    func boundedCache() async throws {
        let connection = try await PostgresConnection.connect(
            try TestServer.configuration(), statementCapacity: 8, logger: TestServer.logger
        )
        try await connection.run { c throws in
            for number in 0..<50 {
                #expect(try c.query("SELECT \(number) + $1", 1)[0].get(0, Int.self) == number + 1)
                // Used all the time, so it stays.
                _ = try c.query("SELECT 'sempre'")
            }
            _ = try c.pipeline((0..<20).map { PostgresStatement("SELECT \($0) - $1", 1) })
            #expect(try c.query("SELECT 'outra'").count == 1)
            let kept = try c.query("SELECT statement FROM pg_prepared_statements").map { try $0.get(0, String.self) }
            // The statement that looks is prepared before the oldest is thrown away.
            #expect(kept.count <= 9)
            #expect(kept.count >= 8)
        }
        try await connection.run { c throws in
            for number in 0..<5 {
                _ = try c.query("SELECT \(number)")
                _ = try c.query("SELECT 'sempre'")
            }
            let kept = try c.query("SELECT statement FROM pg_prepared_statements WHERE statement = $1", "SELECT 'sempre'")
            #expect(kept.count == 1)
        }
        await connection.close()
    }

    @Test("One text with parameters of different types is two statements")
    func overloaded() async throws {
        try await TestServer.withConnection { c throws in
            #expect(try c.query("SELECT $1", 1)[0].get(0, Int.self) == 1)
            #expect(try c.query("SELECT $1", "um")[0].get(0, String.self) == "um")
            #expect(try c.query("SELECT $1", nil as Int?)[0].get(0, Int?.self) == nil)
        }
    }

    // MARK: Scripts and closing

    @Test("A script is all or nothing")
    func script() async throws {
        try await TestServer.withConnection { c throws in
            #expect(throws: PostgresError.self) {
                try c.executeScript("CREATE TEMP TABLE t (id int8); INSERT INTO t VALUES (1); SELECT 1/0; SELECT 2")
            }
            #expect(try c.query("SELECT to_regclass('pg_temp.t')::text")[0].get(0, String?.self) == nil)
            try c.executeScript("")
        }
    }

    @Test("A closed connection says so, and twice is no harm")
    func closed() async throws {
        let connection = try await PostgresConnection.connect(try TestServer.configuration(), logger: TestServer.logger)
        await connection.close()
        await connection.close()
        let error = await #expect(throws: PostgresError.self) { try await connection.query("SELECT 1") }
        #expect(error?.kind == .connectionClosed)
        #expect(error?.isConnectionLost == false)
        #expect(await !connection.isUsable)
    }

    @Test("Rows outlive their connection")
    func rowsOutliveConnection() async throws {
        let rows = try await TestServer.withConnection { c in try c.query("SELECT generate_series(1, 3)") }
        #expect(try rows.map { try $0.get(0, Int.self) } == [1, 2, 3])
        #expect(rows.columnNames == ["generate_series"])
        #expect(rows.columnTypes == [.int4])
    }

    // MARK: Losing the connection

    @Test("A server process killed under a statement is a lost connection, and nothing kills us")
    func lost() async throws {
        let victim = try await PostgresConnection.connect(try TestServer.configuration(), logger: TestServer.logger)
        async let killed: Void = TestServer.terminate(victim.backendProcessID, whenRunning: "SELECT pg_sleep(30)")
        let error = await #expect(throws: PostgresError.self) { try await victim.query("SELECT pg_sleep(30)") }
        try await killed
        #expect(error?.isConnectionLost == true)
        #expect(error?.kind == .connectionLost)
        #expect(error?.sqlState == "57P01")
        // Nor does writing to the dead socket again, which raises SIGPIPE where it is not masked.
        for _ in 0..<3 {
            let again = await #expect(throws: PostgresError.self) { try await victim.query("SELECT 1") }
            #expect(again?.kind == .connectionClosed)
        }
    }

    @Test("Writing much to a dead server is an error, not SIGPIPE", arguments: [false, true])
    func noSignal(pipelined: Bool) async throws {
        let victim = try await PostgresConnection.connect(try TestServer.configuration(), logger: TestServer.logger)
        try await TestServer.terminate(victim.backendProcessID, whenRunning: nil)
        let big = [UInt8](repeating: 1, count: 8 << 20)
        let error = await #expect(throws: PostgresError.self) {
            try await victim.run { c throws in
                if pipelined {
                    _ = try c.pipeline(Array(repeating: PostgresStatement("SELECT $1", big), count: 3))
                } else {
                    _ = try c.query("SELECT $1", big)
                }
            }
        }
        #expect(error?.isConnectionLost == true)
        #expect(await !victim.isUsable)
    }

    @Test("A connection lost inside a transaction is told from a refusal")
    func lostInTransaction() async throws {
        let victim = try await PostgresConnection.connect(try TestServer.configuration(), logger: TestServer.logger)
        let error = await #expect(throws: PostgresError.self) {
            try await victim.run { c throws in
                try c.transaction { c in _ = try c.query("SELECT pg_terminate_backend(pg_backend_pid())") }
            }
        }
        #expect(error?.isConnectionLost == true)
        #expect(await !victim.isUsable)
    }
}
