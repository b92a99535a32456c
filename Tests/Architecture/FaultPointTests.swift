import Foundation
import Testing

/// What can make a process die on purpose is compiled into test builds only.
@Suite struct FaultPointTests {
    private static let condition = "#if FAULT_POINTS"

    @Test("The fault points are defined for debug builds, and nowhere else")
    func definition() throws {
        let manifest = try String(contentsOf: Project.root.appending(path: "Package.swift"), encoding: .utf8)
        let definition = #".define("FAULT_POINTS", .when(configuration: .debug))"#
        #expect(manifest.contains(definition))
        #expect(!manifest.replacing(definition, with: "").contains("FAULT_POINTS"))
    }

    @Test("Orders are read, and processes signalled, in test builds only")
    func condition() throws {
        let dangerous = ["getenv", "SIGSTOP", "SIGKILL", "shutdown(", "fopen"]
        let files = try Project.swiftFiles(under: "Sources/EventStore", "Sources/Postgres")
        #expect(files.contains { !Self.guarded(in: $0).isEmpty })
        for file in files {
            let inside = Self.guarded(in: file)
            for index in file.code.indices where !inside.contains(index) {
                for word in dangerous { #expect(!file.code[index].contains(word), "\(file.place(index))") }
            }
        }
    }

    /// The lines between the condition and its end.
    private static func guarded(in file: Project.File) -> Set<Int> {
        var inside: Set<Int> = []
        var conditions: [Bool] = []
        for (index, line) in file.code.enumerated() {
            let text = line.trimmingCharacters(in: .whitespaces)
            if text.hasPrefix("#if") { conditions.append(text == Self.condition) }
            // What stands in the other branch is compiled where the condition does not hold.
            if text.hasPrefix("#else"), !conditions.isEmpty { conditions[conditions.count - 1] = false }
            if text.hasPrefix("#endif"), !conditions.isEmpty { conditions.removeLast() }
            if conditions.contains(true) { inside.insert(index) }
        }
        return inside
    }
}
