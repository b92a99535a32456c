import Domain
import FoundationEssentials

/// The attributes that an event has as a CloudEvent, in an announcement as in an exported log. Its payload and metadata are for
/// each of them to write and to read, which they do differently.
struct EventAttributes {
    private var position: Int64?
    private var id: UUID?
    private var stream: String?
    private var version: Int32?
    private var type: String?
    private var schemaVersion: Int16?
    private var time: Instante?
    private var commandID: UUID?

    /// Begins the event's JSON object: up to and including the last of these attributes.
    ///
    /// - Parameter recordedAt: the event's time in RFC 3339.
    static func append(_ event: RecordedEvent, recordedAt: String, to json: inout [UInt8]) {
        json.append(contentsOf: #"{"specversion":"1.0","id":""#.utf8)
        event.id.append(to: &json)
        json.append(contentsOf: #"","source":"/coworkflow","type":"#.utf8)
        JSONText.append(event.type.utf8.span, to: &json)
        json.append(contentsOf: #","subject":"#.utf8)
        JSONText.append(event.stream.utf8.span, to: &json)
        json.append(contentsOf: #","time":""#.utf8)
        json.append(contentsOf: recordedAt.utf8)
        json.append(contentsOf: #"","datacontenttype":"application/json","sequence":""#.utf8)
        json.append(contentsOf: String(event.position.rawValue).utf8)
        json.append(contentsOf: #"","streamversion":"#.utf8)
        json.append(contentsOf: String(event.version.rawValue).utf8)
        json.append(contentsOf: #","schemaversion":"#.utf8)
        json.append(contentsOf: String(event.schemaVersion).utf8)
        json.append(contentsOf: #","commandid":""#.utf8)
        event.commandID.append(to: &json)
        json.append(UInt8(ascii: "\""))
    }

    /// Reads the value of an attribute, if it is one of these.
    ///
    /// - Returns: whether it is; if not, nothing was read.
    mutating func read(_ name: String, from text: inout JSONText) throws(JSONText.Malformed) -> Bool {
        switch name {
        case "sequence": position = try text.quotedInteger()
        case "id": id = try text.uuid()
        case "subject": stream = try text.string()
        case "streamversion": version = try text.integer()
        case "type": type = try text.string()
        case "schemaversion": schemaVersion = try text.integer()
        case "time": time = Instante(try text.string())
        case "commandid": commandID = try text.uuid()
        default: return false
        }
        return true
    }

    /// - Throws: where an attribute was not there.
    func event(payload: [UInt8], metadata: [UInt8]) throws(JSONText.Malformed) -> RecordedEvent {
        guard let position, let id, let stream, let version, let type, let schemaVersion, let time, let commandID else {
            throw JSONText.Malformed()
        }
        return RecordedEvent(
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
    }
}
