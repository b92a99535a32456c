import Foundation

/// A Postgres or a RabbitMQ of a test's own that speaks TLS, and certificates for it; see `scripts/make-certificates.sh`.
struct PrivateServers {
    enum Kind: String {
        case postgres, rabbitmq
    }

    private static let project = URL(filePath: #filePath).resolvingSymlinksInPath()
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

    /// The folder of everything, which goes with the test.
    let folder: URL

    /// Makes the certificates, runs the closure, and removes every server that it started.
    static func run(_ body: (PrivateServers) async throws -> Void) async throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "coworkflow-tls-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false)
        let servers = PrivateServers(folder: folder)
        let result: Result<Void, any Error>
        do {
            try await servers.script("make-certificates.sh", servers.path(""))
            result = .success(try await body(servers))
        } catch {
            result = .failure(error)
        }
        try await servers.script("servers.sh", "remove", folder.path)
        try FileManager.default.removeItem(at: folder)
        try result.get()
    }

    /// Starts a server, with the certificate of that name.
    func start(_ kind: Kind, with certificate: String = "server") async throws {
        if certificate != "server" {
            for ending in ["pem", "key"] {
                try FileManager.default.removeItem(atPath: path("server.\(ending)"))
                try FileManager.default.copyItem(atPath: path("\(certificate).\(ending)"), toPath: path("server.\(ending)"))
            }
        }
        try await script("servers.sh", "start-\(kind.rawValue)", folder.path)
    }

    /// Ends a server by SIGKILL, as a crash would.
    func kill(_ kind: Kind) async throws {
        try await script("servers.sh", "kill-\(kind.rawValue)", folder.path)
    }

    /// The URL of a server's administrator; RabbitMQ's is of the port that speaks TLS, and names the authority.
    func url(_ kind: Kind) async throws -> String {
        let name = kind == .postgres ? "COWORKFLOW_TEST_POSTGRES" : "COWORKFLOW_TEST_AMQPS"
        let lines = try await script("servers.sh", "env", folder.path).split(separator: "\n")
        guard let line = lines.first(where: { $0.hasPrefix("export \(name)=") }) else {
            throw ChildProcess.Failed(description: "the private server has no address")
        }
        // As the shell would read it.
        return String(line.drop { $0 != "=" }.dropFirst().filter { $0 != "\\" })
    }

    /// The path of one of the certificates.
    func path(_ certificate: String) -> String {
        folder.appending(path: "tls/\(certificate)").path
    }

    private static func script(_ name: String) -> String {
        project.appending(path: "scripts/\(name)").path
    }

    /// Runs a script, on a thread that may wait for it.
    @discardableResult
    private func script(_ name: String, _ arguments: String...) async throws -> String {
        // A starting broker takes all it can get, while other tests measure time.
        let command = ["nice", "-n", "19", "env", "COWORKFLOW_POSTGRES_FSYNC=off", Self.script(name)] + arguments
        let log = folder.appending(path: "script.log").path
        return try await withCheckedThrowingContinuation { continuation in
            DispatchQueue.global().async {
                continuation.resume(
                    with: Result {
                        let process = try ChildProcess(command, output: log)
                        let isDone = process.wait()
                        let output = try process.output()
                        guard isDone else { throw ChildProcess.Failed(description: "\(name) \(arguments) failed: \(output)") }
                        return output
                    }
                )
            }
        }
    }
}
