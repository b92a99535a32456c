import Postgres
import Testing

@Suite("Pipeline")
struct PipelineTests {
    @Test("Steps run in order and give their rows, first and second time", arguments: [1, 2, 50])
    func success(count: Int) async throws {
        try await TestServer.withConnection { c throws in
            for _ in 0..<2 {
                let rows = try c.pipeline((0..<count).map { PostgresStatement("SELECT $1::int8 * 2", $0) })
                #expect(try rows.map { try $0[0].get(0, Int.self) } == (0..<count).map { $0 * 2 })
            }
            #expect(try c.pipeline([]).isEmpty)
        }
    }

    @Test("The first failure is named, undoes the steps before it and keeps those after it from running")
    func failure() async throws {
        try await TestServer.withConnection { c throws in
            try c.executeScript("CREATE TEMP TABLE t (id int8 CONSTRAINT t_um UNIQUE)")
            for _ in 0..<2 {
                let error = #expect(throws: PostgresError.self) {
                    try c.pipeline([
                        PostgresStatement("INSERT INTO t VALUES ($1)", 1),
                        PostgresStatement("INSERT INTO t VALUES ($1)", 2),
                        PostgresStatement("INSERT INTO t VALUES ($1)", 1),
                        PostgresStatement("INSERT INTO t VALUES ($1), ($2)", 3, 4),
                        PostgresStatement("SELECT 1/0"),
                    ])
                }
                #expect(error?.sqlState == "23505")
                #expect(error?.constraint == "t_um")
                #expect(error?.pipelineStep == 2)
                let isUsable = c.isUsable
                #expect(isUsable)
                let isInTransaction = c.isInTransaction
                #expect(!isInTransaction)
                #expect(try c.query("SELECT id FROM t").isEmpty)
            }
        }
    }

    @Test("A statement that cannot be prepared is named by its step")
    func unpreparable() async throws {
        try await TestServer.withConnection { c throws in
            let error = #expect(throws: PostgresError.self) {
                try c.pipeline([PostgresStatement("SELECT 1"), PostgresStatement("SELECT 2"), PostgresStatement("SELEC 3")])
            }
            #expect(error?.sqlState == "42601")
            #expect(error?.pipelineStep == 2)
            #expect(try c.pipeline([PostgresStatement("SELECT 1"), PostgresStatement("SELECT 2")]).count == 2)
        }
    }

    @Test("The commit at the end can fail: its error has no step")
    func failedCommit() async throws {
        try await TestServer.withConnection { c throws in
            try c.executeScript("CREATE TEMP TABLE t (id int8 CONSTRAINT t_um UNIQUE DEFERRABLE INITIALLY DEFERRED)")
            let error = #expect(throws: PostgresError.self) {
                try c.pipeline([
                    PostgresStatement("INSERT INTO t VALUES (1)"), PostgresStatement("INSERT INTO t VALUES (1)"),
                    PostgresStatement("SELECT 1"),
                ])
            }
            #expect(error?.sqlState == "23505")
            #expect(error?.pipelineStep == nil)
            #expect(try c.query("SELECT id FROM t").isEmpty)
            #expect(try c.pipeline([PostgresStatement("SELECT 5")])[0][0].get(0, Int32.self) == 5)
        }
    }

    @Test("Inside a transaction a pipeline commits and fails with it")
    func insideTransaction() async throws {
        try await TestServer.withConnection { c throws in
            try c.executeScript("CREATE TEMP TABLE t (id int8)")
            try c.transaction { c throws in
                _ = try c.pipeline([PostgresStatement("INSERT INTO t VALUES (1)"), PostgresStatement("INSERT INTO t VALUES (2)")])
                let isInTransaction = c.isInTransaction
                #expect(isInTransaction)
            }
            #expect(throws: PostgresError.self) {
                try c.transaction { c throws in
                    try c.execute("INSERT INTO t VALUES (3)")
                    _ = try c.pipeline([PostgresStatement("INSERT INTO t VALUES (4)"), PostgresStatement("SELECT 1/0")])
                }
            }
            #expect(try c.query("SELECT id FROM t ORDER BY id").map { try $0.get(0, Int.self) } == [1, 2])
        }
    }

    @Test("A table made by one step serves the next")
    func dependentSteps() async throws {
        try await TestServer.withConnection { c throws in
            let rows = try c.pipeline([
                PostgresStatement("CREATE TEMP TABLE t (id int8)"),
                PostgresStatement("INSERT INTO t SELECT unnest($1)", [1, 2, 3] as PostgresArray<Int>),
                PostgresStatement("SELECT sum(id)::int8 FROM t"),
            ])
            #expect(rows.map(\.affected) == [0, 3, 1])
            #expect(try rows[2][0].get(0, Int.self) == 6)
        }
    }

    @Test("Large parameters echoed back do not block writer and server on each other", .timeLimit(.minutes(1)))
    func large() async throws {
        try await TestServer.withConnection { c throws in
            // Given far more in both directions than the socket buffers hold.
            let big = [UInt8](repeating: 0xAB, count: 10 << 20)
            let rows = try c.pipeline((0..<4).map { PostgresStatement("SELECT $1, $2::int8", big, $0) })
            for (index, rows) in rows.enumerated() {
                #expect(try rows[0].get(0, [UInt8].self) == big)
                #expect(try rows[0].get(1, Int.self) == index)
            }
        }
    }

    @Test("Many small steps with large answers do not block either", .timeLimit(.minutes(1)))
    func manySteps() async throws {
        try await TestServer.withConnection { c throws in
            let rows = try c.pipeline((0..<5000).map { PostgresStatement("SELECT repeat('x', 5000), $1::int8", $0) })
            #expect(rows.count == 5000)
            #expect(try rows[4999][0].get(1, Int.self) == 4999)
        }
    }

    @Test("A connection lost in the middle is that, and the connection is given up")
    func lost() async throws {
        let victim = try await PostgresConnection.connect(try TestServer.configuration(), logger: TestServer.logger)
        let error = await #expect(throws: PostgresError.self) {
            try await victim.pipeline([
                PostgresStatement("SELECT 1"), PostgresStatement("SELECT pg_terminate_backend(pg_backend_pid())"),
                PostgresStatement("SELECT 2"),
            ])
        }
        #expect(error?.isConnectionLost == true)
        #expect(error?.sqlState == "57P01")
        #expect(await !victim.isUsable)
    }
}
