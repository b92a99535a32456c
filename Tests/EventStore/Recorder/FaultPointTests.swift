#if FAULT_POINTS
    import Foundation
    import Postgres
    import Testing

    @testable import EventStore

    /// The points themselves, and what the recorder makes of losing its database at each. That it may be killed and paused there as
    /// well is what `make chaos` shows, because those orders are for whole processes.
    @Suite struct FaultPointTests {
        @Test(
            arguments: [
                ("before-commit kill 3", true), ("after-reply stop 1\n", true), ("before-answer cut 2", true),
                ("before-commit kill 0", false), ("before-commit kill", false), ("nowhere kill 1", false), ("before-fence sing 1", false),
                ("after-commit cut 1", false), ("", false),
            ]
        )
        func `an order names a point, what is to happen, and when`(text: String, isOrder: Bool) {
            #expect((FaultPoint.Order(text, file: "") != nil) == isOrder)
        }

        @Test(arguments: [FaultPoint.beforeFence, .beforeInsert, .beforeCommit, .beforeAnswer])
        func `a recorder that loses its database there answers all the same, and records once`(point: FaultPoint) async throws {
            let orders = FileManager.default.temporaryDirectory.appending(path: "fault-\(UUID())")
            try await FaultPoint.$orders.withValue(orders.path) {
                try await TestWorld.run { world in
                    // given
                    try await world.startRecorder()
                    let client = try await world.startClient()
                    try Data("\(point.rawValue) cut 2".utf8).write(to: orders)
                    let deadline = systemClock() + 30_000_000
                    // when
                    let first = try await client.append(.sample(["a": 0], deadline: deadline))
                    #expect(FileManager.default.fileExists(atPath: orders.path), "the first commit is left alone")
                    let second = try await client.append(.sample(["a": 1], events: 2, deadline: deadline))
                    #expect(!FileManager.default.fileExists(atPath: orders.path), "the second is not")
                    let third = try await client.append(.sample(["a": 3], deadline: deadline))
                    // then
                    let last = Position(3)
                    let isCommitted = point == .beforeAnswer
                    #expect(first == .accepted(first: Position(1), last: Position(1)))
                    #expect(
                        second
                            == (isCommitted
                                ? .repeated(first: Position(2), last: last, sameFingerprint: true)
                                : .accepted(first: Position(2), last: last))
                    )
                    #expect(third == .accepted(first: Position(4), last: Position(4)))
                    #expect(try await world.expectSoundLog().count == 4)
                    #expect(try await world.number("select epoch from log.writer") == 2, "it took its own log over")
                }
            }
        }

        /// Between the statements of a pipeline Postgres waits without any of its timeouts running: only the takeover ends it.
        @Test func `a writer paused in the middle of its pipeline is ended by the takeover, and leaves nothing`() async throws {
            try await TestWorld.run(broker: false) { world in
                // given a batch of the present epoch that has passed the fence, and whose sender sleeps
                let sleeper = try await PostgresConnection.connect(LogWriter.settings(for: world.database), logger: quiet)
                let (asleep, sleeps) = AsyncStream.makeStream(of: Void.self)
                let morning = DispatchSemaphore(value: 0)
                let slept = Task {
                    try await sleeper.run { connection in
                        _ = try connection.query("select log.take_over()")
                        try connection.interruptNextPipeline(at: .before(step: 1)) {
                            sleeps.finish()
                            morning.wait()
                            return true
                        }
                        return try connection.pipeline([
                            Committer.fence(1, from: .start, to: Position(1), EventHash.origin),
                            PostgresStatement("insert into log.commands values (gen_random_uuid(), '', 1, 1)"),
                        ]).count
                    }
                }
                for await _ in asleep {}
                // when
                let took = try await duration(of: {
                    var writer = try await world.takeOver()
                    _ = try await writer.write([.sample(["a": 0])], now: someTime)
                    await writer.close()
                })
                morning.signal()
                // then
                #expect(took < .seconds(2))
                await #expect(throws: PostgresError.self) { _ = try await slept.value }
                await sleeper.close()
                #expect(try await world.expectSoundLog().map(\.stream) == ["a"])
            }
        }
    }
#endif
