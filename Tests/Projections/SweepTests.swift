import EventStore
import Postgres
import Testing

@testable import Projections

/// Changes of every row that has some value, among changes of single rows.
@Suite("Sweeps over rows")
struct SweepTests {
    private typealias Row = ChangesTests.Row

    private static let table = ChangesTests.table

    private enum Step {
        case row(Int64, ChangesTests.Operation)
        case present(extra: Int64)
        case absent(extra: Int64)
        case every(extra: Int64)

        func describe(in changes: inout Changes) throws {
            let note: [String: PostgresValue] = ["note": .text("swept")]
            switch self {
            case .row(let id, let operation): try operation.describe(id, in: &changes)
            case .present(let extra): try changes.sweep(table, where: "extra", is: .int8(extra), having: .present("note"), set: note)
            case .absent(let extra): try changes.sweep(table, where: "extra", is: .int8(extra), having: .absent("note"), set: note)
            case .every(let extra):
                try changes.sweep(table, where: "extra", is: .int8(extra), set: ["count": .int8(0), "note": .null(.text)])
            }
        }

        /// The same, told plainly.
        func happen(to rows: inout [Int64: Row]) {
            func sweep(_ extra: Int64, _ change: (inout Row) -> Void) {
                for (id, var row) in rows where row.extra == extra {
                    change(&row)
                    rows[id] = row
                }
            }
            switch self {
            case .row(let id, let operation): rows[id] = operation.happen(to: rows[id])
            case .present(let extra): sweep(extra) { $0.note = $0.note == nil ? nil : "swept" }
            case .absent(let extra): sweep(extra) { $0.note = $0.note ?? "swept" }
            case .every(let extra): sweep(extra) { $0 = Row(count: 0, note: nil, extra: $0.extra) }
            }
        }

        static func random(_ random: inout SeededGenerator) -> Step {
            let extra: Int64 = [1, 3, 7, 9].randomElement(using: &random) ?? 1
            switch Int.random(in: 0..<12, using: &random) {
            case 0: return .present(extra: extra)
            case 1: return .absent(extra: extra)
            case 2: return .every(extra: extra)
            default:
                let operation = ChangesTests.Operation.allCases.randomElement(using: &random) ?? .upsert
                return .row(Int64.random(in: 0..<5, using: &random), operation)
            }
        }
    }

    @Test("However a history is cut, a sweep meets the rows as they are when it comes", arguments: [1, 2, 3] as [UInt64])
    func order(seed: UInt64) async throws {
        var random = SeededGenerator(seed: seed)
        let steps = (0..<400).map { _ in Step.random(&random) }
        var expected: [Int64: Row] = [:]
        var swept = 0
        for step in steps {
            let before = expected
            step.happen(to: &expected)
            if case .row = step { continue }
            if expected != before { swept += 1 }
        }
        #expect(swept > 10)
        for longest in [1, 7, 400] {
            var batches: [Changes] = []
            var left = steps[...]
            while !left.isEmpty {
                var changes = Changes([Self.table])
                for step in left.prefix(Int.random(in: (longest + 1) / 2...longest, using: &random)) {
                    try step.describe(in: &changes)
                    left.removeFirst()
                }
                batches.append(changes)
            }
            let written = batches
            try await TestDatabase.with { database in
                let rows = try await ChangesTests.rows(after: written, schema: "swept", database)
                #expect(rows == expected, "batches of up to \(longest)")
            }
        }
    }

    @Test("A sweep that the table does not admit is a mistake that is named")
    func mistakes() throws {
        var changes = Changes([Self.table])
        #expect(throws: Changes.Problem.unknownColumn(table: "sample_rows", column: "x")) {
            try changes.sweep(Self.table, where: "x", is: .int8(1), set: ["note": .text("")])
        }
        #expect(throws: Changes.Problem.unknownColumn(table: "sample_rows", column: "y")) {
            try changes.sweep(Self.table, where: "extra", is: .int8(1), having: .present("y"), set: ["note": .text("")])
        }
        #expect(throws: Changes.Problem.keyChanged(table: "sample_rows", column: "id")) {
            try changes.sweep(Self.table, where: "extra", is: .int8(1), set: ["id": .int8(2)])
        }
        #expect(throws: Changes.Problem.wrongValue(table: "sample_rows", column: "extra")) {
            try changes.sweep(Self.table, where: "extra", is: .text(""), set: ["note": .text("")])
        }
        #expect(changes.changed == nil)
    }
}
