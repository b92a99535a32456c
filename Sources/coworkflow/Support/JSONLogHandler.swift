import Domain
import FoundationEssentials
import Logging

/// One JSON object a line on standard output, as log collectors want it in production.
struct JSONLogHandler: LogHandler {
    var logLevel: Logger.Level = .info
    var metadata: Logger.Metadata = [:]
    private let label: String

    init(label: String) {
        self.label = label
    }

    subscript(metadataKey key: String) -> Logger.Metadata.Value? {
        get { metadata[key] }
        set { metadata[key] = newValue }
    }

    private struct Line: Encodable {
        let time: String
        let level: String
        let logger: String
        let message: String
        let metadata: [String: String]?
    }

    func log(event: LogEvent) {
        let all = metadata.merging(event.metadata ?? [:]) { _, given in given }
        let line = Line(
            time: Instante(microssegundos: systemMicroseconds()).texto,
            level: event.level.rawValue,
            logger: label,
            message: event.message.description,
            metadata: all.isEmpty ? nil : all.mapValues(\.description)
        )
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        guard let json = try? encoder.encode(line) else { return }
        StandardOutput.write(String(decoding: json, as: UTF8.self))
    }
}
