import FoundationEssentials
import HTTP
import HTTPTypes
import Hummingbird
import NIOCore
import OpenAPIDocument

/// What the API says about itself: its contract, a page to browse it with, and the keys that verify tokens.
struct ContractRoutes: Sendable {
    /// Why the contract cannot be shown.
    enum Failure: Error, CustomStringConvertible {
        case noBrowser(directory: String)

        var description: String {
            switch self {
            case .noBrowser(let directory): "no swagger-ui-bundle.js and swagger-ui.css in \(directory)"
            }
        }
    }

    private struct File: Sendable {
        let type: String
        let content: ByteBuffer
    }

    private let keySet: KeySet
    private let document = Self.contract
    /// By name; empty where no browser is configured. All of it fits in memory, so no request ever names a file.
    private let browser: [String: File]

    /// The OpenAPI document that this program was built with.
    static var contract: ByteBuffer {
        unsafe ByteBuffer(bytes: UnsafeRawBufferPointer(start: openapi_document(), count: openapi_document_length()))
    }

    /// - Throws: `Failure` where a directory is named that does not hold the browser's files.
    init(keySet: KeySet, swaggerDirectory: String?) throws {
        self.keySet = keySet
        browser = try swaggerDirectory.map(Self.loadBrowser) ?? [:]
    }

    func add(to doors: Doors) {
        doors.anonymous.get(".well-known/jwks.json") { _, _ in JSONAnswer(keySet) }
        doors.anonymous.get("openapi.json") { _, _ in
            Response(status: .ok, headers: [.contentType: "application/json; charset=utf-8"], body: .init(byteBuffer: document))
        }
        doors.anonymous.get("docs") { _, _ in try page("index.html") }
        doors.anonymous.get("docs/{file}") { _, context in try page(context.parameters.require("file")) }
    }

    private func page(_ name: String) throws -> Response {
        guard let file = browser[name] else { throw Problem.notFound }
        return Response(
            status: .ok,
            headers: [
                .contentType: file.type,
                // The browser styles its elements one by one and draws its icons from data URLs.
                .contentSecurityPolicy:
                    "default-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; frame-ancestors 'none'",
            ],
            body: .init(byteBuffer: file.content)
        )
    }

    private static func loadBrowser(from directory: String) throws -> [String: File] {
        let place = try place(of: directory)
        func file(_ name: String, _ type: String) throws -> File {
            File(type: type, content: ByteBuffer(bytes: try Data(contentsOf: URL(filePath: "\(place)/\(name)"))))
        }
        return [
            "index.html": File(type: "text/html; charset=utf-8", content: ByteBuffer(string: page)),
            "start.js": File(type: "text/javascript; charset=utf-8", content: ByteBuffer(string: script)),
            "swagger-ui.css": try file("swagger-ui.css", "text/css; charset=utf-8"),
            "swagger-ui-bundle.js": try file("swagger-ui-bundle.js", "text/javascript; charset=utf-8"),
        ]
    }

    /// The directory itself, or the one of that version which it contains.
    private static func place(of directory: String) throws -> String {
        let files = FileManager.default
        let inside = (try? files.contentsOfDirectory(atPath: directory)) ?? []
        let candidates = [directory] + inside.filter { $0.hasPrefix("swagger-ui-") }.sorted().map { "\(directory)/\($0)" }
        let found = candidates.first { place in
            ["swagger-ui-bundle.js", "swagger-ui.css"].allSatisfy { files.fileExists(atPath: "\(place)/\($0)") }
        }
        guard let found else { throw Failure.noBrowser(directory: directory) }
        return found
    }

    private static let page = """
        <!doctype html>
        <html lang="en">
        <head>
        <meta charset="utf-8">
        <meta name="viewport" content="width=device-width, initial-scale=1">
        <title>CoworkFlow API</title>
        <link rel="stylesheet" href="/docs/swagger-ui.css">
        </head>
        <body>
        <div id="browser"></div>
        <script src="/docs/swagger-ui-bundle.js"></script>
        <script src="/docs/start.js"></script>
        </body>
        </html>

        """

    private static let script = """
        SwaggerUIBundle({ url: "/openapi.json", dom_id: "#browser", deepLinking: true, validatorUrl: null });

        """
}
