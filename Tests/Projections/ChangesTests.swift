import EventStore
import Postgres
import Testing

@testable import Projections

@Suite("Changes to rows")
struct ChangesTests {
    static let table = Table(
        "sample_rows",
        columns: [
            Column("id", .bigint), Column("count", .bigint), Column("note", .text, nullable: true),
            Column("extra", .bigint, nullable: true),
        ],
        key: ["id"]
    )

    /// What can happen to a row.
    enum Operation: CaseIterable {
        case upsert
        case upsertOther
        case setNote
        case setCount
        case setExtra
        case increment
        case decrementBoth
        case delete

        func describe(_ id: Int64, in changes: inout Changes) throws {
            let key: [String: PostgresValue] = ["id": .int8(id)]
            switch self {
            case .upsert:
                try changes.upsert(table, ["id": .int8(id), "count": .int8(10), "note": .null(.text), "extra": .null(.int8)])
            case .upsertOther:
                try changes.upsert(table, ["id": .int8(id), "count": .int8(20), "note": .text("other"), "extra": .int8(7)])
            case .setNote: try changes.update(table, key: key, set: ["note": .text("set")])
            case .setCount: try changes.update(table, key: key, set: ["count": .int8(100), "note": .null(.text)])
            case .setExtra: try changes.update(table, key: key, set: ["extra": .int8(1)])
            case .increment: try changes.increment(table, key: key, by: ["count": 1])
            case .decrementBoth: try changes.increment(table, key: key, by: ["count": -5, "extra": 2])
            case .delete: try changes.delete(table, key: key)
            }
        }

        /// The same, told plainly.
        func happen(to row: Row?) -> Row? {
            switch self {
            case .upsert: Row(count: 10, note: nil, extra: nil)
            case .upsertOther: Row(count: 20, note: "other", extra: 7)
            case .setNote: row.map { Row(count: $0.count, note: "set", extra: $0.extra) }
            case .setCount: row.map { Row(count: 100, note: nil, extra: $0.extra) }
            case .setExtra: row.map { Row(count: $0.count, note: $0.note, extra: 1) }
            case .increment: Row(count: (row?.count ?? 0) + 1, note: row?.note, extra: row?.extra)
            case .decrementBoth: Row(count: (row?.count ?? 0) - 5, note: row?.note, extra: row?.extra.map { $0 + 2 })
            case .delete: nil
            }
        }
    }

    struct Row: Equatable {
        var count: Int64
        var note: String?
        var extra: Int64?
    }

    /// Every way that up to four things can follow each other.
    static let sequences: [[Operation]] = {
        var sequences: [[Operation]] = [[]]
        var longest = sequences
        for _ in 1...4 {
            longest = longest.flatMap { sequence in Operation.allCases.map { sequence + [$0] } }
            sequences += longest
        }
        return sequences
    }()

    /// Each sequence happens to a row of its own: even ids are there before, odd ones are not.
    @Test("Folded into one batch, joined from several or one by one, every sequence leaves the row that it describes")
    func sequences() async throws {
        try await TestDatabase.with { database in
            // Given the rows that are there before
            let before = Row(count: 1000, note: "before", extra: 50)
            var given = Changes([Self.table])
            for index in Self.sequences.indices {
                try given.upsert(
                    Self.table,
                    ["id": .int8(Int64(2 * index)), "count": .int8(1000), "note": .text("before"), "extra": .int8(50)]
                )
            }
            // When all happens in one batch, and step by step
            var once = Changes([Self.table])
            var steps = (0..<4).map { _ in Changes([Self.table]) }
            for (index, sequence) in Self.sequences.enumerated() {
                for (step, operation) in sequence.enumerated() {
                    for id in [2 * index, 2 * index + 1] {
                        try operation.describe(Int64(id), in: &once)
                        try operation.describe(Int64(id), in: &steps[step])
                    }
                }
            }
            let together = try await Self.rows(after: [given, once], schema: "together", database)
            let apart = try await Self.rows(after: [given] + steps, schema: "apart", database)
            // And when what later batches do is added to what earlier ones do
            let joined = try await Self.rows(after: [given, try Self.joined(steps[...])], schema: "joined", database)
            let pairs = [try Self.joined(steps[..<2]), try Self.joined(steps[2...])]
            let paired = try await Self.rows(after: [try Self.joined([given, pairs[0]]), pairs[1]], schema: "paired", database)
            // Then both leave what each sequence describes
            for (index, sequence) in Self.sequences.enumerated() {
                for (id, start) in [(2 * index, before), (2 * index + 1, nil as Row?)] {
                    let expected = sequence.reduce(start) { $1.happen(to: $0) }
                    #expect(together[Int64(id)] == expected, "\(sequence) in one batch, id \(id)")
                    #expect(apart[Int64(id)] == expected, "\(sequence) one by one, id \(id)")
                    #expect(joined[Int64(id)] == expected, "\(sequence) joined, id \(id)")
                    #expect(paired[Int64(id)] == expected, "\(sequence) joined in pairs, id \(id)")
                }
            }
        }
    }

    private static func joined(_ batches: ArraySlice<Changes>) throws -> Changes {
        var all = Changes([table])
        for batch in batches { try all.append(batch) }
        return all
    }

    static func rows(after batches: [Changes], schema: String, _ database: TestDatabase) async throws -> [Int64: Row] {
        let tables = ReadModelTables(model: OneTable(), schema: schema)
        return try await database.pool.transaction { connection in
            try connection.execute("create schema \(schema)")
            try tables.create(on: connection)
            for batch in batches { try tables.write(batch, on: connection) }
            let rows = try connection.query("select id, count, note, extra from \(schema).sample_rows").map { row in
                (try row.get(0, Int64.self), Row(count: try row.get(1), note: try row.get(2), extra: try row.get(3)))
            }
            return Dictionary(uniqueKeysWithValues: rows)
        }
    }

    private struct OneTable: ReadModel {
        let name = "sample"
        let tables = [ChangesTests.table]
        let eventTypes: Set<String> = []
        let revision = 1

        func apply(_ event: ProjectedEvent, to changes: inout Changes) {}
    }

    static let uncountable = Table(
        "sample_named",
        columns: [Column("id", .bigint), Column("name", .text), Column("count", .bigint)],
        key: ["id"]
    )

    /// What a read model may do wrong.
    enum Mistake: CaseIterable {
        case missingColumn, unknownColumn, null, wrongType, keyChanged, missingKey, countedText, countedNamed, overflow, strangeTable

        var problem: Changes.Problem {
            switch self {
            case .missingColumn: .missingColumn(table: "sample_rows", column: "note")
            case .unknownColumn: .unknownColumn(table: "sample_rows", column: "other")
            case .null, .wrongType: .wrongValue(table: "sample_rows", column: "count")
            case .keyChanged: .keyChanged(table: "sample_rows", column: "id")
            case .missingKey: .missingColumn(table: "sample_rows", column: "id")
            case .countedText: .notCountable(table: "sample_rows", column: "note")
            case .countedNamed: .notCountable(table: "sample_named", column: "name")
            case .overflow: .overflow(table: "sample_rows", column: "count")
            case .strangeTable: .unknownTable("sample_rows")
            }
        }

        func describe(in changes: inout Changes) throws {
            let key: [String: PostgresValue] = ["id": .int8(1)]
            switch self {
            case .missingColumn: try changes.upsert(table, ["id": .int8(1), "count": .int8(1), "extra": .int8(1)])
            case .unknownColumn: try changes.update(table, key: key, set: ["other": .int8(1)])
            case .null: try changes.update(table, key: key, set: ["count": .null(.int8)])
            case .wrongType: try changes.update(table, key: key, set: ["count": .int4(1)])
            case .keyChanged: try changes.update(table, key: key, set: ["id": .int8(2)])
            case .missingKey: try changes.delete(table, key: [:])
            case .countedText: try changes.increment(table, key: key, by: ["note": 1])
            case .countedNamed: try changes.increment(uncountable, key: key, by: ["count": 1])
            case .overflow:
                try changes.increment(table, key: key, by: ["count": .max])
                try changes.increment(table, key: key, by: ["count": 1])
            case .strangeTable:
                try changes.delete(Table("sample_rows", columns: [Column("id", .uuid)], key: ["id"]), key: [:])
            }
        }
    }

    @Test("A change that the table does not admit is an error", arguments: Mistake.allCases)
    func problems(mistake: Mistake) {
        var changes = Changes([Self.table, Self.uncountable])
        #expect(throws: mistake.problem) { try mistake.describe(in: &changes) }
    }

    @Test("A failed description leaves what was described before")
    func failedDescription() throws {
        // Given a row that is counted up to the brim
        var changes = Changes([Self.table])
        changes.position = Position(3)
        try changes.increment(Self.table, key: ["id": .int8(1)], by: ["count": .max])
        let before = changes.tables[0].rows
        // When one more is refused
        changes.position = Position(4)
        #expect(throws: Changes.Problem.self) { try changes.increment(Self.table, key: ["id": .int8(1)], by: ["count": 1]) }
        // Then the row and the position that changed it are as before
        #expect(changes.tables[0].rows == before)
        #expect(changes.changed == Position(3))
    }
}
