import Logging
import Synchronization

/// Everything that a system logs, for tests to look into.
final class Journal: Sendable {
    struct Entry: Sendable {
        let level: Logger.Level
        let text: String
    }

    private let kept = Mutex<[Entry]>([])

    var entries: [Entry] { kept.withLock { $0 } }

    func logger(level: Logger.Level = .info) -> Logger {
        Logger(label: "coworkflow") { _ in Handler(journal: self, logLevel: level) }
    }

    private struct Handler: LogHandler {
        let journal: Journal
        var logLevel: Logger.Level
        var metadata: Logger.Metadata = [:]

        subscript(metadataKey key: String) -> Logger.Metadata.Value? {
            get { metadata[key] }
            set { metadata[key] = newValue }
        }

        func log(event: LogEvent) {
            let all = metadata.merging(event.metadata ?? [:]) { _, given in given }
            let text = "\(event.message) \(all.sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value)" }.joined(separator: " "))"
            journal.kept.withLock { $0.append(Entry(level: event.level, text: text)) }
        }
    }
}
