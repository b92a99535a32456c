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
        event.id.appendText(to: &json)
        json.append(contentsOf: #"","source":"/coworkflow","type":"#.utf8)
        JSONText.append(event.type.utf8, to: &json)
        json.append(contentsOf: #","subject":"#.utf8)
        JSONText.append(event.stream.utf8, to: &json)
        json.append(contentsOf: #","time":""#.utf8)
        json.append(contentsOf: recordedAt.utf8)
        json.append(contentsOf: #"","datacontenttype":"application/json","sequence":""#.utf8)
        json.append(contentsOf: String(event.position.rawValue).utf8)
        json.append(contentsOf: #"","streamversion":"#.utf8)
        json.append(contentsOf: String(event.version.rawValue).utf8)
        json.append(contentsOf: #","schemaversion":"#.utf8)
        json.append(contentsOf: String(event.schemaVersion).utf8)
        json.append(contentsOf: #","commandid":""#.utf8)
        event.commandID.appendText(to: &json)
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

    private static func decodeEvent(_ text: inout JSONText) throws(JSONText.Malformed) -> RecordedEvent {
        var fields: [String: String] = [:]
        var metadata: [UInt8] = []
        var payload: [UInt8] = []
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
        guard let event = event(fields, payload: payload, metadata: metadata) else { throw JSONText.Malformed() }
        return event
    }

    private static func event(_ fields: [String: String], payload: [UInt8], metadata: [UInt8]) -> RecordedEvent? {
        guard let position = fields["sequence"].flatMap({ Int64($0) }),
            let id = fields["id"].flatMap(UUID.init(uuidString:)),
            let stream = fields["subject"],
            let version = fields["streamversion"].flatMap({ Int32($0) }),
            let type = fields["type"],
            let schemaVersion = fields["schemaversion"].flatMap({ Int16($0) }),
            let time = fields["time"].flatMap({ Instante($0) }),
            let commandID = fields["commandid"].flatMap(UUID.init(uuidString:))
        else { return nil }
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
