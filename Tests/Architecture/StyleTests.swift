import Testing

/// Rules of docs/style.md that no compiler and no formatter holds us to.
@Suite struct StyleTests {
    /// Work that nobody waits for is lost with the process. Each of these shields a final write from cancellation, and says so.
    private static let mayStartTasks: Set<String> = ["Sources/EventStore/Policies/TimerRunner.swift"]

    private static let longest = 500

    @Test("No task is started that nobody waits for")
    func tasks() throws {
        for file in try Project.swiftFiles(under: "Sources") {
            for (index, line) in file.code.enumerated() where line.contains(/(^|[^A-Za-z0-9_.])Task(\.detached|<[^>]*>)?(\([^)]*\))? *\{/) {
                #expect(Self.mayStartTasks.contains(file.path), "\(file.path):\(index + 1) starts a task")
                #expect(file.isExplained(index), "\(file.path):\(index + 1) does not say why it starts a task")
            }
        }
    }

    @Test("Nothing is forced")
    func force() throws {
        let forced = try Self.forced()
        for file in try Project.swiftFiles(under: "Sources", "Tests") {
            #expect(file.places(of: forced).isEmpty)
        }
    }

    private static func forced() throws -> Regex<AnyRegexOutput> {
        try Regex(#"\btry!|\bas!|[A-Za-z0-9_)\]}>?]!($|[^=])"#)
    }

    @Test(
        "What is forced is found, what is not is not",
        arguments: [
            ("a!", true), ("f()!.b", true), ("a[0]!", true), ("try! f()", true), ("a as! B", true), ("let a: Int!", true),
            ("a != b", false), ("!a", false), ("(!a)", false), ("a! // b", true), ("// a!", false), (#""a!""#, false), (#""\(a!)""#, true),
        ]
    )
    func forceIsFound(text: String, isForced: Bool) throws {
        #expect(Project.File(path: "a.swift", text: text).places(of: try Self.forced()).isEmpty != isForced)
    }

    @Test("Only commands print: everything else logs")
    func prints() throws {
        for file in try Project.swiftFiles(under: "Sources") where !file.path.hasPrefix("Sources/coworkflow/Commands/") {
            #expect(file.places(of: /(^|[^A-Za-z0-9_.])(print|debugPrint|dump|NSLog)\(/).isEmpty)
        }
    }

    @Test("Whoever takes a check away from the compiler says which invariant makes it safe")
    func unchecked() throws {
        for file in try Project.swiftFiles(under: "Sources") {
            for (index, line) in file.code.enumerated()
            where line.contains(/@unchecked|nonisolated\(unsafe\)|unsafeBitCast/) {
                #expect(file.isExplained(index), "\(file.path):\(index + 1) says no invariant")
            }
        }
    }

    @Test("A file has one reason to change")
    func length() throws {
        for file in try Project.swiftFiles(under: "Sources", "Tests") {
            #expect(file.lines.count <= Self.longest, "\(file.path)")
        }
    }

    @Test("Nothing is left to be done later")
    func leftovers() throws {
        for file in try Project.swiftFiles(under: "Sources", "Tests") where !file.path.hasPrefix("Tests/Architecture/") {
            for (index, line) in file.lines.enumerated() {
                #expect(!line.contains(/\b(TODO|FIXME|XXX|HACK)\b/), "\(file.path):\(index + 1)")
                #expect(!line.contains(/\.disabled\(|withKnownIssue/), "\(file.path):\(index + 1) switches a test off")
            }
        }
    }
}
