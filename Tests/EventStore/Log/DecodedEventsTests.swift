import Domain
import EventStore
import FoundationEssentials
import Testing

@testable import EventStore

@Suite("Events decoded once")
struct DecodedEventsTests {
    private func recorded(_ position: Int64, payload: [UInt8]) -> RecordedEvent {
        RecordedEvent(
            position: Position(position),
            id: UUID(uuid: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, UInt8(position / 256), UInt8(position % 256))),
            stream: "espaco-x",
            version: StreamVersion(1),
            type: "espacos.EspacoDesativado",
            schemaVersion: 1,
            recordedAt: 0,
            commandID: UUID(),
            payload: payload,
            metadata: Array("{}".utf8)
        )
    }

    private var payload: [UInt8] {
        Array(#"{"em":"2026-01-01T00:00:00Z","espaco":"01a20044-64f6-74f1-b4e5-a68887e6df81"}"#.utf8)
    }

    @Test func aKnownEventIsNotDecodedAgain() throws {
        let decoded = DecodedEvents()
        let first = try decoded.event(recorded(7, payload: payload))
        // Bytes that cannot be decoded: what comes back was kept.
        #expect(try decoded.event(recorded(7, payload: [])) == first)
    }

    @Test func whatIsRememberedIsNotDecoded() throws {
        let decoded = DecodedEvents()
        let known = try DecodedEvents().event(recorded(7, payload: payload))
        decoded.remember(known, as: recorded(7, payload: []).id)
        #expect(try decoded.event(recorded(7, payload: [])) == known)
    }

    @Test func whatCannotBeDecodedIsNotKept() {
        let decoded = DecodedEvents()
        #expect(throws: ErroDeCodec.self) { try decoded.event(recorded(7, payload: [])) }
        #expect(decoded.count == 0)
    }

    @Test func theCacheIsBoundedAndKeepsWhatIsAskedFor() throws {
        let decoded = DecodedEvents(capacity: 10)
        for position in 1...1000 as ClosedRange<Int64> {
            _ = try decoded.event(recorded(position, payload: payload))
            _ = try decoded.event(recorded(1, payload: payload))
            #expect(decoded.count <= 11)
        }
        #expect(throws: Never.self) { try decoded.event(recorded(1, payload: [])) }
        #expect(throws: ErroDeCodec.self) { try decoded.event(recorded(500, payload: [])) }
    }
}
