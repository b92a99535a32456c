import Foundation
import Postgres
import TestSupport
import Testing

@testable import EventStore

@Suite struct LogExportTests {
    /// Payloads and metadata that a log may hold though no service of ours writes them so.
    private static let odd: [[UInt8]] = [
        Array("{}".utf8), [], Array("not JSON".utf8), [0xFF, 0x00, 0x0A], Array(" {}".utf8), Array("{}\n".utf8), Array("{\n\"a\":1}".utf8),
        Array(#"{"b":1,  "a":"\u00e9\/","a":1e400}"#.utf8), Array("\"ação \u{1F600} \u{2028}\"".utf8), Array("-0.0".utf8),
        Array("[1,2".utf8), Array("{\"a\":\"\u{01}\"}".utf8), Array("{}}".utf8), Array("0".utf8) + [0], Array(#""\ud800""#.utf8),
        [0x22, 0xC3, 0x22], Array(repeating: UInt8(ascii: "["), count: 5000),
    ]

    private static func event(_ index: Int) -> NewEvent {
        NewEvent(
            id: UUID.v5(namespace: .dns, name: "\(index)".utf8),
            type: ["reservas.ReservaConcluida", "sem ponto \"\\\u{7}", "ação.É"][index % 3],
            schemaVersion: Int16(index % 3 + 1),
            payload: odd[index % odd.count],
            metadata: odd[(index / odd.count + index) % odd.count]
        )
    }

    /// Commands of one to many events, in several streams, with odd names and fingerprints.
    private static func fill(_ world: TestWorld, commands: Int = 60) async throws {
        var writer = try await world.takeOver()
        var versions: [String: Int32] = [:]
        var index = 0
        for command in 0..<commands {
            let names = Set(["s\(command % 7)", "stream \"\\ \u{1F600} \(command % 3)"])
            let streams = names.sorted().map { name in
                let events = (0..<(command % 5 + 1)).map { _ in
                    index += 1
                    return event(index)
                }
                defer { versions[name, default: 0] += Int32(events.count) }
                return StreamAppend(stream: name, expected: StreamVersion(versions[name] ?? 0), events: events)
            }
            let request = AppendRequest(
                commandID: UUID.v5(namespace: .dns, name: "command \(command)".utf8),
                fingerprint: Array(repeating: UInt8(command % 256), count: command % 4 * 8),
                deadline: .max,
                streams: streams
            )
            let written = try await writer.write([request], now: someTime + Int64(command) * 1_000_003)
            guard case .accepted = written.outcomes[0] else { throw Unexpected() }
        }
        await writer.close()
    }

    private struct Unexpected: Error {}

    private static func export(_ world: TestWorld, from first: Int64 = 1, to last: Int64? = nil, window: Int64 = 7) async throws -> [UInt8]
    {
        let written = Shared<[UInt8]>([])
        _ = try await LogExport(reader: world.reader, window: window).run(from: Position(first), through: last.map { Position($0) }) {
            bytes in
            written.withLock { $0 += bytes }
        }
        return written.value
    }

    /// A log of its own, gone by now: what it held and its export. No test holds two worlds at a time, or all might wait for one.
    private static func exported(
        window: Int64 = 7,
        _ fill: (TestWorld) async throws -> Void = { try await Self.fill($0) }
    ) async throws -> (file: [UInt8], history: [(event: RecordedEvent, hash: [UInt8])]) {
        var exported: (file: [UInt8], history: [(event: RecordedEvent, hash: [UInt8])]) = ([], [])
        try await TestWorld.run(broker: false) { world in
            try await fill(world)
            exported = (try await export(world, window: window), try await world.history())
        }
        return exported
    }

    private static func lines(_ file: [UInt8]) -> [[UInt8]] {
        file.split(separator: UInt8(ascii: "\n")).map(Array.init)
    }

    private static func file(_ lines: [[UInt8]]) -> [UInt8] {
        Array(lines.map { $0 + [UInt8(ascii: "\n")] }.joined())
    }

    /// Reads a file a few bytes at a time, or a few megabytes.
    private static func `import`(_ file: [UInt8], into world: TestWorld, pieces: Int = 1000) async throws -> LogImport.Report {
        let rest = Shared(file[...])
        return try await LogImport(database: world.database, logger: quiet).run(read: {
            rest.withLock { rest in
                defer { rest = rest.dropFirst(pieces) }
                return Array(rest.prefix(pieces))
            }
        })
    }

    @Test(arguments: [(7, 13), (1, 1), (5000, 1 << 20)] as [(Int64, Int)])
    func `a log that was exported and imported is the same log`(_ window: Int64, _ pieces: Int) async throws {
        // given
        let (file, original) = try await Self.exported(window: window)
        try await TestWorld.run(broker: false) { world in
            // when
            let report = try await Self.import(file, into: world, pieces: pieces)
            // then everything is as it was
            let copy = try await world.history()
            #expect(copy.map(\.event) == original.map(\.event))
            #expect(copy.map(\.hash) == original.map(\.hash))
            #expect(report == LogImport.Report(events: Int64(original.count), commands: 60, hash: original.last?.hash ?? []))
            try await world.expectSoundLog()
            let verdict = try await LogVerifier(pool: world.pool()).verify()
            #expect(verdict.problem == nil)
            #expect(verdict.hash == report.hash)
            // and exported again it is the same file
            #expect(try await Self.export(world) == file)
        }
    }

    @Test func `what was recorded before an import is known after it, and recording goes on`() async throws {
        // given
        let request = AppendRequest.sample(["a": 0, "b": 0], events: 2, fingerprint: [1, 2, 3])
        let file = try await Self.exported { try await $0.record([request]) }.file
        try await TestWorld.run(broker: false) { world in
            _ = try await Self.import(file, into: world)
            // when
            var changed = request
            changed.fingerprint = [9]
            let written = try await world.record([request, changed, .sample(["a": 2]), .sample(["b": 0])])
            // then
            #expect(
                written.outcomes == [
                    .repeated(first: Position(1), last: Position(4), sameFingerprint: true),
                    .repeated(first: Position(1), last: Position(4), sameFingerprint: false),
                    .accepted(first: Position(5), last: Position(5)),
                    .conflict(stream: "b", actual: StreamVersion(2)),
                ]
            )
            try await world.expectSoundLog()
        }
    }

    @Test func `every line is a CloudEvent`() async throws {
        struct Attributes: Decodable {
            let specversion: String
            let id: String
            let source: String
            let type: String
        }
        try await TestWorld.run(broker: false) { world in
            try await Self.fill(world)
            for line in Self.lines(try await Self.export(world)) {
                let attributes = try JSONDecoder().decode(Attributes.self, from: Data(line))
                #expect(attributes.specversion == "1.0")
                #expect(!attributes.id.isEmpty && !attributes.source.isEmpty && !attributes.type.isEmpty)
            }
        }
    }

    @Test func `an empty log is exported and imported as one`() async throws {
        try await TestWorld.run(broker: false) { world in
            let file = try await Self.export(world)
            #expect(Self.lines(file).count == 1)
            let report = try await Self.import(file, into: world)
            #expect(report == LogImport.Report(events: 0, commands: 0, hash: EventHash.origin))
            try await world.record([.sample(["a": 0])])
            try await world.expectSoundLog()
        }
    }

    @Test func `a stretch is exported alone, and not taken for a log`() async throws {
        var part: [UInt8] = []
        var beginning: [UInt8] = []
        try await TestWorld.run(broker: false) { world in
            // given four commands of three events
            try await world.record((0..<4).map { .sample(["s\($0)": 0], events: 3) })
            // when
            let whole = Self.lines(try await Self.export(world))
            part = try await Self.export(world, from: 5, to: 9)
            beginning = try await Self.export(world, to: 6)
            // then
            #expect(Array(Self.lines(part).dropFirst()) == Array(whole[5...9]))
            for (first, last) in [(0, 5), (7, 5), (1, 1_000_000)] as [(Int64, Int64)] {
                await #expect(throws: LogExport.Problem.outOfRange(head: Position(12))) {
                    try await Self.export(world, from: first, to: last)
                }
            }
            // A command that lost its last events would be answered as if it had recorded no more.
            for last: Int64 in [4, 8, 11] {
                await #expect(throws: LogExport.Problem.cutsCommand(at: Position(last))) { try await Self.export(world, to: last) }
            }
        }
        try await TestWorld.run(broker: false) { [part, beginning] world in
            await #expect(throws: LogImport.Problem.notFromTheBeginning(Position(5))) { try await Self.import(part, into: world) }
            // A beginning is a log of its own.
            #expect(try await Self.import(beginning, into: world).events == 6)
            try await world.expectSoundLog()
        }
    }

    @Test func `a log that was tampered with is not exported`() async throws {
        try await TestWorld.run(broker: false) { world in
            try await Self.fill(world)
            try await world.admin.executeScript(
                "alter table log.events disable trigger append_only; update log.events set payload = '{\"a\":1}' where position = 8"
            )
            await #expect(throws: LogExport.Problem.unsound(.altered(Position(8)))) { try await Self.export(world) }
        }
    }

    struct Damage: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let problem: LogImport.Problem
        let change: @Sendable (inout [[UInt8]]) -> Void

        init(_ name: String, _ problem: LogImport.Problem, _ change: @escaping @Sendable (inout [[UInt8]]) -> Void) {
            testDescription = name
            self.problem = problem
            self.change = change
        }
    }

    /// Twelve events in four commands of three; the position of an event is its line less one.
    @Test(arguments: [
        Damage("no manifest", .noManifest) { $0.removeFirst() },
        Damage("nothing at all", .noManifest) { $0 = [] },
        Damage("another format", .noManifest) { $0[0].replace(Array("\"format\":1".utf8), with: Array("\"format\":2".utf8)) },
        Damage("cut at a line", .truncated(line: 12, Position(12), last: Position(12))) { $0.removeLast() },
        Damage("cut between commands", .truncated(line: 10, Position(10), last: Position(12))) { $0.removeLast(3) },
        Damage("cut within a line", .unreadable(line: 13, Position(12))) { $0[12].removeLast(20) },
        Damage("a line is missing", .altered(line: 6, .missing(Position(5)))) { $0.remove(at: 5) },
        Damage("a line twice", .altered(line: 7, .missing(Position(6)))) { $0.insert($0[5], at: 5) },
        Damage("two lines swapped", .altered(line: 5, .missing(Position(4)))) { $0.swapAt(4, 5) },
        Damage("a payload", .altered(line: 9, .altered(Position(8)))) {
            $0[8].replace(Array("\"data\":{}".utf8), with: Array("\"data\":[]".utf8))
        },
        Damage("white space in a payload", .altered(line: 9, .altered(Position(8)))) {
            $0[8].replace(Array("\"data\":{}".utf8), with: Array("\"data\":{ }".utf8))
        },
        Damage("a hash", .altered(line: 9, .altered(Position(8)))) {
            $0[8].replace(Array("\"hash\":\"".utf8), with: Array("\"hash\":\"00".utf8))
        },
        Damage("a fingerprint gone", .altered(line: 5, .commandUnknown(Position(4)))) {
            $0[4].replace(Array("commandfingerprint".utf8), with: Array("other".utf8))
        },
        Damage("no JSON", .unreadable(line: 4, Position(3))) { $0[3] = Array("{".utf8) },
        Damage("an empty line", .unreadable(line: 4, Position(3))) { $0.insert([], at: 3) },
        Damage("more lines", .tooLong(line: 14)) { $0.append($0[12]) },
        Damage("another end announced", .notAnnounced(last: Position(12))) {
            $0[0].replace(Array("\"hash\":\"".utf8 + [$0[0].hashDigit]), with: Array("\"hash\":\"".utf8 + [$0[0].otherHashDigit]))
        },
        Damage("fewer events announced", .notAnnounced(last: Position(9))) {
            $0[0].replace(Array("\"last\":12".utf8), with: Array("\"last\":9".utf8))
        },
    ])
    func `a damaged file is refused, the place is named, and nothing is imported`(_ damage: Damage) async throws {
        // given
        let file = try await Self.exported { world in
            try await world.record((0..<4).map { .sample(["s\($0)": 0], events: 3, fingerprint: [1]) })
        }.file
        var lines = Self.lines(file)
        damage.change(&lines)
        let damaged = Self.file(lines)
        #expect(damaged != file)
        let problem = damage.problem
        try await TestWorld.run(broker: false) { (world: TestWorld) async throws -> Void in
            // when
            await #expect(throws: problem) { try await Self.import(damaged, into: world) }
            // then
            #expect(try await world.number("select count(*) from log.events") == 0)
            #expect(try await world.number("select head from log.writer") == 0)
            // and another try with the right file is not held up
            #expect(try await Self.import(file, into: world).events == 12)
        }
    }

    @Test func `only an empty log takes an import`() async throws {
        try await TestWorld.run(broker: false) { world in
            try await world.record([.sample(["a": 0])])
            let file = try await Self.export(world)
            await #expect(throws: LogImport.Problem.notEmpty(head: Position(1))) { try await Self.import(file, into: world) }
            try await world.expectSoundLog()
        }
        let file = try await Self.exported().file
        try await TestWorld.run(broker: false) { world in
            try await world.admin.executeScript("insert into log.commands values (gen_random_uuid(), '', 1, 1)")
            await #expect(throws: LogImport.Problem.notEmpty(head: .start)) { try await Self.import(file, into: world) }
        }
    }

    @Test func `nothing is seen before all is there, and a recorder that becomes active ends the import`() async throws {
        // given
        let file = try await Self.exported().file
        try await TestWorld.run(broker: false) { world in
            let taken = Shared(0)
            let goesOn = Shared(false)
            async let imported = LogImport(database: world.database, logger: quiet).run(read: {
                // The last piece is not given before it may.
                let start = taken.withLock { start in
                    defer { start = min(start + 2000, file.count) }
                    return start
                }
                let deadline = ContinuousClock.now + .seconds(10)
                while start + 2000 >= file.count, !goesOn.value, ContinuousClock.now < deadline { Thread.sleep(forTimeInterval: 0.001) }
                return Array(file[start..<min(start + 2000, file.count)])
            })
            try await eventually("the last piece is awaited") { taken.value == file.count }
            // when a recorder takes over meanwhile
            #expect(try await world.reader.head() == .start)
            #expect(try await world.number("select count(*) from log.events") == 0)
            var writer = try await world.takeOver()
            goesOn.withLock { $0 = true }
            // then
            do {
                let report = try await imported
                Issue.record("imported \(report.events) events")
            } catch {
                #expect(error as? LogImport.Problem == .interrupted)
            }
            #expect(try await world.number("select count(*) from log.events") == 0)
            _ = try await writer.write([.sample(["a": 0])], now: someTime)
            await writer.close()
            try await world.expectSoundLog()
        }
    }
}

extension [UInt8] {
    /// The first digit of the last hash in a manifest.
    fileprivate var hashDigit: UInt8 {
        firstRange(of: Array("\"hash\":\"".utf8)).map { self[$0.upperBound] } ?? 0
    }

    fileprivate var otherHashDigit: UInt8 { hashDigit == UInt8(ascii: "0") ? UInt8(ascii: "1") : UInt8(ascii: "0") }
}
