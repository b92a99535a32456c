import EventStore
import Postgres
import TestSupport
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
        case allBut(id: Int64, extra: Int64)

        func describe(in changes: inout Changes) throws {
            let note: [String: PostgresValue] = ["note": .text("swept")]
            switch self {
            case .row(let id, let operation): try operation.describe(id, in: &changes)
            case .present(let extra): try changes.sweep(table, where: "extra", is: .int8(extra), having: .present("note"), set: note)
            case .absent(let extra): try changes.sweep(table, where: "extra", is: .int8(extra), having: .absent("note"), set: note)
            case .every(let extra):
                try changes.sweep(table, where: "extra", is: .int8(extra), set: ["count": .int8(0), "note": .null(.text)])
            case .allBut(let id, let extra):
                try changes.sweep(table, where: "extra", is: .int8(extra), having: .absent("note"), butNot: ("id", .int8(id)), set: note)
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
            case .allBut(let id, let extra):
                let spared = rows[id]
                sweep(extra) { $0.note = $0.note ?? "swept" }
                rows[id] = spared
            }
        }

        static func random(_ random: inout SeededGenerator) -> Step {
            let extra: Int64 = [1, 7].randomElement(using: &random) ?? 1
            switch Int.random(in: 0..<9, using: &random) {
            case 0: return .present(extra: extra)
            case 1: return .absent(extra: extra)
            case 2: return .every(extra: extra)
            case 3: return .allBut(id: Int64.random(in: 0..<3, using: &random), extra: extra)
            default:
                let operation = ChangesTests.Operation.allCases.randomElement(using: &random) ?? .upsert
                return .row(Int64.random(in: 0..<3, using: &random), operation)
            }
        }
    }

    /// Short histories, many of them: what goes wrong early in a long one is written over later.
    @Test("However a history is cut, a sweep meets the rows as they are when it comes", arguments: [1, 2, 3] as [UInt64])
    func order(seed: UInt64) async throws {
        var random = SeededGenerator(seed: seed)
        var histories: [(expected: [Int64: Row], batches: [Changes])] = []
        var swept = 0
        for _ in 0..<40 {
            let steps = (0..<14).map { _ in Step.random(&random) }
            var rows: [Int64: Row] = [:]
            for step in steps {
                let before = rows
                step.happen(to: &rows)
                if case .row = step { continue }
                if rows != before { swept += 1 }
            }
            histories.append((rows, try Self.batches(of: steps, &random)))
        }
        #expect(swept > 10)
        let written = histories
        try await TestDatabase.with { database in
            for (number, history) in written.enumerated() {
                // Each batch by itself, and all added to one.
                var joined = Changes([Self.table])
                for batch in history.batches { try joined.append(batch) }
                for (name, batches) in [("apart", history.batches), ("joined", [joined])] {
                    let rows = try await ChangesTests.rows(after: batches, schema: "\(name)_\(number)", database)
                    #expect(rows == history.expected, "history \(number), \(name)")
                }
            }
        }
    }

    private static func batches(of steps: [Step], _ random: inout SeededGenerator) throws -> [Changes] {
        var batches: [Changes] = []
        var left = steps[...]
        while !left.isEmpty {
            var changes = Changes([table])
            let count = min(left.count, Int.random(in: 1...7, using: &random))
            for step in left.prefix(count) { try step.describe(in: &changes) }
            left.removeFirst(count)
            batches.append(changes)
        }
        return batches
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
        #expect(throws: Changes.Problem.unknownColumn(table: "sample_rows", column: "z")) {
            try changes.sweep(Self.table, where: "extra", is: .int8(1), butNot: ("z", .int8(1)), set: ["note": .text("")])
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
