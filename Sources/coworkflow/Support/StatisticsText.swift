import Domain
import EventStore
import FoundationEssentials

/// The log's numbers, for people and for programs.
enum StatisticsText {
    static func table(_ statistics: LogStatistics) -> String {
        let total = statistics.total
        var lines = [
            "head      \(statistics.head.rawValue.grouped), epoch \(statistics.epoch), hash \(statistics.hash.hexadecimal)",
            "events    \(total.events.grouped) in \(statistics.streams.grouped) streams, of \(statistics.commands.grouped) commands",
            "payloads  \(total.bytes.grouped) bytes with metadata",
        ]
        if let times = statistics.times {
            lines.append("recorded  \(time(times.first)) to \(time(times.last))")
        }
        lines.append("pace      \(pace(total.lastHour, 3600)) in the last hour, \(pace(total.lastDay, 86_400)) in the last day")
        var contexts: [String: [LogStatistics.Kind]] = [:]
        for kind in statistics.kinds { contexts[EventType.context(of: kind.type), default: []].append(kind) }
        let width = statistics.kinds.map(\.type.count).max() ?? 0
        for (context, kinds) in contexts.sorted(by: { $0.key < $1.key }) {
            lines += ["", row(context, kinds.reduce(into: Count()) { $0.add($1) }, width)]
            lines += kinds.map { kind in row("  " + kind.type.dropFirst(context.count + 1), Count(kind), width) }
        }
        lines.append("")
        lines += statistics.sizes.map { padded($0.bytes.grouped, 16) + " bytes  log." + $0.name }
        return lines.joined(separator: "\n")
    }

    static func json(_ statistics: LogStatistics) throws -> String {
        let total = statistics.total
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        let text = Text(
            head: statistics.head.rawValue,
            epoch: statistics.epoch,
            hash: statistics.hash.hexadecimal,
            events: total.events,
            bytes: total.bytes,
            streams: statistics.streams,
            commands: statistics.commands,
            first: statistics.times.map { time($0.first) },
            last: statistics.times.map { time($0.last) },
            lastHour: total.lastHour,
            lastDay: total.lastDay,
            types: Dictionary(uniqueKeysWithValues: statistics.kinds.map { ($0.type, .init(events: $0.events, bytes: $0.bytes)) }),
            sizes: Dictionary(uniqueKeysWithValues: statistics.sizes.map { ("log.\($0.name)", $0.bytes) })
        )
        return String(decoding: try encoder.encode(text), as: UTF8.self)
    }

    fileprivate struct Count {
        var events: Int64 = 0
        var bytes: Int64 = 0
        var lastHour: Int64 = 0
        var lastDay: Int64 = 0

        init() {}

        init(_ kind: LogStatistics.Kind) {
            add(kind)
        }

        mutating func add(_ kind: LogStatistics.Kind) {
            events += kind.events
            bytes += kind.bytes
            lastHour += kind.lastHour
            lastDay += kind.lastDay
        }
    }

    private struct Text: Encodable {
        struct Kind: Encodable {
            let events: Int64
            let bytes: Int64
        }

        let head: Int64
        let epoch: Int64
        let hash: String
        let events: Int64
        let bytes: Int64
        let streams: Int64
        let commands: Int64
        let first: String?
        let last: String?
        let lastHour: Int64
        let lastDay: Int64
        let types: [String: Kind]
        let sizes: [String: Int64]
    }

    private static func time(_ microseconds: Int64) -> String {
        Instante(microssegundos: microseconds).texto
    }

    /// Events a second, with two decimals.
    private static func pace(_ events: Int64, _ seconds: Int64) -> String {
        let hundredths = events * 100 / seconds
        let decimals = hundredths % 100
        return "\((hundredths / 100).grouped).\(decimals < 10 ? "0" : "")\(decimals) events/s"
    }

    private static func row(_ name: String, _ count: Count, _ width: Int) -> String {
        name + String(repeating: " ", count: max(0, width + 2 - name.count)) + padded(count.events.grouped, 14) + " events"
            + padded(count.bytes.grouped, 18) + " bytes"
    }

    private static func padded(_ text: String, _ width: Int) -> String {
        String(repeating: " ", count: max(0, width - text.count)) + text
    }
}

extension LogStatistics {
    fileprivate var total: StatisticsText.Count {
        kinds.reduce(into: StatisticsText.Count()) { $0.add($1) }
    }
}
