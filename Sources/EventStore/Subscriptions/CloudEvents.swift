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
        EventAttributes.append(event, recordedAt: recordedAt, to: &json)
        json.append(contentsOf: #","eventmetadata":"#.utf8)
        JSONText.append(event.metadata.span, to: &json)
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
        var attributes = EventAttributes()
        var (payload, metadata): ([UInt8], [UInt8]) = ([], [])
        try text.expect(UInt8(ascii: "{"))
        repeat {
            let name = try text.string()
            try text.expect(UInt8(ascii: ":"))
            switch name {
            case "data": payload = try text.rawValue()
            case "eventmetadata": metadata = try text.stringBytes()
            default:
                if try !attributes.read(name, from: &text) { try text.skipStringValue() }
            }
        } while text.skip(UInt8(ascii: ","))
        try text.expect(UInt8(ascii: "}"))
        return try attributes.event(payload: payload, metadata: metadata)
    }
}
