package import Foundation

/// A mail server that keeps what it is given: aiosmtpd (Debian's python3-aiosmtpd), in a process of its own.
///
/// Unchecked, because Foundation does not say so of a process; it is started and ended once, and only asked for nothing meanwhile.
package final class MailServer: @unchecked Sendable {
    package struct Missing: Error, CustomStringConvertible {
        package let description: String
    }

    package let folder: URL
    package let port: Int
    private let process = Process()
    private let input = Pipe()
    /// What it says of clients that go away as they are meant to, tracebacks and all: nobody is to take that for a failure of a test.
    private let complaints: URL

    package init(_ options: String...) throws {
        folder = FileManager.default.temporaryDirectory.appending(path: "smtp-\(UUID().uuidString)")
        let script = URL(filePath: #filePath).appending(path: "../../../scripts/e2e/smtp_server.py").standardized
        complaints = folder.appendingPathExtension("log")
        try Data().write(to: complaints)
        let output = Pipe()
        process.executableURL = URL(filePath: "/usr/bin/python3")
        process.arguments = [script.path, folder.path] + options
        process.standardInput = input
        process.standardOutput = output
        process.standardError = try FileHandle(forWritingTo: complaints)
        try process.run()
        let line = String(decoding: output.fileHandleForReading.availableData, as: UTF8.self)
        guard let port = Int(line.trimmingCharacters(in: .whitespacesAndNewlines)) else {
            let reason = try String(decoding: Data(contentsOf: complaints), as: UTF8.self)
            throw Missing(description: "the mail server does not start: install Debian's python3-aiosmtpd; \(reason.suffix(300))")
        }
        self.port = port
    }

    deinit {
        try? input.fileHandleForWriting.close()
        process.waitUntilExit()
        for place in [folder, complaints] { try? FileManager.default.removeItem(at: place) }
    }

    package var certificate: String { folder.appending(path: "cert.pem").path }

    package func behave(_ mode: String) throws {
        try Data(mode.utf8).write(to: folder.appending(path: "mode"))
    }

    /// The bytes of the messages that it took.
    package func messages() throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: folder.path).filter { $0.hasSuffix(".eml") }.sorted()
            .map { String(decoding: try Data(contentsOf: folder.appending(path: $0)), as: UTF8.self) }
    }

    package func envelope(_ number: Int) throws -> String {
        String(decoding: try Data(contentsOf: folder.appending(path: "\(number).json")), as: UTF8.self)
    }
}
