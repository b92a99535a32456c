import FoundationEssentials
import Postgres
import Testing

@testable import EventStore

@Suite struct LogVerifierTests {
    /// Twenty events: five streams of four, in two takeovers.
    private func fill(_ world: TestWorld) async throws {
        try await world.record((0..<5).map { .sample(["s\($0)": 0], events: 3) })
        try await world.record((0..<5).map { .sample(["s\($0)": 3]) })
    }

    private func verify(_ world: TestWorld, window: Int64 = 6) async throws -> LogVerifier.Report {
        try await LogVerifier(pool: world.pool(), window: window).verify()
    }

    @Test(arguments: [1, 7, 20, 1000] as [Int64])
    func `a log that nobody touched is good, whatever the page`(_ window: Int64) async throws {
        try await TestWorld.run(broker: false) { world in
            // given
            try await fill(world)
            let told = Shared<[[Int64]]>([])
            // when
            let report = try await LogVerifier(pool: world.pool(), window: window).verify { done, total in
                told.withLock { $0.append([done, total]) }
            }
            // then
            #expect(report.problem == nil)
            #expect(report.events == 20)
            #expect(report.head == Position(20))
            #expect(try await world.history().last?.hash == report.hash)
            #expect(told.value.last == [20, 20])
            #expect(told.value.count == Int((20 + window - 1) / window))
        }
    }

    @Test func `an empty log is good`() async throws {
        try await TestWorld.run(broker: false) { world in
            let report = try await verify(world)
            #expect(report == LogVerifier.Report(events: 0, head: .start, hash: EventHash.origin, problem: nil))
        }
    }

    struct Tampering: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let sql: String
        let problem: LogVerifier.Problem

        init(_ sql: String, _ problem: LogVerifier.Problem) {
            testDescription = sql
            self.sql = sql
            self.problem = problem
        }
    }

    @Test(arguments: [
        Tampering("update log.events set payload = '{\"a\":1}' where position = 8", .altered(Position(8))),
        Tampering("update log.events set metadata = payload where position = 1", .altered(Position(1))),
        Tampering("update log.events set type = 'reservas.Outra' where position = 8", .altered(Position(8))),
        Tampering("update log.events set stream = 's9' where position = 20", .altered(Position(20))),
        Tampering("update log.events set context = 'precos' where position = 8", .altered(Position(8))),
        Tampering("update log.events set schema_version = 2 where position = 8", .altered(Position(8))),
        Tampering("update log.events set recorded_at = recorded_at + interval '1 microsecond' where position = 8", .altered(Position(8))),
        Tampering("update log.events set event_id = gen_random_uuid() where position = 8", .altered(Position(8))),
        Tampering("update log.events set command_id = gen_random_uuid() where position = 8", .altered(Position(8))),
        Tampering("update log.events set hash = sha256('') where position = 8", .altered(Position(8))),
        Tampering("update log.events set version = 9 where position = 20", .altered(Position(20))),
        Tampering("delete from log.events where position = 6", .missing(Position(6))),
        Tampering("delete from log.events where position = 1", .missing(Position(1))),
        Tampering("delete from log.events where position between 5 and 9", .missing(Position(5))),
        Tampering("delete from log.events where position = 20", .missing(Position(20))),
        Tampering(
            "delete from log.events where position = 3; update log.events set payload = '' where position = 2", .altered(Position(2))),
        Tampering("update log.events set position = 21 where position = 7", .missing(Position(7))),
        Tampering(
            "insert into log.events select 21, gen_random_uuid(), 's9', 1, context, type, 1, recorded_at, command_id, payload, metadata, hash from log.events where position = 20",
            .outside(Position(21))),
        Tampering(
            "alter table log.events drop constraint events_position_check; insert into log.events select 0, gen_random_uuid(), 's9', 1, context, type, 1, recorded_at, command_id, payload, metadata, hash from log.events where position = 20",
            .outside(Position(0))),
        Tampering("delete from log.commands where first_position = 4", .commandUnknown(Position(4))),
        Tampering("update log.commands set last_position = 5 where first_position = 4", .commandRange(Position(6))),
        Tampering("update log.commands set last_position = 7 where first_position = 4", .commandRange(Position(7))),
        Tampering("update log.commands set last_position = 9 where first_position = 4", .commandRange(Position(7))),
        Tampering("update log.commands set first_position = 3 where first_position = 4", .commandRange(Position(4))),
        Tampering("update log.commands set first_position = 5 where first_position = 4", .commandRange(Position(4))),
        Tampering("update log.commands set last_position = 21 where first_position = 20", .commandRange(Position(20))),
        Tampering(
            "insert into log.commands values ('6ba7b810-9dad-11d1-80b4-00c04fd430c8', '', 3, 4)",
            .commandWithoutEvents(.dns)),
        Tampering(
            "insert into log.commands values ('6ba7b810-9dad-11d1-80b4-00c04fd430c8', '', 21, 22)",
            .commandWithoutEvents(.dns)),
        Tampering("update log.writer set hash = sha256('')", .writerDisagrees(head: Position(20))),
        Tampering(
            "insert into subs.checkpoints (name, position) values ('ok', 20), ('politica', 21)",
            .checkpointAhead(name: "politica", Position(21))),
        Tampering(
            "insert into read.checkpoints (name, definition, position) values ('agenda', '', 99)",
            .checkpointAhead(name: "agenda", Position(99))),
    ])
    func `the first problem is named`(_ tampering: Tampering) async throws {
        try await TestWorld.run(broker: false) { world in
            // given
            try await fill(world)
            // when somebody who may do everything changes it
            try await world.admin.executeScript(
                """
                alter table log.events disable trigger append_only;
                alter table log.commands disable trigger append_only;
                \(tampering.sql);
                """
            )
            // then
            #expect(try await verify(world).problem == tampering.problem)
        }
    }

    /// Does something while the log says that the last event of `s1` has another version.
    private func pretending(_ version: Int64, in world: TestWorld, _ body: () async throws -> Void) async throws {
        let actual = try await world.number("select max(version)::bigint from log.events where stream = 's1'")
        func turn(_ old: Int64, into new: Int64) async throws {
            try await world.admin.executeScript(
                """
                alter table log.events disable trigger append_only;
                update log.events set version = \(new) where stream = 's1' and version = \(old);
                """
            )
        }
        try await turn(actual, into: version)
        try await body()
        try await turn(version, into: actual)
    }

    /// Versions cannot be wrong under a chain that holds, unless the recorder itself wrote them so.
    @Test func `a version gap under a sound chain is found`() async throws {
        try await TestWorld.run(broker: false) { world in
            // given a writer that believed a wrong version
            try await fill(world)
            try await pretending(7, in: world) { try await world.record([.sample(["s1": 7])]) }
            // then
            #expect(try await verify(world).problem == .versionGap(stream: "s1", Position(21)))
        }
    }

    @Test(arguments: [0, 2, 6], [1, 3, 50] as [Int64])
    func `streams that are not remembered are looked up`(_ remembered: Int, _ window: Int64) async throws {
        try await TestWorld.run(broker: false) { world in
            // given streams that go on after many others
            for version in 0..<4 as Range<Int32> { try await world.record((0..<5).map { .sample(["s\($0)": version]) }) }
            let verifier = LogVerifier(pool: world.pool(), window: window, rememberedStreams: remembered)
            #expect(
                try await verifier.verify()
                    == LogVerifier.Report(
                        events: 20, head: Position(20), hash: try await world.history()[19].hash, problem: nil
                    ))
            // when a writer believed a wrong version
            try await pretending(7, in: world) {
                try await world.record((0..<3).map { .sample(["t\($0)": 0]) } + [.sample(["s1": 7])])
            }
            // then
            #expect(try await verifier.verify().problem == .versionGap(stream: "s1", Position(24)))
        }
    }

    @Test func `appends in the meantime are no problem`() async throws {
        try await TestWorld.run(broker: false) { world in
            try await fill(world)
            let verifier = LogVerifier(pool: world.pool(), window: 5)
            async let recorded: Void = {
                var writer = try await world.takeOver()
                for version in 0..<40 as Range<Int32> { _ = try await writer.write([.sample(["live": version])], now: systemClock()) }
                await writer.close()
            }()
            for _ in 0..<5 { #expect(try await verifier.verify().problem == nil) }
            try await recorded
        }
    }

    @Test func `cancelling stops the walk`() async throws {
        try await TestWorld.run(broker: false) { world in
            try await fill(world)
            let verifier = LogVerifier(pool: world.pool(), window: 1)
            let walk = Shared<Task<LogVerifier.Report, any Error>?>(nil)
            walk.withLock { started in
                started = Task {
                    // when it is cancelled after three pages
                    try await verifier.verify { done, _ in
                        if done == 3 { walk.value?.cancel() }
                    }
                }
            }
            // then
            await #expect(throws: CancellationError.self) { try await walk.value?.value }
        }
    }
}
