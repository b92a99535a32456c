import AMQP
import FoundationEssentials
import Testing

@testable import EventStore

@Suite struct EventBatchTests {
    private static let reservas = "reservas.ReservaConcluida"
    private static let usuarios = "usuarios.EmailReservado"

    private func batch(_ events: [RecordedEvent], previous: [String: Int64], elsewhere: Int64? = nil) throws -> EventBatch {
        try #require(EventBatch(events: events, previous: previous.mapValues { Position($0) }, elsewhere: elsewhere.map { Position($0) }))
    }

    struct Case: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let position: Int64
        let contexts: Set<String>?
        let follows: Bool
    }

    /// The batch is 10…11 with an event of `reservas` and one of `usuarios`; before it the last of `reservas` was 7, of
    /// `usuarios` 4, of `precos` 8, and nothing else since 2.
    @Test(arguments: [
        Case(testDescription: "all, just before", position: 9, contexts: nil, follows: true),
        Case(testDescription: "all, one missing", position: 8, contexts: nil, follows: false),
        Case(testDescription: "all, already past", position: 15, contexts: nil, follows: true),
        Case(testDescription: "the last of the context considered", position: 7, contexts: ["reservas"], follows: true),
        Case(testDescription: "the last of the context missing", position: 6, contexts: ["reservas"], follows: false),
        Case(testDescription: "the other context", position: 4, contexts: ["usuarios"], follows: true),
        Case(testDescription: "both, one missing", position: 6, contexts: ["usuarios", "reservas"], follows: false),
        Case(testDescription: "both", position: 7, contexts: ["usuarios", "reservas"], follows: true),
        // The announcement of 8 was lost: the batch holds nothing of `precos`, but moving past it would skip 8.
        Case(testDescription: "a context not in the batch, missing", position: 7, contexts: ["reservas", "precos"], follows: false),
        Case(testDescription: "a context not in the batch, considered", position: 8, contexts: ["reservas", "precos"], follows: true),
        Case(testDescription: "only a context not in the batch, missing", position: 7, contexts: ["precos"], follows: false),
        Case(testDescription: "a context silent since 2, missing", position: 1, contexts: ["espacos"], follows: false),
        Case(testDescription: "a context silent since 2, considered", position: 2, contexts: ["espacos"], follows: true),
    ])
    func `a batch follows a position`(_ example: Case) throws {
        // given
        let batch = try batch(
            [.sample(10, type: Self.reservas), .sample(11, type: Self.usuarios)],
            previous: ["reservas": 7, "usuarios": 4, "precos": 8],
            elsewhere: 2
        )
        // then
        #expect(batch.follows(Position(example.position), contexts: example.contexts) == example.follows)
        // and it says the same after its way over the broker
        let received = try #require(EventBatch(batch.message))
        #expect(received == batch)
        #expect(received.follows(Position(example.position), contexts: example.contexts) == example.follows)
    }

    @Test func `of a context that the batch says nothing about, everything before it must have been considered`() throws {
        let batch = try batch([.sample(10, type: Self.reservas)], previous: ["reservas": 3])
        #expect(!batch.follows(Position(8), contexts: ["espacos"]))
        #expect(batch.follows(Position(9), contexts: ["espacos"]))
        #expect(batch.follows(Position(3), contexts: ["reservas"]))
    }

    @Test func `the routing key names the contexts of the events`() throws {
        let batch = try batch(
            [.sample(1, type: Self.usuarios), .sample(2, type: Self.reservas), .sample(3, type: Self.usuarios)],
            previous: ["reservas": 0, "usuarios": 0, "precos": 0]
        )
        #expect(batch.routingKey == "reservas.usuarios")
    }

    @Test func `a batch has events`() {
        #expect(EventBatch(events: [], previous: [:]) == nil)
    }

    @Test func `a message that is not a batch of ours is refused`() throws {
        let good = try batch([.sample(1), .sample(2)], previous: ["reservas": 0]).message
        #expect(EventBatch(good) != nil)
        var message = good
        message.contentType = "application/json"
        #expect(EventBatch(message) == nil)
        message = good
        message.headers = ["end": .int64(2)]
        #expect(EventBatch(message) == nil)
        message = good
        message.body.removeLast()
        #expect(EventBatch(message) == nil)
        message = good
        message.body = CloudEvents.encode([.sample(2), .sample(1)])
        #expect(EventBatch(message) == nil)
        message.body = CloudEvents.encode([.sample(1), .sample(3)])
        #expect(EventBatch(message) == nil)
        message.body = CloudEvents.encode([])
        #expect(EventBatch(message) == nil)
    }
}
