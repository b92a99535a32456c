import FoundationEssentials
import HTTP
import HTTPTypes
import Hummingbird
import HummingbirdTesting
import NIOCore
import Testing

@testable import Gateway

@Suite struct ContractTests {
    private static let methods: Set<String> = ["get", "put", "post", "delete", "patch", "head", "options"]

    private func document() throws -> JSONValue {
        try JSONValue(ContractRoutes.contract)
    }

    private func operations(of document: JSONValue) -> [String: JSONValue] {
        document["paths"].object.reduce(into: [:]) { operations, path in
            for (method, operation) in path.value.object where Self.methods.contains(method) {
                operations["\(method.uppercased()) \(path.key)"] = operation
            }
        }
    }

    @Test func `the router and the contract name the same operations`() async throws {
        let documented = Set(operations(of: try document()).keys)
        try await TestGateway.with { gateway in
            let plain = gateway.routes.filter { !$0.contains(" /api/") }
            #expect(plain == documented)
            #expect(plain.count > 40)
        }
    }

    @Test func `every path answers under api as well`() async throws {
        try await TestGateway.with { gateway in
            let plain = gateway.routes.filter { !$0.contains(" /api/") }
            #expect(gateway.routes.subtracting(plain) == Set(plain.map { $0.replacing(" /", with: " /api/") }))
        }
    }

    @Test func `the contract says of each command who may give it as the gateway sees it`() throws {
        let operations = operations(of: try document())
        for route in CommandRoute.passedThrough + [.login, .logout] {
            let operation = try #require(operations["\(route.method.rawValue) \(route.template)"])
            switch route.audience {
            case .anonymous: #expect(operation["security"] == .array([]), "\(route.template)")
            case .everybody: #expect(operation["security"] == .array([.object([:]), .object(["bearer": .array([])])]), "\(route.template)")
            case .members: #expect(operation["security"] == .array([.object(["bearer": .array([])])]), "\(route.template)")
            }
        }
    }

    @Test func `operations that need a token refuse whoever has none`() async throws {
        let operations = operations(of: try document())
        try await TestGateway.with { gateway in
            for (name, operation) in operations where operation["security"] == .array([.object(["bearer": .array([])])]) {
                let parts = name.split(separator: " ").map(String.init)
                let method = try #require(HTTPRequest.Method(parts[0]))
                #expect(try await gateway.send(method, parts[1]).status == .unauthorized, "\(name)")
            }
        }
    }

    @Test func `names are unique, references lead somewhere, path parameters are declared`() throws {
        let document = try document()
        let operations = operations(of: document)
        #expect(document["openapi"] == .string("3.1.0"))
        #expect(Set(operations.values.compactMap { $0["operationId"].string }).count == operations.count)
        for reference in references(in: document) {
            let target = reference.dropFirst(2).split(separator: "/").reduce(document) { $0[String($1)] }
            #expect(target != .null, "\(reference)")
        }
        for (name, operation) in operations {
            let inPath = Set(name.matches(of: /{([a-z_]+)}/).map { String($0.1) })
            let declared = operation["parameters"].array.filter { $0["in"] == .string("path") }.compactMap { $0["name"].string }
            #expect(inPath == Set(declared), "\(name)")
        }
    }

    private func references(in value: JSONValue) -> [String] {
        switch value {
        case .object(let members): members.flatMap { $0.key == "$ref" ? [$0.value.string ?? ""] : references(in: $0.value) }
        case .array(let items): items.flatMap(references)
        case .null, .bool, .number, .string: []
        }
    }

    @Test func `the contract and the keys are served`() async throws {
        try await TestGateway.with { gateway in
            let contract = try await gateway.send(.get, "/openapi.json")
            #expect(try contract.json["info"]["title"] == .string("CoworkFlow"))
            let keys = try await gateway.send(.get, "/api/.well-known/jwks.json")
            #expect(try keys.json["keys"][0]["kid"] == .string("test"))
            #expect(try keys.json["keys"][0]["d"] == .null)
        }
    }

    @Test func `the browser is served from a configured directory, and nothing else of it`() async throws {
        // given
        let directory = FileManager.default.temporaryDirectory.appending(path: "docs-\(UUID().uuidString)")
        let version = directory.appending(path: "swagger-ui-5.0.0")
        try FileManager.default.createDirectory(at: version, withIntermediateDirectories: true)
        for name in ["swagger-ui-bundle.js", "swagger-ui.css", "secret.txt"] {
            try Data(name.utf8).write(to: version.appending(path: name))
        }
        defer { try? FileManager.default.removeItem(at: directory) }

        try await TestGateway.with(adjust: { $0.swaggerDirectory = directory.path }) { gateway in
            // when
            let page = try await gateway.send(.get, "/docs")
            let script = try await gateway.send(.get, "/docs/swagger-ui-bundle.js")

            // then
            #expect(page.headers[.contentType] == "text/html; charset=utf-8")
            #expect(String(buffer: page.body).contains("/docs/swagger-ui-bundle.js"))
            #expect(String(buffer: script.body) == "swagger-ui-bundle.js")
            #expect(try await gateway.send(.get, "/docs/start.js").status == .ok)
            for name in ["secret.txt", "..", "%2e%2e%2fsecret.txt"] {
                #expect(try await gateway.send(.get, "/docs/\(name)").status == .notFound)
            }
        }
        await #expect(throws: ContractRoutes.Failure.self) {
            try await TestGateway.with(adjust: { $0.swaggerDirectory = "/nonexistent" }) { _ in }
        }
    }
}
