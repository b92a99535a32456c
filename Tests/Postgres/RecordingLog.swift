import Logging

/// Keeps what is logged, for a test to look at.
struct RecordingLog: LogHandler {
    let lines: Shared<[String]>
    var logLevel: Logger.Level = .trace
    var metadata: Logger.Metadata = [:]

    init(lines: Shared<[String]>) {
        self.lines = lines
    }

    subscript(metadataKey key: String) -> Logger.Metadata.Value? {
        get { metadata[key] }
        set { metadata[key] = newValue }
    }

    func log(event: LogEvent) {
        let details = ["notice", "sqlstate"].compactMap { event.metadata?[$0]?.description }
        lines.withLock { $0.append((["\(event.level): \(event.message)"] + details).joined(separator: ", ")) }
    }
}
