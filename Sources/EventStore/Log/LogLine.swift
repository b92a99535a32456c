import Domain
import FoundationEssentials

extension ChainedEvent {
    /// The event as a line of an exported log, without its line feed.
    package var line: String {
        var line: [UInt8] = []
        LogLine.append(self, to: &line)
        return String(decoding: line, as: UTF8.self)
    }
}

/// One line of an exported log: a CloudEvent 1.0 in the JSON format that holds an event byte for byte, its hash, and with the
/// first event of each command that command's fingerprint.
///
/// The payload is `data` where its bytes are JSON that survives standing in a line, and `data_base64` otherwise; metadata
/// likewise are `eventmetadata` or `eventmetadatabase64`.
enum LogLine {
    /// What a line says.
    struct Entry: Equatable {
        let event: RecordedEvent
        let hash: [UInt8]
        /// Of the command that begins with this event.
        let fingerprint: [UInt8]?
    }

    /// Appends the event as a line, without a line feed.
    static func append(_ link: ChainedEvent, to json: inout [UInt8]) {
        let event = link.event
        EventAttributes.append(event, recordedAt: Instante(microssegundos: event.recordedAt).texto, to: &json)
        if let command = link.command, command.first == event.position {
            json.append(contentsOf: #","commandfingerprint":""#.utf8)
            command.fingerprint.appendHexadecimal(to: &json)
            json.append(UInt8(ascii: "\""))
        }
        json.append(contentsOf: #","hash":""#.utf8)
        link.hash.appendHexadecimal(to: &json)
        if String(validating: event.metadata, as: UTF8.self) != nil {
            json.append(contentsOf: #"","eventmetadata":"#.utf8)
            JSONText.append(event.metadata.span, to: &json)
        } else {
            json.append(contentsOf: #"","eventmetadatabase64":""#.utf8)
            json.append(contentsOf: Data(event.metadata).base64EncodedString().utf8)
            json.append(UInt8(ascii: "\""))
        }
        if JSONValidity.isPlainValue(event.payload) {
            json.append(contentsOf: #","data":"#.utf8)
            json.append(contentsOf: event.payload)
            json.append(UInt8(ascii: "}"))
        } else {
            json.append(contentsOf: #","data_base64":""#.utf8)
            json.append(contentsOf: Data(event.payload).base64EncodedString().utf8)
            json.append(contentsOf: "\"}".utf8)
        }
    }

    /// Reads a line, its attributes in any order.
    static func read(_ line: [UInt8]) throws(JSONText.Malformed) -> Entry {
        var attributes = EventAttributes()
        var others: [String: String] = [:]
        var payload: [UInt8]?
        var metadata: [UInt8]?
        var text = JSONText(line)
        try text.expect(UInt8(ascii: "{"))
        repeat {
            let name = try text.string()
            try text.expect(UInt8(ascii: ":"))
            switch name {
            case "data": payload = try text.rawValue()
            case "eventmetadata": metadata = try text.stringBytes()
            default:
                if try !attributes.read(name, from: &text) { others[name] = try text.string() }
            }
        } while text.skip(UInt8(ascii: ","))
        try text.expect(UInt8(ascii: "}"))
        guard text.isAtEnd,
            let payload = payload ?? others["data_base64"].flatMap(bytes(base64:)),
            let metadata = metadata ?? others["eventmetadatabase64"].flatMap(bytes(base64:)),
            let hash = others["hash"].flatMap({ [UInt8](hexadecimal: $0) })
        else { throw JSONText.Malformed() }
        var fingerprint: [UInt8]?
        if let digits = others["commandfingerprint"] {
            guard let bytes = [UInt8](hexadecimal: digits) else { throw JSONText.Malformed() }
            fingerprint = bytes
        }
        return Entry(event: try attributes.event(payload: payload, metadata: metadata), hash: hash, fingerprint: fingerprint)
    }

    private static func bytes(base64 text: String) -> [UInt8]? {
        Data(base64Encoded: text).map(Array.init)
    }
}

/// The first line of an exported log: which stretch of which log follows. A CloudEvent like the others.
struct LogManifest: Equatable {
    static let type = "coworkflow.LogExported"
    private static let format = 1

    let first: Position
    /// The position before `first` for an empty stretch.
    let last: Position
    /// The hash before the first event.
    let previous: [UInt8]
    /// The hash of the last event.
    let hash: [UInt8]

    private struct Line: Codable {
        let specversion: String
        let id: String
        let source: String
        let type: String
        let datacontenttype: String
        let data: Stretch
    }

    private struct Stretch: Codable {
        let format: Int
        let first: Int64
        let last: Int64
        let events: Int64
        let previous: String
        let hash: String
    }

    func encoded() throws -> [UInt8] {
        let stretch = Stretch(
            format: Self.format,
            first: first.rawValue,
            last: last.rawValue,
            events: last.rawValue - first.rawValue + 1,
            previous: previous.hexadecimal,
            hash: hash.hexadecimal
        )
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return Array(
            try encoder.encode(
                Line(
                    specversion: "1.0",
                    id: "\(hash.hexadecimal)-\(first)",
                    source: "/coworkflow",
                    type: Self.type,
                    datacontenttype: "application/json",
                    data: stretch
                )
            )
        )
    }

    /// Nil for a line that is no manifest of this format.
    static func read(_ line: [UInt8]) -> LogManifest? {
        guard let line = try? JSONDecoder().decode(Line.self, from: Data(line)), line.type == type, line.data.format == format,
            let previous = [UInt8](hexadecimal: line.data.previous), previous.count == 32,
            let hash = [UInt8](hexadecimal: line.data.hash), hash.count == 32,
            line.data.first > 0, line.data.last >= line.data.first - 1, line.data.last < Int64.max
        else { return nil }
        return LogManifest(first: Position(line.data.first), last: Position(line.data.last), previous: previous, hash: hash)
    }
}
