import Foundation

/// A process of this very program.
struct Child {
    let process = Process()
    private let output = Pipe()

    init(_ arguments: [String]) throws {
        process.executableURL = URL(filePath: ProcessInfo.processInfo.arguments[0])
        process.arguments = arguments
        process.standardOutput = output
        try process.run()
    }

    /// Waits for its end.
    ///
    /// - Returns: what it printed.
    func finish() -> String {
        let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        process.waitUntilExit()
        return text
    }

    func stop() {
        process.terminate()
        process.waitUntilExit()
    }

    /// Resident memory in MiB, now (`VmRSS`) or at its highest (`VmHWM`).
    func memory(_ field: String) -> Double {
        Self.memory(field, of: "\(process.processIdentifier)")
    }

    static func memory(_ field: String, of process: String = "self") -> Double {
        guard let status = try? String(contentsOfFile: "/proc/\(process)/status", encoding: .utf8),
            let line = status.split(separator: "\n").first(where: { $0.hasPrefix(field + ":") }),
            let kilobytes = line.split(separator: " ").compactMap({ Double($0) }).first
        else { return .nan }
        return kilobytes / 1024
    }
}

/// Latencies in milliseconds, sorted when asked.
struct Latencies {
    private(set) var milliseconds: [Double]

    init(_ milliseconds: [Double]) {
        self.milliseconds = milliseconds.sorted()
    }

    func percentile(_ share: Double) -> Double {
        guard !milliseconds.isEmpty else { return .nan }
        return milliseconds[min(milliseconds.count - 1, Int(Double(milliseconds.count) * share))]
    }
}
