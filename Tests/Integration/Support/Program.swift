import Foundation
import Testing

/// The program as somebody at a command line runs it.
enum Program {
    struct Outcome: Sendable {
        let code: Int32
        let output: String
        let errors: String
    }

    /// That was built with this test.
    static func url() throws -> URL {
        let folder = URL(filePath: try #require(CommandLine.arguments.first)).deletingLastPathComponent()
        let program =
            ProcessInfo.processInfo.environment["COWORKFLOW_BIN"].map { URL(filePath: $0) } ?? folder.appending(path: "coworkflow")
        try #require(FileManager.default.isExecutableFile(atPath: program.path), "\(program.path) is not there: build it")
        return program
    }

    /// Runs it to its end.
    static func run(_ arguments: [String], _ environment: [String: String]) async throws -> Outcome {
        let folder = FileManager.default.temporaryDirectory.appending(path: "program-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let files = [folder.appending(path: "output"), folder.appending(path: "errors")]
        for file in files { try Data().write(to: file) }
        let process = Process()
        process.executableURL = try url()
        process.arguments = arguments
        process.environment = ProcessInfo.processInfo.environment.merging(environment) { $1 }
        process.standardOutput = try FileHandle(forWritingTo: files[0])
        process.standardError = try FileHandle(forWritingTo: files[1])
        let (ends, end) = AsyncStream.makeStream(of: Int32.self)
        process.terminationHandler = { end.yield($0.terminationStatus) }
        try process.run()
        var code: Int32 = -1
        for await ended in ends {
            code = ended
            break
        }
        let texts = try files.map { String(decoding: try Data(contentsOf: $0), as: UTF8.self) }
        return Outcome(code: code, output: texts[0], errors: texts[1])
    }
}
