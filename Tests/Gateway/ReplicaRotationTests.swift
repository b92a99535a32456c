import Testing

@testable import Gateway

@Suite struct ReplicaRotationTests {
    private let now = ContinuousClock.now

    @Test func `replicas take turns`() {
        var rotation = ReplicaRotation(urls: ["a", "b", "c"])
        let first = (1...4).map { _ in rotation.candidates(at: now).first }
        #expect(first == ["a", "b", "c", "a"])
        #expect(Set(rotation.candidates(at: now)) == ["a", "b", "c"])
    }

    @Test func `a replica that failed comes last until it has rested or answered`() {
        // given
        var rotation = ReplicaRotation(urls: ["a", "b"])

        // when
        rotation.failed("a", at: now)

        // then
        #expect(rotation.candidates(at: now) == ["b", "a"])
        #expect(rotation.candidates(at: now) == ["b", "a"])
        #expect(rotation.candidates(at: now + ReplicaRotation.rest) == ["a", "b"])

        // when
        rotation.failed("b", at: now)
        rotation.answered("b")

        // then
        #expect(rotation.candidates(at: now) == ["b", "a"])
    }

    @Test func `where all have failed all are still tried`() {
        var rotation = ReplicaRotation(urls: ["a", "b"])
        rotation.failed("a", at: now)
        rotation.failed("b", at: now)
        #expect(Set(rotation.candidates(at: now)) == ["a", "b"])
    }
}
