import Foundation
import Testing

/// What is written about the project is about this project.
@Suite struct DocumentTests {
    private static let places = [
        "Sources/", "Tests/", "scripts/", "docs/", "benchmarks/", "infra/", "web/", "ecs-tasks/", ".ci/", "Package.swift", "Makefile",
    ]

    /// What the guide to adding things lets its reader imagine.
    private static let imagined = ["ReservaTransferida", "TransferirReserva", "Projections/Nome/"]

    private static func documents() throws -> [(path: String, text: String)] {
        let paths = ["README.md"] + Project.paths(under: ["docs", "benchmarks"]).filter { $0.hasSuffix(".md") }
        return try paths.map { ($0, try String(contentsOf: Project.root.appending(path: $0), encoding: .utf8)) }
    }

    @Test("Every path that a document names exists")
    func paths() throws {
        for (document, text) in try Self.documents() {
            for path in Self.named(in: text) where document != "docs/adding.md" || !Self.imagined.contains(where: path.contains) {
                #expect(Project.exists(path), "\(document) names \(path)")
            }
            for link in Self.links(in: text) {
                let target = document.contains("/") ? "\(document.split(separator: "/").dropLast().joined(separator: "/"))/\(link)" : link
                #expect(Project.exists(target), "\(document) links to \(link)")
            }
        }
    }

    @Test("The documents there are to be are there")
    func presence() {
        #expect(Project.exists("README.md"))
        #expect(!Project.paths(under: ["docs"]).filter { $0.hasSuffix(".md") }.isEmpty)
    }

    @Test("Nothing names a place of the machine it was written on")
    func machine() throws {
        // Put together here, so that this file does not name them.
        let forbidden = ["work/main", "work/shared", "work/build", "tmp/dev", "home/user"].map { "/" + $0 }
        let paths =
            Project.paths(under: ["Sources", "Tests", "scripts", "docs", "benchmarks", ".ci"]) + ["README.md", "Makefile", "Package.swift"]
        for path in paths {
            for place in forbidden { #expect(!Project.file(path, has: place), "\(path) names \(place)") }
        }
    }

    @Test("The code that the guide to adding things shows is code that is compiled and tested")
    func code() throws {
        let guide = try String(contentsOf: Project.root.appending(path: "docs/adding.md"), encoding: .utf8)
        let shown = Self.code(in: guide)
        #expect(!shown.isEmpty)
        let tests = try Project.swiftFiles(under: "Tests/Domain").map { $0.lines.joined(separator: "\n") }
        for code in shown { #expect(tests.contains { $0.contains(code) }, "\(code)") }
    }

    @Test("Code is found")
    func codeIsFound() {
        #expect(Self.code(in: "a\n```swift\nlet a = 1\n\nlet b = 2\n```\nb\n```\nc\n```\n") == ["let a = 1\n\nlet b = 2"])
    }

    /// Blocks that are marked as Swift.
    private static func code(in text: String) -> [String] {
        text.components(separatedBy: "```").filter { $0.hasPrefix("swift\n") }.map { String($0.dropFirst(6).dropLast()) }
    }

    @Test("Paths and links are found")
    func parsing() {
        let text =
            "See `Sources/A/B.swift`, `Tests/`, `make run`, `docs/*.md`, [x](docs/a.md#part), [y](https://a.test/docs/b.md), and `scripts/run.sh x`."
        #expect(Self.named(in: text) == ["Sources/A/B.swift", "Tests/", "scripts/run.sh"])
        #expect(Self.links(in: text) == ["docs/a.md"])
    }

    /// Paths in backticks, patterns and placeholders excepted.
    private static func named(in text: String) -> [String] {
        text.matches(of: /`([^`\n]+)`/).compactMap { match in
            guard let path = match.1.split(separator: " ").first.map(String.init), places.contains(where: path.hasPrefix),
                !path.contains(/[*{<…$]/)
            else { return nil }
            return path
        }
    }

    /// Targets of links within the project, without their anchors.
    private static func links(in text: String) -> [String] {
        text.matches(of: /\]\(([^)\s]+)\)/).compactMap { match in
            let target = match.1.prefix { $0 != "#" }
            return target.isEmpty || target.contains("://") || target.hasPrefix("mailto:") ? nil : String(target)
        }
    }
}
