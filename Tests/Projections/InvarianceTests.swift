import Domain
import EventStore
import Postgres
import TestSupport
import Testing

@testable import Projections

@Suite("Read models as functions of the log")
struct InvarianceTests {
    @Test("However the log is cut into batches, every read model comes to the same rows", arguments: [1, 2, 3] as [UInt64])
    func splits(seed: UInt64) async throws {
        let log = try RandomHistory.make(events: 700, seed: seed)
        var random = SeededGenerator(seed: seed)
        let randomCuts = (0..<2).map { _ in (0..<40).map { _ in Int.random(in: 1..<log.events.count, using: &random) } }
        try await TestDatabase.with { database in
            // Given the rows of the log applied one event at a time
            let single = try await Self.digests(log.events, cuts: Array(1..<log.events.count), schema: "one_by_one", database)
            // When it is applied in one batch, or cut anywhere
            for (index, cuts) in ([[]] + randomCuts).enumerated() {
                let other = try await Self.digests(log.events, cuts: cuts, schema: "cut_\(index)", database)
                // Then
                for (model, digest) in single {
                    #expect(other[model]?.differences(from: digest) == [], "\(model) with \(cuts.count) cuts")
                }
            }
            // And there are rows to speak of
            for (table, digest) in single.values.flatMap(\.tables) {
                #expect(!digest.hasPrefix("0:"), "\(table) is empty: the history says nothing about it")
            }
        }
    }

    private static func digests(
        _ events: [RecordedEvent],
        cuts: [Int],
        schema: String,
        _ database: TestDatabase
    ) async throws -> [String: ReadModelDigest] {
        var borders = Set(cuts).union([0, events.count]).sorted()[...]
        var batches: [ArraySlice<RecordedEvent>] = []
        while let start = borders.popFirst(), let end = borders.first { batches.append(events[start..<end]) }
        try await database.pool.withConnection { _ = try $0.execute("create schema \(schema)") }
        var digests: [String: ReadModelDigest] = [:]
        for model in Projections.models {
            let projector = Projector(model, decoded: DecodedEvents(), opener: PlainOpener())
            let tables = ReadModelTables(model: model, schema: schema)
            var changes: [Changes] = []
            for batch in batches { changes.append(try await projector.changes(by: batch, skipping: [])) }
            let all = changes
            digests[model.name] = try await database.pool.transaction { connection in
                try tables.create(on: connection)
                for change in all { try tables.write(change, on: connection) }
                return try ReadModelDigest(of: model, schema: schema, on: connection)
            }
        }
        return digests
    }

    /// All read models brought to the end of a log.
    private func live(_ log: TestLog, _ database: TestDatabase) async throws {
        try await log.write(to: database.pool)
        for model in Projections.models {
            let target = ProjectionTarget(model, opener: PlainOpener(), pool: database.projector, logger: TestDatabase.logger)
            let position = try #require(try await target.acquire())
            try await target.apply(log.events, after: position, through: log.head)
        }
    }

    private func verifier(_ database: TestDatabase) -> ReadModelVerifier {
        ReadModelVerifier(
            configuration: Projections.configuration(database.configuration), opener: PlainOpener(), logger: TestDatabase.logger
        )
    }

    @Test("Live read models equal a fresh replay, and one altered cell shows in its table")
    func verify() async throws {
        let log = try RandomHistory.make(events: 2500, seed: 9)
        try await TestDatabase.with { database in
            // Given
            try await live(log, database)
            // When, then
            let models = Projections.models.map(\.name)
            let equal = Dictionary(uniqueKeysWithValues: models.map { ($0, ReadModelVerdict.equal(at: log.head)) })
            #expect(try await verifier(database).compare() == equal)
            // When one cell is altered, then
            try await database.pool.withConnection { connection in
                _ = try connection.execute(
                    "update read.catalogo_units set address = address || '.' where id = (select min(id::text)::uuid from read.catalogo_units)"
                )
            }
            let altered = try await verifier(database).compare()
            #expect(altered["catalogo"] == .different(at: log.head, tables: ["catalogo_units"]))
            #expect(altered["contas"] == .equal(at: log.head))
        }
    }

    @Test("A read model that does not reach the head, and one that there is not, are named")
    func laggards() async throws {
        var log = try RandomHistory.make(events: 20, seed: 4)
        try await TestDatabase.with { database in
            // Given a log that has gone on without the read models, and one of them gone
            try await live(log, database)
            let reached = log.head
            try log.createUnit(9)
            try await log.write(to: database.pool)
            try await database.pool.withConnection { _ = try $0.execute("delete from read.checkpoints where name = 'agenda'") }
            // When
            let verdicts = try await verifier(database).compare(timeout: .milliseconds(50))
            // Then
            #expect(verdicts["catalogo"] == .behind(position: reached, head: log.head))
            #expect(verdicts["agenda"] == .missing)
        }
    }
}
