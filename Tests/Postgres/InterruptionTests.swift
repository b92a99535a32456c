import TestSupport

#if FAULT_POINTS
    import Dispatch
    import Postgres
    import Testing

    /// What the fault points of test builds claim to do to a pipeline, shown from another connection.
    @Suite("Interruption")
    struct InterruptionTests {
        struct Case: Sendable, CustomTestStringConvertible {
            let testDescription: String
            let place: PipelineInterruption.Place
            /// Whether the transaction was open, with its first step run, when the pipeline was interrupted.
            let isOpen: Bool
            /// What the connection that is cut there leaves in the table.
            let left: Int
        }

        static let cases = [
            Case(testDescription: "before anything is sent", place: .before(step: 0), isOpen: false, left: 0),
            Case(testDescription: "after the first of three steps", place: .before(step: 1), isOpen: true, left: 0),
            Case(testDescription: "before the commit", place: .beforeSync, isOpen: true, left: 0),
            Case(testDescription: "after the commit, unread", place: .beforeAnswer, isOpen: false, left: 3),
        ]

        private static let steps = (1...3).map { PostgresStatement("INSERT INTO interrupted VALUES ($1::int8)", $0) }

        @Test("A pipeline interrupted there has run so far and no further; cut, it leaves all or nothing", arguments: cases)
        func cut(_ example: Case) async throws {
            try await Self.withTable { watcher, subject in
                let process = subject.backendProcessID
                let (places, reached) = AsyncStream.makeStream(of: Void.self)
                let gate = DispatchSemaphore(value: 0)
                async let outcome = subject.run { c in
                    try c.interruptNextPipeline(at: example.place) {
                        reached.finish()
                        gate.wait()
                        return false
                    }
                    return try c.pipeline(Self.steps).count
                }
                for await _ in places {}
                // Whoever has written holds a lock on the table.
                let holds = try await watcher.run { c in
                    try c.query(
                        "SELECT 1 FROM pg_locks WHERE pid = $1 AND relation = 'interrupted'::regclass AND mode = 'RowExclusiveLock'",
                        process
                    )
                }
                #expect(holds.isEmpty != example.isOpen)
                gate.signal()
                do {
                    _ = try await outcome
                    Issue.record("a pipeline whose connection was cut returned")
                } catch let error as PostgresError {
                    #expect(error.isConnectionLost)
                }
                try await eventually("the server has noticed") {
                    try await watcher.run { try $0.query("SELECT 1 FROM pg_stat_activity WHERE pid = $1", process).isEmpty }
                }
                let left = try await watcher.run { try $0.query("SELECT count(*) FROM interrupted")[0].get(0, Int.self) }
                #expect(left == example.left)
            }
        }

        @Test("A pipeline that goes on after its interruption is like any other, and so is the next", arguments: cases)
        func goOn(_ example: Case) async throws {
            try await Self.withTable { watcher, subject in
                try await subject.run { c in
                    try c.interruptNextPipeline(at: example.place) { true }
                    for _ in 0..<2 { #expect(try c.pipeline(Self.steps).count == 3) }
                }
                #expect(try await watcher.run { try $0.query("SELECT count(*) FROM interrupted")[0].get(0, Int.self) } == 6)
            }
        }

        private static func withTable(_ body: (PostgresConnection, PostgresConnection) async throws -> Void) async throws {
            let schema = "interruption_\(UInt32.random(in: 0...UInt32.max))"
            try await TestServer.withConnection {
                try $0.executeScript("CREATE SCHEMA \(schema); CREATE TABLE \(schema).interrupted (id int8)")
            }
            var configuration = try TestServer.configuration()
            configuration.options["search_path"] = schema
            let watcher = try await PostgresConnection.connect(configuration, logger: TestServer.logger)
            let subject = try await PostgresConnection.connect(configuration, logger: TestServer.logger)
            let outcome: Result<Void, any Error>
            do { outcome = .success(try await body(watcher, subject)) } catch { outcome = .failure(error) }
            await watcher.close()
            await subject.close()
            try await TestServer.withConnection { try $0.executeScript("DROP SCHEMA \(schema) CASCADE") }
            try outcome.get()
        }
    }
#endif
