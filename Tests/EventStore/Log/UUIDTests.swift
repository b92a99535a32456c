import FoundationEssentials
import TestSupport
import Testing

@testable import EventStore

@Suite struct UUIDTests {
    /// RFC 9562, appendix A.4.
    @Test func `version 5 agrees with the RFC's example`() {
        let id = UUID.v5(namespace: .dns, name: "www.example.com".utf8)
        #expect(id.uuidString.lowercased() == "2ed6657d-e927-568b-95e1-2665a8aea6a2")
    }

    @Test func `version 7 carries the time, the version and the variant`() throws {
        // given
        var generator = SeededGenerator(seed: 1)
        // when
        let id = UUID.v7(microseconds: someTime, using: &generator)
        // then
        let bytes = id.bytes
        let milliseconds = bytes.prefix(6).reduce(Int64(0)) { $0 << 8 | Int64($1) }
        let fraction = Int64(bytes[6] & 0x0F) << 8 | Int64(bytes[7])
        #expect(milliseconds == someTime / 1000)
        #expect(fraction == someTime % 1000 * 4096 / 1000)
        #expect(bytes[6] >> 4 == 7)
        #expect(bytes[8] >> 6 == 0b10)
    }

    @Test func `version 7 sorts by time, down to the microsecond`() {
        var generator = SeededGenerator(seed: 2)
        let ids = (0..<3000).map { UUID.v7(microseconds: someTime + $0, using: &generator) }
        #expect(ids == ids.sorted { $0.uuidString < $1.uuidString })
        #expect(Set(ids).count == ids.count)
    }

    @Test func `sixteen bytes make an id, no other number does`() {
        let id = UUID()
        #expect(UUID(bytes: id.bytes) == id)
        #expect(UUID(bytes: id.bytes.dropLast()) == nil)
        #expect(UUID(bytes: id.bytes + [0]) == nil)
    }
}
