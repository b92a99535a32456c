import Crypto
import FoundationEssentials
import Postgres
import Testing

@testable import EventStore

@Suite struct SignedHeadTests {
    private let key = P256.Signing.PrivateKey()

    private func sign(_ world: TestWorld) async throws -> SignedHead {
        let report = try await LogVerifier(pool: world.pool()).verify()
        return try SignedHead.sign(report.head, report.hash, at: someTime, with: key)
    }

    /// Alters an event as somebody would who may do everything, knows the layout, and chains anew what follows.
    private func alter(_ position: Int64, _ world: TestWorld) async throws {
        let history = try await world.history()
        var hash = position == 1 ? EventHash.origin : history[Int(position) - 2].hash
        try await world.admin.executeScript("alter table log.events disable trigger append_only")
        for var (event, _) in history[(Int(position) - 1)...] {
            if event.position == Position(position) {
                event = RecordedEvent.sample(
                    position, stream: event.stream, version: event.version.rawValue, recordedAt: event.recordedAt, payload: "[]"
                )
            }
            hash = EventHash.hash(after: hash, event)
            _ = try await world.admin.execute(
                """
                update log.events set payload = $2, metadata = $3, event_id = $4, command_id = $5, recorded_at = $6, hash = $7
                 where position = $1
                """,
                event.position.rawValue, event.payload, event.metadata, event.id, event.commandID,
                PostgresTimestamp(microsecondsSinceEpoch: event.recordedAt), hash
            )
            try await world.admin.execute(
                "insert into log.commands values ($1, '', $2, $2) on conflict do nothing", event.commandID, event.position.rawValue
            )
        }
        try await world.admin.execute("update log.writer set hash = $1", hash)
    }

    @Test func `a log chained anew is sound to itself and found out by a signed head`() async throws {
        try await TestWorld.run(broker: false) { world in
            // given commands of one event, and heads signed on the way
            var heads: [SignedHead] = []
            for index in 0..<6 as Range<Int32> {
                try await world.record([.sample(["a": index])])
                if index % 2 == 1 { heads.append(try await sign(world)) }
            }
            let verifier = LogVerifier(pool: world.pool(), window: 2)
            #expect(try await verifier.verify(against: heads.reversed()).problem == nil)
            // when
            try await world.admin.executeScript(
                """
                alter table log.commands disable trigger append_only;
                delete from log.commands where first_position = 4;
                """
            )
            try await alter(4, world)
            // then
            #expect(try await verifier.verify().problem == nil)
            #expect(
                try await verifier.verify(against: heads).problem == .chainedAnew(after: Position(2), through: Position(4))
            )
            #expect(try await verifier.verify(against: [heads[0]]).problem == nil)
            #expect(try await verifier.verify(against: [heads[2]]).problem == .chainedAnew(after: .start, through: Position(6)))
            #expect(try await verifier.verify(after: heads[2]).problem == .chainedAnew(after: .start, through: Position(6)))
        }
    }

    @Test func `a log cut short and made to look whole is found out`() async throws {
        try await TestWorld.run(broker: false) { world in
            // given
            try await world.record((0..<5).map { .sample(["s\($0)": 0]) })
            let head = try await sign(world)
            let before = try await world.history()[3].hash
            // when the last event is taken away with everything that knows of it
            try await world.admin.executeScript(
                """
                alter table log.events disable trigger append_only;
                alter table log.commands disable trigger append_only;
                delete from log.events where position = 5;
                delete from log.commands where first_position = 5;
                update log.writer set head = 4, hash = '\\x\(before.hexadecimal)';
                """
            )
            // then
            let verifier = LogVerifier(pool: world.pool())
            #expect(try await verifier.verify().problem == nil)
            #expect(try await verifier.verify(against: [head]).problem == .shorterThanSigned(Position(5)))
            #expect(try await verifier.verify(after: head).problem == .shorterThanSigned(Position(5)))
        }
    }

    @Test func `what came after a signed head is checked alone`() async throws {
        try await TestWorld.run(broker: false) { world in
            // given
            try await world.record((0..<5).map { .sample(["s\($0)": 0], events: 2) })
            let head = try await sign(world)
            try await world.record((0..<5).map { .sample(["s\($0)": 2]) })
            let verifier = LogVerifier(pool: world.pool(), window: 2)
            let report = try await verifier.verify(after: head)
            #expect(report == LogVerifier.Report(events: 5, head: Position(15), hash: try await world.history()[14].hash, problem: nil))
            // when
            try await world.admin.executeScript(
                """
                alter table log.events disable trigger append_only;
                update log.events set payload = '1' where position in (3, 13);
                """
            )
            // then
            #expect(try await verifier.verify(after: head).problem == .altered(Position(13)))
        }
    }

    @Test func `a file of heads is read back, and only by the key that signed it`() throws {
        // given
        let heads = try (1...3).map { try SignedHead.sign(Position($0), Array(repeating: UInt8($0), count: 32), at: someTime, with: key) }
        let file = heads.map { $0.line + "\n" }.joined()
        // then
        #expect(try SignedHead.read(file, signedBy: key.publicKey) == heads)
        #expect(try SignedHead.read("", signedBy: key.publicKey) == [])
        #expect(throws: SignedHead.Problem.notOurs(line: 1)) { try SignedHead.read(file, signedBy: P256.Signing.PrivateKey().publicKey) }
        for (from, to) in [("\"position\":2", "\"position\":4"), ("\"hash\":\"02", "\"hash\":\"03"), ("2026", "2027")] {
            let altered = heads[0].line + "\n" + heads[1].line.replacing(from, with: to)
            #expect(altered != heads[0].line + "\n" + heads[1].line)
            #expect(throws: SignedHead.Problem.notOurs(line: 2)) { try SignedHead.read(altered, signedBy: key.publicKey) }
        }
        for line in ["x", "{}", heads[0].line.replacing("\"signature\":\"", with: "\"signature\":\"*")] {
            #expect(throws: SignedHead.Problem.malformed(line: 2)) { try SignedHead.read("\n" + line, signedBy: key.publicKey) }
        }
    }
}
