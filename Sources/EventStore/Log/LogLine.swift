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
    struct Malformed: Error {}

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
        json.append(contentsOf: #"{"specversion":"1.0","id":""#.utf8)
        event.id.append(to: &json)
        json.append(contentsOf: #"","source":"/coworkflow","type":"#.utf8)
        JSONText.append(Array(event.type.utf8), to: &json)
        json.append(contentsOf: #","subject":"#.utf8)
        JSONText.append(Array(event.stream.utf8), to: &json)
        json.append(contentsOf: #","time":""#.utf8)
        json.append(contentsOf: Instante(microssegundos: event.recordedAt).texto.utf8)
        json.append(contentsOf: #"","datacontenttype":"application/json","sequence":""#.utf8)
        json.append(contentsOf: String(event.position.rawValue).utf8)
        json.append(contentsOf: #"","streamversion":"#.utf8)
        json.append(contentsOf: String(event.version.rawValue).utf8)
        json.append(contentsOf: #","schemaversion":"#.utf8)
        json.append(contentsOf: String(event.schemaVersion).utf8)
        json.append(contentsOf: #","commandid":""#.utf8)
        event.commandID.append(to: &json)
        if let command = link.command, command.first == event.position {
            json.append(contentsOf: #"","commandfingerprint":""#.utf8)
            appendHexadecimal(command.fingerprint, to: &json)
        }
        json.append(contentsOf: #"","hash":""#.utf8)
        appendHexadecimal(link.hash, to: &json)
        if String(validating: event.metadata, as: UTF8.self) != nil {
            json.append(contentsOf: #"","eventmetadata":"#.utf8)
            JSONText.append(event.metadata, to: &json)
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
    static func read(_ line: [UInt8]) throws(Malformed) -> Entry {
        var fields: [String: String] = [:]
        var payload: [UInt8]?
        var metadata: [UInt8]?
        do throws(JSONText.Malformed) {
            var text = JSONText(line)
            try text.expect(UInt8(ascii: "{"))
            repeat {
                let name = try text.string()
                try text.expect(UInt8(ascii: ":"))
                switch name {
                case "data": payload = try text.rawValue()
                case "eventmetadata": metadata = try text.stringBytes()
                case "streamversion", "schemaversion": fields[name] = String(decoding: try text.rawValue(), as: UTF8.self)
                default: fields[name] = try text.string()
                }
            } while text.skip(UInt8(ascii: ","))
            try text.expect(UInt8(ascii: "}"))
            guard text.isAtEnd else { throw JSONText.Malformed() }
        } catch {
            throw Malformed()
        }
        return try entry(
            fields,
            payload: payload ?? fields["data_base64"].flatMap(bytes(base64:)),
            metadata: metadata ?? fields["eventmetadatabase64"].flatMap(bytes(base64:))
        )
    }

    private static func entry(_ fields: [String: String], payload: [UInt8]?, metadata: [UInt8]?) throws(Malformed) -> Entry {
        guard let payload, let metadata,
            let position = fields["sequence"].flatMap({ Int64($0) }),
            let id = fields["id"].flatMap(UUID.init(uuidString:)),
            let stream = fields["subject"],
            let version = fields["streamversion"].flatMap({ Int32($0) }),
            let type = fields["type"],
            let schemaVersion = fields["schemaversion"].flatMap({ Int16($0) }),
            let time = fields["time"].flatMap({ Instante($0) }),
            let commandID = fields["commandid"].flatMap(UUID.init(uuidString:)),
            let hash = fields["hash"].flatMap({ [UInt8](hexadecimal: $0) })
        else { throw Malformed() }
        var fingerprint: [UInt8]?
        if let text = fields["commandfingerprint"] {
            guard let bytes = [UInt8](hexadecimal: text) else { throw Malformed() }
            fingerprint = bytes
        }
        let event = RecordedEvent(
            position: Position(position),
            id: id,
            stream: stream,
            version: StreamVersion(version),
            type: type,
            schemaVersion: schemaVersion,
            recordedAt: time.microssegundos,
            commandID: commandID,
            payload: payload,
            metadata: metadata
        )
        return Entry(event: event, hash: hash, fingerprint: fingerprint)
    }

    private static func bytes(base64 text: String) -> [UInt8]? {
        Data(base64Encoded: text).map(Array.init)
    }

    private static func appendHexadecimal(_ bytes: [UInt8], to json: inout [UInt8]) {
        for byte in bytes { appendHexadecimal(byte, to: &json) }
    }

    private static func appendHexadecimal(_ byte: UInt8, to json: inout [UInt8]) {
        json.append(digit(byte >> 4))
        json.append(digit(byte & 15))
    }

    private static func digit(_ value: UInt8) -> UInt8 {
        value < 10 ? UInt8(ascii: "0") + value : UInt8(ascii: "a") + value - 10
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
