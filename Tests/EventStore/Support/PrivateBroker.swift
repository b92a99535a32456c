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
            let state = try String(contentsOfFile: "\(folder)/servers.env", encoding: .utf8)
            func value(_ name: String) throws -> String {
                guard let line = state.split(separator: "\n").first(where: { $0.hasPrefix("\(name)=") }) else {
                    throw Failed(description: "servers.env has no \(name)")
                }
                return line.dropFirst(name.count + 1).trimmingCharacters(in: CharacterSet(charactersIn: "'\""))
            }
            let amqp = try AMQPConfiguration(
                url: "amqp://coworkflow:\(value("RABBITMQ_PASSWORD"))@127.0.0.1:\(value("AMQP_PORT"))/"
            )
            result = .success(try await test(PrivateBroker(amqp: amqp, folder: folder)))
        } catch {
            result = .failure(error)
        }
        try await servers("remove", folder)
        try FileManager.default.removeItem(atPath: folder)
        try result.get()
    }

    /// Ends it, in order or by SIGKILL, and starts it again.
    func restart(killing: Bool) async throws {
        try await Self.servers(killing ? "kill-rabbitmq" : "stop-rabbitmq", folder)
        try await Self.servers("start-rabbitmq", folder)
    }

    /// The script that `make` uses too.
    private static func servers(_ command: String, _ folder: String) async throws {
        let process = Process()
        // The broker inherits what is open, and Foundation takes a process to run for as long as anybody has its socket open.
        process.executableURL = URL(filePath: "/bin/bash")
        process.arguments = [
            "-c", #"for fd in /proc/self/fd/*; do fd=${fd##*/}; ((fd > 2)) && eval "exec $fd>&-"; done; exec "$0" "$@""#,
            try root().appending(path: "scripts/servers.sh").path, command, folder,
        ]
        process.standardOutput = FileHandle.nullDevice
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
