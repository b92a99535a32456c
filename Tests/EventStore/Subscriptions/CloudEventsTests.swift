import FoundationEssentials
import TestSupport
import Testing

@testable import EventStore

@Suite struct CloudEventsTests {
    private static let hard = [
        RecordedEvent.sample(1),
        .sample(
            Int64.max,
            stream: "agenda-\"\\\u{1}\u{1f}\u{7f}ção-🙂",
            version: .max,
            type: "reservas.\n\t\r/Coisa",
            recordedAt: 0,
            payload: #"{"texto":"} ] , \" \\ \u0000","dentro":{"lista":[[1,{"a":[]}],"]"]}}"#,
            metadata: "{\"principal\":\"\u{1}\u{1f} é 🙂 \\\" \"}"
        ),
        .sample(2, recordedAt: -1, payload: "null", metadata: ""),
        .sample(3, recordedAt: someTime + 1, payload: "\"text\"", metadata: "not json"),
        .sample(4, payload: "[ ]"),
        .sample(5, payload: "-12.5e3"),
    ]

    @Test func `events come out as they went in, byte for byte`() throws {
        #expect(try CloudEvents.decode(CloudEvents.encode(Self.hard)) == Self.hard)
        #expect(try CloudEvents.decode(CloudEvents.encode([])) == [])
    }

    @Test func `the batch is JSON with the attributes of CloudEvents 1.0`() throws {
        // when
        let object = try JSONDecoder().decode([[String: Field]].self, from: Data(CloudEvents.encode(Self.hard)))
        // then
        let event = try #require(object.first)
        #expect(event["specversion"] == .text("1.0"))
        #expect(event["id"] == .text(Self.hard[0].id.uuidString.lowercased()))
        #expect(event["source"] == .text("/coworkflow"))
        #expect(event["type"] == .text("reservas.ReservaConcluida"))
        #expect(event["subject"] == .text("s"))
        #expect(event["time"] == .text("2026-02-16T09:36:07.890123Z"))
        #expect(event["datacontenttype"] == .text("application/json"))
        #expect(event["sequence"] == .text("1"))
        #expect(object[1]["subject"] == .text(Self.hard[1].stream))
        #expect(object[1]["type"] == .text(Self.hard[1].type))
        #expect(event.keys.allSatisfy { $0.allSatisfy { $0.isLowercase || $0.isNumber } })
    }

    private enum Field: Decodable, Equatable {
        case text(String)
        case other

        init(from decoder: any Decoder) throws {
            self = (try? decoder.singleValueContainer().decode(String.self)).map { .text($0) } ?? .other
        }
    }

    @Test(arguments: [
        "", "[", "]", "{}", "[{}]", "[{]", "[,]", "null", "[{\"data\":", "[{\"data\":}]", "[{\"data\":\"\\", "[{\"id\":\"\\u12\"}]",
        "[{\"id\":\"\\uzzzz\"}]", "[{\"id\":\"\\q\"}]", "[{\"id\":1}]", "[{\"streamversion\":,}]", "[{\"data\":{]}}]",
        "[{\"eventmetadata\":\"\\u00ff\"}]",
    ])
    func `what is not ours is an error`(_ json: String) {
        #expect(throws: JSONText.Malformed.self) { try CloudEvents.decode(Array(json.utf8)) }
    }

    @Test func `a field that is missing is an error`() throws {
        let whole = String(decoding: CloudEvents.encode([Self.hard[0]]), as: UTF8.self)
        for name in ["id", "type", "subject", "time", "sequence", "streamversion", "schemaversion", "commandid"] {
            let lacking = whole.replacing("\"\(name)\":", with: "\"other\":")
            #expect(lacking != whole)
            #expect(throws: JSONText.Malformed.self, "\(name)") { try CloudEvents.decode(Array(lacking.utf8)) }
        }
    }

    @Test(arguments: 0..<6 as Range<UInt64>)
    func `hostile JSON never traps`(_ seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        let valid = CloudEvents.encode(Self.hard)
        let marks = Array(#"{}[]":,\u0 nt1e"#.utf8)
        for _ in 0..<300 {
            var mutated = valid
            for _ in 0..<Int.random(in: 1...5, using: &generator) {
                let index = Int.random(in: 0..<mutated.count, using: &generator)
                mutated[index] = marks.randomElement(using: &generator) ?? 0
            }
            _ = try? CloudEvents.decode(mutated)
            _ = try? CloudEvents.decode(Array(mutated.prefix(Int.random(in: 0...mutated.count, using: &generator))))
            _ = try? CloudEvents.decode([UInt8(ascii: "[")] + generator.bytes(60))
        }
        _ = try? CloudEvents.decode(Array(repeating: UInt8(ascii: "["), count: 100_000))
        _ = try? CloudEvents.decode(Array("[{\"data\":".utf8) + Array(repeating: UInt8(ascii: "["), count: 100_000))
    }
}
