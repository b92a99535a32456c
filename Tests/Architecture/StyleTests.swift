import Foundation
import Testing

/// Rules of docs/style.md that no compiler and no formatter holds us to.
@Suite struct StyleTests {
    /// Work that nobody waits for is lost with the process. One of these shields a final write from cancellation, the other counts down
    /// for a caller who is cancelled, and each says so.
    private static let mayStartTasks: Set<String> = [
        "Sources/EventStore/Append/AppendClient.swift", "Sources/EventStore/Policies/TimerRunner.swift",
    ]

    private static let longest = 500

    @Test("No task is started that nobody waits for")
    func tasks() throws {
        for file in try Project.swiftFiles(under: "Sources") {
            for index in file.lines(with: ["Task"], matching: /(^|[^A-Za-z0-9_.])Task(\.detached|<[^>]*>)?(\([^)]*\))? *\{/) {
                #expect(Self.mayStartTasks.contains(file.path), "\(file.place(index)) starts a task")
                #expect(file.isExplained(index), "\(file.place(index)) does not say why it starts a task")
            }
        }
    }

    @Test("Nothing is forced")
    func force() throws {
        for file in try Project.swiftFiles(under: "Sources", "Tests") {
            #expect(try Self.forced(in: file).map(file.place).isEmpty)
        }
    }

    private static func forced(in file: Project.File) throws -> [Int] {
        file.lines(with: ["!"], matching: try Regex(#"\btry!|\bas!|[A-Za-z0-9_)\]}>?]!($|[^=])"#))
    }

    @Test(
        "What is forced is found, what is not is not",
        arguments: [
            ("a!", true), ("f()!.b", true), ("a[0]!", true), ("try! f()", true), ("a as! B", true), ("let a: Int!", true),
            ("a != b", false), ("!a", false), ("(!a)", false), ("a! // b", true), ("// a!", false), (#""a!""#, false), (#""\(a!)""#, true),
        ]
    )
    func forceIsFound(text: String, isForced: Bool) throws {
        #expect(try Self.forced(in: Project.File(path: "a.swift", text: text)).isEmpty != isForced)
    }

    @Test("Only commands print: everything else logs")
    func prints() throws {
        for file in try Project.swiftFiles(under: "Sources") where !file.path.hasPrefix("Sources/coworkflow/Commands/") {
            let prints = file.lines(with: ["rint(", "dump(", "NSLog("], matching: /(^|[^A-Za-z0-9_.])(print|debugPrint|dump|NSLog)\(/)
            #expect(prints.map(file.place).isEmpty)
        }
    }

    @Test("Whoever takes a check away from the compiler says which invariant makes it safe")
    func unchecked() throws {
        for file in try Project.swiftFiles(under: "Sources") {
            for index in file.lines(with: ["@unchecked", "nonisolated(unsafe)", "unsafeBitCast"], matching: /./) {
                #expect(file.isExplained(index), "\(file.place(index)) says no invariant")
            }
        }
    }

    @Test("A file has one reason to change")
    func length() throws {
        for file in try Project.swiftFiles(under: "Sources", "Tests") {
            #expect(file.lines.count <= Self.longest, "\(file.path)")
        }
    }

    @Test("Nothing is left to be done later, and no test is switched off")
    func leftovers() throws {
        for file in try Project.swiftFiles(under: "Sources", "Tests") where !file.path.hasPrefix("Tests/Architecture/") {
            for word in ["TODO", "FIXME", "XXX", ".disabled(", "withKnownIssue"] {
                let places = file.lines.indices.filter { file.lines[$0].range(of: word) != nil }.map(file.place)
                #expect(places.isEmpty, "\(word)")
            }
        }
    }
}
