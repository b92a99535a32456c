import FoundationEssentials
import Testing

@testable import EventStore

@Suite struct EventHashTests {
    private func event(position: Int64, id: String, schemaVersion: Int16, type: String, payload: String, metadata: String) throws
        -> RecordedEvent
    {
        RecordedEvent(
            position: Position(position),
            id: try #require(UUID(uuidString: id)),
            stream: "reserva-ação",
            version: StreamVersion(Int32(position)),
            type: type,
            schemaVersion: schemaVersion,
            recordedAt: someTime + position - 1,
            commandID: try #require(UUID(uuidString: "6ba7b81\(position - 1)-9dad-11d1-80b4-00c04fd430c8")),
            payload: Array(payload.utf8),
            metadata: Array(metadata.utf8)
        )
    }

    /// The expected values come from Python: hashlib.sha256 over struct.pack("<I", len(field)) + field for the fields
    /// previous hash, position <q, event id, stream, version <i, type, schema version <h, time <q, command id, payload,
    /// metadata. Logs that exist are checked against this layout for ever.
    @Test func `the hash of known events never changes`() throws {
        // given
        let first = try event(
            position: 1,
            id: "018f2b6a-7c00-7000-8000-000000000001",
            schemaVersion: 1,
            type: "reservas.ReservaSolicitada",
            payload: #"{"a":"é"}"#,
            metadata: #"{"principal":"u1"}"#
        )
        let second = try event(
            position: 2,
            id: "018f2b6a-7c00-7000-8000-000000000002",
            schemaVersion: 3,
            type: "reservas.ReservaConfirmada",
            payload: "",
            metadata: ""
        )
        // when
        let firstHash = EventHash.hash(after: EventHash.origin, first)
        let secondHash = EventHash.hash(after: firstHash, second)
        // then
        #expect(hexadecimal(firstHash) == "714d94e6a0aee6e8203e7e69ba0e07264997baea81e199add424636c38a8caab")
        #expect(hexadecimal(secondHash) == "389fdcbc642a7d8526c2ac40ce48876e88c4beb29b74c54b661231ae35e455a4")
    }

    @Test func `bytes moved from one field to the next give another hash`() {
        let split = RecordedEvent.sample(1, payload: "ab", metadata: "c")
        let moved = RecordedEvent.sample(1, payload: "a", metadata: "bc")
        #expect(EventHash.hash(after: EventHash.origin, split) != EventHash.hash(after: EventHash.origin, moved))
    }

    private func hexadecimal(_ bytes: [UInt8]) -> String {
        bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    }
}
