import AMQP
import TestSupport
import Testing

@Suite struct MessagingTests {
    @Test func `what is published is consumed once acknowledged`() async throws {
        try await Scene.run { scene in
            // given a queue bound to a topic exchange
            let topology = AMQPTopology(
                exchanges: [AMQPExchange(name: "events", kind: .topic, durable: false)],
                queues: [AMQPQueue(name: "q", durable: false)],
                bindings: [AMQPBinding(queue: "q", exchange: "events", routingKey: "#.reservas.#")]
            )
            try await scene.connect(topology) { connection in
                // when two messages match and one does not
                try connection.publish(AMQPMessage(body: [1]), exchange: "events", routingKey: "usuarios.reservas")
                try connection.publish(AMQPMessage(body: [2]), exchange: "events", routingKey: "usuarios")
                try connection.publish(AMQPMessage(body: [3]), exchange: "events", routingKey: "reservas")
                // then the two arrive in order, with where they came from
                let consumer = connection.consume("q", prefetch: 10)
                let deliveries = try await consumer.take(2)
                #expect(deliveries.map(\.message.body) == [[1], [3]])
                #expect(deliveries.map(\.routingKey) == ["usuarios.reservas", "reservas"])
                #expect(deliveries.allSatisfy { $0.exchange == "events" && !$0.redelivered && $0.connectionGeneration == 1 })
                deliveries[1].acknowledgeUpTo()
                // and once acknowledged they do not come back
                consumer.cancel()
                try await eventually { try await connection.status(ofQueue: "q").consumerCount == 0 }
                #expect(try await connection.status(ofQueue: "q").messageCount == 0)
            }
        }
    }

    @Test func `every property survives the way through the broker`() async throws {
        try await Scene.run { scene in
            try await scene.connect(topology("q")) { connection in
                // given a message with everything set
                let message = AMQPMessage(
                    body: Array("ola".utf8), contentType: "application/json", headers: ["x": "y"], correlationID: "c-1",
                    replyTo: "somewhere", messageID: "m-1", type: "reservas.ReservaCriada", persistent: true,
                    expiration: .milliseconds(61_500)
                )
                // when it goes through the broker, as does an empty one
                try await connection.publishConfirmed(message, exchange: "", routingKey: "q", timeout: .seconds(5))
                try await connection.publishConfirmed(AMQPMessage(), exchange: "", routingKey: "q", timeout: .seconds(5))
                // then both come out as they went in
                let deliveries = try await connection.consume("q", prefetch: 10).take(2)
                #expect(deliveries.map(\.message) == [message, AMQPMessage()])
            }
        }
    }

    @Test(
        arguments: [
            .bool(true), .bool(false), .int64(0), .int64(.min), .int64(.max), .double(-1.5e300), .string(""), .string("São Paulo"),
            .bytes([0, 255, 1]), .timestamp(1_800_000_000), .null, .array([]), .array([1, "a", .array([true])]),
            .table(["a": 1, "b": .table(["c": .bytes([])])]),
        ] as [AMQPFieldValue])
    func `a header of each type survives`(_ value: AMQPFieldValue) async throws {
        try await Scene.run { scene in
            try await scene.connect(topology("q")) { connection in
                let message = AMQPMessage(headers: ["value": value, "other": "kept"])
                try connection.publish(message, exchange: "", routingKey: "q")
                let delivery = try await connection.consume("q", prefetch: 1).takeOne()
                #expect(delivery.message.headers == message.headers)
            }
        }
    }

    @Test func `bodies of any length arrive whole, in order`() async throws {
        try await Scene.run { scene in
            try await scene.connect(topology("q")) { connection in
                // given lengths around the sizes of frames and of the pieces that are sent at a time
                let lengths = [0, 1, 32_767, 32_768, 32_769, 65_536, 131_063, 131_064, 131_065, 131_072 * 3, 5, 4_000_000, 0, 7]
                let bodies = lengths.enumerated().map { index, length in
                    (0..<length).map { UInt8(truncatingIfNeeded: $0 &* 31 &+ index) }
                }
                let consumer = connection.consume("q", prefetch: 100)
                // when they are sent together
                for body in bodies { try connection.publish(AMQPMessage(body: body), exchange: "", routingKey: "q") }
                // then they arrive as they were
                let deliveries = try await consumer.take(bodies.count)
                #expect(deliveries.map(\.message.body.count) == lengths)
                #expect(deliveries.map(\.message.body) == bodies)
            }
        }
    }

    @Test func `a body that fills its only frame is not held back`() async throws {
        try await Scene.run { scene in
            // given frames so small that the body fits one exactly
            var configuration = scene.configuration
            configuration.frameMax = 4_096
            try await scene.connect(topology("q"), configuration) { connection in
                let body = [UInt8](repeating: 9, count: 4_096 - 8)
                // when it is sent and waited for, many times
                var shortest = Duration.seconds(60)
                for _ in 0..<20 {
                    let start = ContinuousClock.now
                    try await connection.publishConfirmed(AMQPMessage(body: body), exchange: "", routingKey: "q", timeout: .seconds(5))
                    shortest = min(shortest, start.duration(to: .now))
                }
                // then they did not all wait for the kernel to flush a segment that expects more, which takes it 200 ms
                #expect(shortest < .milliseconds(200))
            }
        }
    }

    @Test func `what is given back is delivered again, what is dropped is not`() async throws {
        try await Scene.run { scene in
            try await scene.connect(topology("q")) { connection in
                for body in 1...2 as ClosedRange<UInt8> { try connection.publish(AMQPMessage(body: [body]), exchange: "", routingKey: "q") }
                let consumer = connection.consume("q", prefetch: 2)
                let first = try await consumer.take(2)
                // when one is dropped and one given back
                first[0].nack(requeue: false)
                first[1].nack(requeue: true)
                // then that one comes again and says so
                let again = try await consumer.takeOne()
                #expect(again.message.body == [2])
                #expect(again.redelivered)
                again.ack()
                consumer.cancel()
                try await eventually { try await connection.status(ofQueue: "q").consumerCount == 0 }
                #expect(try await connection.status(ofQueue: "q").messageCount == 0)
            }
        }
    }

    @Test func `no more than the prefetch is out at a time`() async throws {
        try await Scene.run { scene in
            try await scene.connect(topology("q")) { connection in
                // given ten messages and a prefetch of three
                for body in 1...10 as ClosedRange<UInt8> {
                    try await connection.publishConfirmed(AMQPMessage(body: [body]), exchange: "", routingKey: "q", timeout: .seconds(5))
                }
                let consumer = connection.consume("q", prefetch: 3)
                let held = try await consumer.take(3)
                // then seven stay in the queue while nothing is acknowledged
                try await eventually { try await connection.status(ofQueue: "q").messageCount == 7 }
                // and one acknowledged lets one more out
                held[0].ack()
                let next = try await consumer.takeOne()
                #expect(next.message.body == [4])
                #expect(try await connection.status(ofQueue: "q").messageCount == 6)
            }
        }
    }

    @Test func `settling twice does no harm`() async throws {
        try await Scene.run { scene in
            try await scene.connect(topology("q")) { connection in
                for body in 1...4 as ClosedRange<UInt8> { try connection.publish(AMQPMessage(body: [body]), exchange: "", routingKey: "q") }
                let consumer = connection.consume("q", prefetch: 3)
                let deliveries = try await consumer.take(3)
                // when deliveries are settled again in every way that the broker would punish by closing the channel
                deliveries[1].ack()
                deliveries[1].ack()
                deliveries[1].acknowledgeUpTo()
                deliveries[0].nack(requeue: true)
                deliveries[1].nack(requeue: true)
                deliveries[2].acknowledgeUpTo()
                deliveries[2].acknowledgeUpTo()
                // then the channel lives and nothing comes twice
                let next = try await consumer.takeOne()
                #expect(next.message.body == [4])
                #expect(!next.redelivered)
            }
        }
    }

    @Test func `a cancelled consumer gives back what it has not seen and may settle what it has`() async throws {
        try await Scene.run { scene in
            try await scene.connect(topology("q")) { connection in
                for body in 1...5 as ClosedRange<UInt8> {
                    try await connection.publishConfirmed(AMQPMessage(body: [body]), exchange: "", routingKey: "q", timeout: .seconds(5))
                }
                let consumer = connection.consume("q", prefetch: 5)
                let seen = try await consumer.takeOne()
                // when it is cancelled with four deliveries unseen
                consumer.cancel()
                #expect(await consumer.nextBatch(upTo: 5).isEmpty)
                // then those are back while the one seen is still ours
                try await eventually { try await connection.status(ofQueue: "q") == .init(name: "q", messageCount: 4, consumerCount: 0) }
                seen.ack()
                let rest = try await connection.consume("q", prefetch: 5).take(4)
                #expect(rest.map(\.message.body) == [[2], [3], [4], [5]])
            }
        }
    }

    @Test func `a delivery dropped without a word goes back once nobody can settle it`() async throws {
        try await Scene.run { scene in
            try await scene.connect(topology("q")) { connection in
                try await connection.publishConfirmed(AMQPMessage(body: [1]), exchange: "", routingKey: "q", timeout: .seconds(5))
                // when a consumer and its delivery are forgotten
                do {
                    let consumer = connection.consume("q", prefetch: 5)
                    _ = try await consumer.takeOne()
                }
                // then the broker has both back
                try await eventually { try await connection.status(ofQueue: "q") == .init(name: "q", messageCount: 1, consumerCount: 0) }
            }
        }
    }

    @Test func `cancelling the iterating task cancels the consumer`() async throws {
        try await Scene.run { scene in
            try await scene.connect(topology("q")) { connection in
                let consumer = connection.consume("q", prefetch: 5)
                let iteration = Task {
                    var count = 0
                    for await delivery in consumer {
                        delivery.ack()
                        count += 1
                    }
                    return count
                }
                try connection.publish(AMQPMessage(), exchange: "", routingKey: "q")
                try await eventually {
                    let status = try await connection.status(ofQueue: "q")
                    return status.consumerCount == 1 && status.messageCount == 0
                }
                // when
                iteration.cancel()
                // then
                #expect(await iteration.value <= 1)
                try await eventually { try await connection.status(ofQueue: "q").consumerCount == 0 }
            }
        }
    }

    @Test func `calls of tools answer and refuse`() async throws {
        try await Scene.run { scene in
            try await scene.connect { connection in
                // a queue that is not there
                await #expect(throws: AMQPError.serverRefused(code: 404, text: "")) { try await connection.status(ofQueue: "q") }
                // is declared by name, by the broker's choice of name, bound, unbound, purged and deleted
                #expect(try await connection.declare(queue: AMQPQueue(name: "q", durable: false)).messageCount == 0)
                let named = try await connection.declare(queue: AMQPQueue(name: "", durable: false, exclusive: true))
                #expect(named.name.hasPrefix("amq.gen"))
                try await connection.declare(exchange: AMQPExchange(name: "e", kind: .fanout, durable: false))
                let binding = AMQPBinding(queue: "q", exchange: "e", routingKey: "")
                try await connection.bind(binding)
                for _ in 0..<3 {
                    try await connection.publishConfirmed(
                        AMQPMessage(), exchange: "e", routingKey: "", mandatory: true, timeout: .seconds(5))
                }
                #expect(try await connection.purge(queue: "q") == 3)
                try await connection.unbind(binding)
                await #expect(throws: AMQPError.returned) {
                    try await connection.publishConfirmed(
                        AMQPMessage(), exchange: "e", routingKey: "", mandatory: true, timeout: .seconds(5))
                }
                #expect(try await connection.delete(queue: "q") == 0)
                // and a refused call does not hit the ones beside it
                let refused = Task { try await connection.status(ofQueue: "q") }
                let accepted = Task { try await connection.declare(queue: AMQPQueue(name: "r", durable: false)) }
                #expect(try await accepted.value.name == "r")
                await #expect(throws: AMQPError.self) { try await refused.value }
            }
        }
    }

    @Test func `messages that AMQP cannot carry are refused before they can break the connection`() async throws {
        try await Scene.run { scene in
            try await scene.connect(topology("q")) { connection in
                let long = String(repeating: "x", count: 256)
                let unfit = [
                    AMQPMessage(correlationID: long), AMQPMessage(headers: [long: 1]), AMQPMessage(expiration: .seconds(-1)),
                    AMQPMessage(headers: ["h": .bytes([UInt8](repeating: 0, count: 131_072))]),
                ]
                for message in unfit {
                    #expect(throws: AMQPError.invalidMessage) { try connection.publish(message, exchange: "", routingKey: "q") }
                }
                #expect(throws: AMQPError.invalidMessage) { try connection.publish(AMQPMessage(), exchange: "", routingKey: long) }
                // the largest that passes really fits
                let largest = AMQPMessage(
                    contentType: String(repeating: "c", count: 255), headers: ["h": .bytes([UInt8](repeating: 1, count: 129_000))],
                    correlationID: String(repeating: "i", count: 255), replyTo: String(repeating: "r", count: 255),
                    messageID: String(repeating: "m", count: 255), type: String(repeating: "t", count: 255)
                )
                try await connection.publishConfirmed(largest, exchange: "", routingKey: "q", mandatory: true, timeout: .seconds(5))
                #expect(try await connection.consume("q", prefetch: 1).takeOne().message == largest)
                #expect(connection.generation == 1)
            }
        }
    }
}
