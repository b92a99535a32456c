import Foundation

/// A Postgres of a test's own that speaks TLS, and certificates for it; see `scripts/test-certificates.sh`.
struct PrivateServer {
    struct Failed: Error, CustomStringConvertible {
        let description: String
    }

    private static let project = URL(filePath: #filePath).resolvingSymlinksInPath()
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

    private let folder: URL

    /// Starts one for the closure and removes it afterwards.
    static func run(_ body: (PrivateServer) async throws -> Void) async throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "coworkflow-tls-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false)
        let server = PrivateServer(folder: folder)
        let result: Result<Void, any Error>
        do {
            try await server.script("test-certificates.sh", folder.appending(path: "tls").path)
            try await server.start()
            result = .success(try await body(server))
        } catch {
            result = .failure(error)
        }
        try await server.script("servers.sh", "remove", folder.path)
        try FileManager.default.removeItem(at: folder)
        try result.get()
    }

    /// Starts the server, with the certificate of that name.
    func start(with certificate: String = "server") async throws {
        if certificate != "server" {
            for kind in ["pem", "key"] {
                try FileManager.default.removeItem(atPath: path("server.\(kind)"))
                try FileManager.default.copyItem(atPath: path("\(certificate).\(kind)"), toPath: path("server.\(kind)"))
            }
        }
        try await script("servers.sh", "start-postgres", folder.path)
    }

    func stop() async throws {
        try await script("servers.sh", "stop-postgres", folder.path)
    }

    /// The URL of its superuser.
    func url() async throws -> String {
        let lines = try await script("servers.sh", "env", folder.path).split(separator: "\n")
        guard let line = lines.first(where: { $0.hasPrefix("export COWORKFLOW_TEST_POSTGRES=") }) else {
            throw Failed(description: "the private server has no address")
        }
        return String(line.drop { $0 != "=" }.dropFirst().filter { $0 != "\\" })
    }

    /// The path of one of the certificates.
    func path(_ certificate: String) -> String {
        folder.appending(path: "tls/\(certificate)").path
    }

    /// Runs a script, on a thread that may wait for it.
    @discardableResult
    private func script(_ name: String, _ arguments: String...) async throws -> String {
        try await withCheckedThrowingContinuation { continuation in
            DispatchQueue.global().async { continuation.resume(with: Result { try Self.output(of: name, arguments) }) }
        }
    }

    /// By `popen`: Foundation's `Process` would wait for the server to end, which inherits what it waits for.
    private static func output(of name: String, _ arguments: [String]) throws -> String {
        let words = [project.appending(path: "scripts/\(name)").path] + arguments
        let command = "COWORKFLOW_POSTGRES_FSYNC=off exec " + words.map { "'\($0)'" }.joined(separator: " ")
        guard let stream = unsafe popen(command, "r") else { throw Failed(description: "\(name) cannot be started") }
        var output: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 4096)
        // The stream is open until `pclose`, and takes no more than the buffer's size.
        while case let count = unsafe fread(&buffer, 1, buffer.count, stream), count > 0 { output += buffer[..<count] }
        let status = unsafe pclose(stream)
        let text = String(decoding: output, as: UTF8.self)
        guard status == 0 else { throw Failed(description: "\(name) \(arguments) failed: \(text)") }
        return text
    }
}
