import Logging

/// Keeps what is logged, for a test to look at.
struct RecordingLog: LogHandler {
    let lines: Shared<[String]>
    var logLevel: Logger.Level = .trace
    var metadata: Logger.Metadata = [:]

    static func logger(into lines: Shared<[String]>) -> Logger {
        Logger(label: "test", factory: { _ in RecordingLog(lines: lines) })
    }

    subscript(metadataKey key: String) -> Logger.Metadata.Value? {
        get { metadata[key] }
        set { metadata[key] = newValue }
    }

    func log(event: LogEvent) {
        lines.withLock { $0.append("\(event.level): \(event.message)") }
    }
}
