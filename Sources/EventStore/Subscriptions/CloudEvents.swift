import Domain
import FoundationEssentials

/// Events as CloudEvents 1.0 in the JSON format.
///
/// The payload is stored JSON and travels as it is: written by copying its bytes, read by finding where it ends.
package enum CloudEvents {
    package static let batchContentType = "application/cloudevents-batch+json"

    /// The events as a JSON array, in UTF-8.
    package static func encode(_ events: [RecordedEvent]) -> [UInt8] {
        var json: [UInt8] = []
        json.reserveCapacity(events.reduce(16) { $0 + 420 + $1.payload.count + $1.metadata.count })
        json.append(UInt8(ascii: "["))
        // All events of a batch were recorded at one time, mostly.
        var time = (microseconds: Int64.min, text: "")
        for (index, event) in events.enumerated() {
            if index > 0 { json.append(UInt8(ascii: ",")) }
            if event.recordedAt != time.microseconds {
                time = (event.recordedAt, Instante(microssegundos: event.recordedAt).texto)
            }
            append(event, recordedAt: time.text, to: &json)
        }
        json.append(UInt8(ascii: "]"))
        return json
    }

    private static func append(_ event: RecordedEvent, recordedAt: String, to json: inout [UInt8]) {
        json.append(contentsOf: #"{"specversion":"1.0","id":""#.utf8)
        event.id.append(to: &json)
        json.append(contentsOf: #"","source":"/coworkflow","type":"#.utf8)
        JSONText.append(Array(event.type.utf8), to: &json)
        json.append(contentsOf: #","subject":"#.utf8)
        JSONText.append(Array(event.stream.utf8), to: &json)
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
        json.append(contentsOf: #"","eventmetadata":"#.utf8)
        JSONText.append(event.metadata, to: &json)
        json.append(contentsOf: #","data":"#.utf8)
        json.append(contentsOf: event.payload)
        json.append(UInt8(ascii: "}"))
    }

    /// Reads what `encode` wrote.
    ///
    /// - Throws: `JSONText.Malformed` for anything that is not an array of our CloudEvents.
    package static func decode(_ bytes: [UInt8]) throws(JSONText.Malformed) -> [RecordedEvent] {
        var text = JSONText(bytes)
        var events: [RecordedEvent] = []
        try text.expect(UInt8(ascii: "["))
        if text.skip(UInt8(ascii: "]")) { return events }
        repeat {
            events.append(try decodeEvent(&text))
        } while text.skip(UInt8(ascii: ","))
        try text.expect(UInt8(ascii: "]"))
        return events
    }

    /// What is read of an event as its fields come, in any order.
    private struct Fields {
        var position: Int64?
        var id: UUID?
        var stream: String?
        var version: Int32?
        var type: String?
        var schemaVersion: Int16?
        var time: Instante?
        var commandID: UUID?
        var payload: [UInt8] = []
        var metadata: [UInt8] = []

        func event() throws(JSONText.Malformed) -> RecordedEvent {
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

    private static func decodeEvent(_ text: inout JSONText) throws(JSONText.Malformed) -> RecordedEvent {
        var fields = Fields()
        try text.expect(UInt8(ascii: "{"))
        repeat {
            let name = try text.string()
            try text.expect(UInt8(ascii: ":"))
            switch name {
            case "data": fields.payload = try text.rawValue()
            case "eventmetadata": fields.metadata = try text.stringBytes()
            case "sequence": fields.position = try text.quotedInteger()
            case "id": fields.id = try text.uuid()
            case "subject": fields.stream = try text.string()
            case "streamversion": fields.version = try text.integer()
            case "type": fields.type = try text.string()
            case "schemaversion": fields.schemaVersion = try text.integer()
            case "time": fields.time = Instante(try text.string())
            case "commandid": fields.commandID = try text.uuid()
            default: try text.skipStringValue()
            }
        } while text.skip(UInt8(ascii: ","))
        try text.expect(UInt8(ascii: "}"))
        return try fields.event()
    }
}
