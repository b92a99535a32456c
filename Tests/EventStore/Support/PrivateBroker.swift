import AMQP
import Foundation
import Testing

/// A RabbitMQ of one test's own, which it may restart.
struct PrivateBroker {
    struct Failed: Error, CustomStringConvertible {
        let description: String
    }

    let amqp: AMQPConfiguration
    private let folder: String

    /// Runs a test with a broker that is gone afterwards, data and all.
    static func with(_ test: (PrivateBroker) async throws -> Void) async throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "coworkflow-broker-\(UInt32.random(in: 0...UInt32.max))").path
        let result: Result<Void, any Error>
        do {
            try await servers("start-rabbitmq", folder)
            let exports = try await servers("env", folder)
            guard let line = exports.split(separator: "\n").first(where: { $0.contains("COWORKFLOW_TEST_AMQP=") }),
                let url = line.split(separator: "=", maxSplits: 1).last
            else { throw Failed(description: "no address of the broker") }
            let amqp = try AMQPConfiguration(url: url.trimmingCharacters(in: CharacterSet(charactersIn: "'\"")))
            result = .success(try await test(PrivateBroker(amqp: amqp, folder: folder)))
        } catch {
            result = .failure(error)
        }
        try await servers("remove", folder)
        try result.get()
    }

    /// Ends it, in order or by SIGKILL, and starts it again.
    func restart(killing: Bool) async throws {
        try await Self.servers(killing ? "kill-rabbitmq" : "stop-rabbitmq", folder)
        try await Self.servers("start-rabbitmq", folder)
    }

    /// The script that `make` uses too.
    @discardableResult
    private static func servers(_ command: String, _ folder: String) async throws -> String {
        let output = FileManager.default.temporaryDirectory.appending(path: "coworkflow-\(UUID().uuidString).out")
        guard FileManager.default.createFile(atPath: output.path, contents: nil) else { throw Failed(description: "no temporary file") }
        defer { try? FileManager.default.removeItem(at: output) }
        let process = Process()
        // The broker inherits what is open, and Foundation takes a process to run for as long as anybody has its socket open.
        process.executableURL = URL(filePath: "/bin/bash")
        process.arguments = [
            "-c", #"for fd in /proc/self/fd/*; do fd=${fd##*/}; ((fd > 2)) && eval "exec $fd>&-"; done; exec "$0" "$@""#,
            try root().appending(path: "scripts/servers.sh").path, command, folder,
        ]
        process.standardOutput = try FileHandle(forWritingTo: output)
        process.standardError = FileHandle.nullDevice
        try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Void, any Error>) in
            process.terminationHandler = { process in
                if process.terminationStatus == 0 {
                    continuation.resume()
                } else {
                    continuation.resume(throwing: Failed(description: "servers.sh \(command): \(process.terminationStatus)"))
                }
            }
            do { try process.run() } catch { continuation.resume(throwing: error) }
        }
        return try String(contentsOf: output, encoding: .utf8)
    }

    /// The folder of the repository.
    private static func root() throws -> URL {
        var folder = URL(filePath: #filePath).resolvingSymlinksInPath().deletingLastPathComponent()
        while folder.path != "/" {
            if FileManager.default.fileExists(atPath: folder.appending(path: "scripts/servers.sh").path) { return folder }
            folder.deleteLastPathComponent()
        }
        throw Failed(description: "the repository's scripts are not there")
    }
}
