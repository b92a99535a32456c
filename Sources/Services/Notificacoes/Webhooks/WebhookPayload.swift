import Domain
import EventStore
import FoundationEssentials

/// What a webhook is told of an event: what the log says of it, without what is sealed.
enum WebhookPayload {
    private enum Value: Codable {
        case object([String: Value])
        case array([Value])
        case text(String)
        case integer(Int64)
        case number(Double)
        case flag(Bool)
        case null

        init(from decoder: any Decoder) throws {
            let container = try decoder.singleValueContainer()
            if container.decodeNil() {
                self = .null
            } else if let value = try? container.decode(Bool.self) {
                self = .flag(value)
            } else if let value = try? container.decode(Int64.self) {
                self = .integer(value)
            } else if let value = try? container.decode(Double.self) {
                self = .number(value)
            } else if let value = try? container.decode(String.self) {
                self = .text(value)
            } else if let value = try? container.decode([Value].self) {
                self = .array(value)
            } else {
                self = .object(try container.decode([String: Value].self))
            }
        }

        func encode(to encoder: any Encoder) throws {
            var container = encoder.singleValueContainer()
            switch self {
            case .object(let members): try container.encode(members)
            case .array(let items): try container.encode(items)
            case .text(let text): try container.encode(text)
            case .integer(let number): try container.encode(number)
            case .number(let number): try container.encode(number)
            case .flag(let flag): try container.encode(flag)
            case .null: try container.encodeNil()
            }
        }

        /// Ciphertext says nothing to its reader, and is nobody's business.
        var withoutSealed: Value? {
            switch self {
            case .text(let text): Keyring.isSealed(text) ? nil : self
            case .array(let items): .array(items.compactMap(\.withoutSealed))
            case .object(let members): .object(members.compactMapValues(\.withoutSealed))
            case .integer, .number, .flag, .null: self
            }
        }
    }

    private struct Envelope: Encodable {
        let id: String
        let type: String
        let timestamp: String
        /// Grows from event to event: what tells their order.
        let position: Int64
        let stream: String
        let data: Value
    }

    static func bytes(of event: RecordedEvent) throws -> [UInt8] {
        let data = try JSONDecoder().decode(Value.self, from: Data(event.payload)).withoutSealed ?? .null
        let envelope = Envelope(
            id: event.id.uuidString.lowercased(),
            type: event.type,
            timestamp: Instante(microssegundos: event.recordedAt).texto,
            position: event.position.rawValue,
            stream: event.stream,
            data: data
        )
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return Array(try encoder.encode(envelope))
    }
}
