import FoundationEssentials
import TestSupport
import Testing

@testable import EventStore

@Suite struct AppendWireTests {
    private static let requests = [
        AppendRequest.sample(["a": 0, "b": 3], events: 2, fingerprint: [1, 2, 3], deadline: someTime).guarding("regras-ção", at: 7),
        AppendRequest(commandID: UUID(), fingerprint: [], deadline: .min, streams: []),
        AppendRequest.sample(["": -1], type: "\u{0}", deadline: .max),
    ]
    private static let outcomes: [AppendOutcome?] = [
        .accepted(first: Position(1), last: Position(.max)),
        .repeated(first: Position(4), last: Position(5), sameFingerprint: true),
        .repeated(first: Position(4), last: Position(5), sameFingerprint: false),
        .conflict(stream: "agenda-é", actual: StreamVersion(9)),
        .expired,
        .malformed,
        nil,
    ]

    @Test func `requests come out as they went in`() throws {
        #expect(try AppendWire.decodeRequests(AppendWire.encode(Self.requests)) == Self.requests)
        #expect(try AppendWire.decodeRequests(AppendWire.encode([AppendRequest]())) == [])
    }

    @Test func `outcomes come out as they went in`() throws {
        #expect(try AppendWire.decodeOutcomes(AppendWire.encode(Self.outcomes)) == Self.outcomes)
    }

    @Test func `anything cut short is an error`() {
        let requests = AppendWire.encode(Self.requests)
        for length in requests.indices {
            #expect(throws: ByteReader.Malformed.self) { try AppendWire.decodeRequests(Array(requests[..<length])) }
        }
        let outcomes = AppendWire.encode(Self.outcomes)
        for length in outcomes.indices {
            #expect(throws: ByteReader.Malformed.self) { try AppendWire.decodeOutcomes(Array(outcomes[..<length])) }
        }
    }

    @Test func `bytes too many, or of another version, are an error`() {
        let bytes = AppendWire.encode(Self.requests)
        #expect(throws: ByteReader.Malformed.self) { try AppendWire.decodeRequests(bytes + [0]) }
        #expect(throws: ByteReader.Malformed.self) { try AppendWire.decodeRequests([2] + bytes.dropFirst()) }
        #expect(throws: ByteReader.Malformed.self) { try AppendWire.decodeOutcomes([1, 1, 0, 0, 0, 77]) }
    }

    /// A trap here would let any message at the broker stop the recorder.
    @Test(arguments: 0..<8 as Range<UInt64>)
    func `hostile bytes never trap`(_ seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        let valid = AppendWire.encode(Self.requests)
        for _ in 0..<400 {
            var mutated = valid
            for _ in 0..<Int.random(in: 1...4, using: &generator) {
                mutated[Int.random(in: 0..<mutated.count, using: &generator)] = UInt8.random(in: 0...255, using: &generator)
            }
            _ = try? AppendWire.decodeRequests(mutated)
            let noise = [1] + generator.bytes(Int.random(in: 0...200, using: &generator))
            _ = try? AppendWire.decodeRequests(noise)
            _ = try? AppendWire.decodeOutcomes(noise)
        }
    }
}
