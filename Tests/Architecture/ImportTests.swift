import Testing

/// The walls between modules: downwards only, as docs/architecture.md draws them.
@Suite struct ImportTests {
    /// What a module may import.
    private struct Wall {
        let ours: Set<String>
        /// Modules that are not ours; nil where any will do but C modules.
        let others: Set<String>?
    }

    private static let low: Set<String> = ["FoundationEssentials", "Glibc", "Dispatch", "Synchronization", "Logging"]
    private static let middle = low.union(["Metrics", "ServiceLifecycle", "Crypto"])
    private static let service = Wall(ours: ["Domain", "EventStore", "HTTP", "Postgres", "QR"], others: nil)

    private static let walls: [String: Wall] = [
        "Blocking": Wall(ours: [], others: ["Dispatch"]),
        "Postgres": Wall(ours: ["Blocking"], others: low.union(["Clibpq"])),
        "AMQP": Wall(ours: [], others: low.union(["Crabbitmq"])),
        "SMTP": Wall(ours: ["Blocking"], others: low.union(["Clibcurl"])),
        "QR": Wall(ours: [], others: ["Clibqrencode", "Clibpng"]),
        "Domain": Wall(ours: [], others: ["FoundationEssentials"]),
        "EventStore": Wall(ours: ["Domain", "Postgres", "AMQP"], others: middle),
        "Projections": Wall(ours: ["Domain", "EventStore", "Postgres", "AMQP"], others: middle),
        "HTTP": Wall(ours: ["Domain", "EventStore", "Postgres"], others: nil),
        "UsuariosService": service,
        "EspacosService": service,
        "PrecosService": service,
        "ReservasService": service,
        // The one that sends mail.
        "NotificacoesService": Wall(ours: service.ours.union(["SMTP"]), others: nil),
        "PagamentosService": service,
        "SandboxPSP": Wall(ours: ["Domain", "EventStore", "HTTP"], others: nil),
        "CheckinService": service,
        "AnalyticsService": service,
        "FinanceiroService": service,
        "Gateway": Wall(ours: ["Domain", "EventStore", "HTTP", "Postgres", "Projections"], others: nil),
        "coworkflow": Wall(
            ours: [
                "AMQP", "Domain", "EventStore", "Gateway", "HTTP", "Postgres", "Projections", "SMTP", "UsuariosService", "EspacosService",
                "PrecosService", "ReservasService", "NotificacoesService", "PagamentosService", "SandboxPSP", "CheckinService",
                "AnalyticsService",
                "FinanceiroService",
            ],
            others: nil
        ),
    ]

    /// Who may know a C library.
    private static let wrappers = ["Clibpq": "Postgres", "Crabbitmq": "AMQP", "Clibcurl": "SMTP", "Clibqrencode": "QR", "Clibpng": "QR"]

    /// Both halves of Foundation: only what carries no network.
    private static let forbidden: Set<String> = ["FoundationNetworking", "FoundationXML"]

    @Test("No event holds a type of Foundation's: the codec reads and writes those as any other, Foundation in a form of their own")
    func events() throws {
        let files = try Project.swiftFiles(under: "Sources/Domain").filter { Self.imports(of: $0).contains("FoundationEssentials") }
        #expect(files.map(\.path) == ["Sources/Domain/Comum/CodecDeEventos.swift"])
    }

    @Test("Every module imports only what lies beneath it")
    func walls() throws {
        let files = try Project.swiftFiles(under: "Sources")
        #expect(files.count > 100)
        for file in files {
            let module = Self.module(of: file.path)
            let wall = try #require(Self.walls[module], "\(file.path) is in no module that this test knows: say what it may import")
            for imported in Self.imports(of: file) {
                if let wrapper = Self.wrappers[imported] {
                    #expect(module == wrapper, "\(file.path) imports \(imported), which only \(wrapper) may know")
                } else if Self.walls[imported] != nil {
                    #expect(wall.ours.contains(imported), "\(file.path) imports \(imported)")
                } else {
                    #expect(wall.others?.contains(imported) ?? true, "\(file.path) imports \(imported)")
                    #expect(!Self.forbidden.contains(imported), "\(file.path) imports \(imported)")
                }
            }
        }
    }

    @Test("Every module of the manifest has its walls here, and every wall its module")
    func modules() throws {
        let places = Set(try Project.swiftFiles(under: "Sources").map { Self.module(of: $0.path) })
        #expect(places == Set(Self.walls.keys))
        for library in Self.wrappers.keys { #expect(Project.exists("Sources/\(library)/module.modulemap")) }
    }

    @Test(
        "Imports are found however they are written",
        arguments: [
            ("import A", ["A"]), ("package import B", ["B"]), ("@testable import C", ["C"]), ("  @preconcurrency public import D", ["D"]),
            ("import struct E.F", ["E"]), ("import G.H", ["G"]), ("// import I", []), ("let a = \"\"\"\n import J\n \"\"\"", []),
            ("#if canImport(K)\nimport K\n#endif", ["K"]),
        ]
    )
    func parsing(text: String, modules: [String]) {
        #expect(Self.imports(of: Project.File(path: "a.swift", text: text)) == modules)
    }

    /// A service is a module of its own, so the compiler itself keeps one from another.
    private static func module(of path: String) -> String {
        let parts = path.split(separator: "/").map(String.init)
        return parts[1] == "Services" ? parts[2] + "Service" : parts[1]
    }

    private static func imports(of file: Project.File) -> [String] {
        let kinds: Set<Substring> = ["struct", "class", "enum", "protocol", "typealias", "func", "let", "var"]
        return file.code.compactMap { line in
            let words = line.split(separator: " ")
            guard let index = words.firstIndex(of: "import"), index + 1 < words.count,
                words[..<index].allSatisfy({
                    $0.hasPrefix("@") || ["public", "package", "internal", "fileprivate", "private"].contains($0)
                })
            else { return nil }
            let name = kinds.contains(words[index + 1]) && index + 2 < words.count ? words[index + 2] : words[index + 1]
            return name.split(separator: ".").first.map(String.init)
        }
    }
}
