import AMQP
import TestSupport
import Testing

@Suite struct ConfirmTests {
    @Test func `a thousand confirms at once all come`() async throws {
        try await Scene.run { scene in
            try await scene.connect(topology("q")) { connection in
                try await withThrowingTaskGroup(of: Void.self) { group in
                    for index in 0..<1_000 {
                        let message = AMQPMessage(body: [UInt8(index % 251)], persistent: true)
                        group.addTask {
                            try await connection.publishConfirmed(
                                message, exchange: "", routingKey: "q", mandatory: index.isMultiple(of: 2), timeout: .seconds(20))
                        }
                    }
                    try await group.waitForAll()
                }
                #expect(try await connection.status(ofQueue: "q").messageCount == 1_000)
            }
        }
    }

    @Test func `only the mandatory messages without a queue are returned`() async throws {
        try await Scene.run { scene in
            try await scene.connect(topology("q")) { connection in
                // given routable and unroutable messages side by side
                let returned = try await withThrowingTaskGroup(of: Int?.self) { group in
                    for index in 0..<60 {
                        group.addTask {
                            do throws(AMQPError) {
                                try await connection.publishConfirmed(
                                    AMQPMessage(body: [UInt8(index)]), exchange: "", routingKey: index % 3 == 0 ? "nowhere" : "q",
                                    mandatory: index % 2 == 0, timeout: .seconds(10)
                                )
                                return nil
                            } catch .returned {
                                return index
                            }
                        }
                    }
                    return try await group.reduce(into: Set<Int>()) { if let index = $1 { $0.insert(index) } }
                }
                // then exactly those that were both come back
                #expect(returned == Set(stride(from: 0, to: 60, by: 6)))
                #expect(try await connection.status(ofQueue: "q").messageCount == 40)
            }
        }
    }

    @Test func `a full queue rejects`() async throws {
        try await Scene.run { scene in
            try await scene.connect(topology("q", arguments: ["x-max-length": 1, "x-overflow": "reject-publish"])) { connection in
                try await connection.publishConfirmed(AMQPMessage(), exchange: "", routingKey: "q", timeout: .seconds(5))
                let error = await #expect(throws: AMQPError.self) {
                    try await connection.publishConfirmed(AMQPMessage(), exchange: "", routingKey: "q", timeout: .seconds(5))
                }
                #expect(error == .rejected)
                #expect(error?.outcomeIsUnknown == false)
            }
        }
    }

    @Test func `a missing exchange closes a channel, which opens again`() async throws {
        try await Scene.run { scene in
            try await scene.connect(topology("q")) { connection in
                // when something is confirmed, and something not, to an exchange that is not there
                for _ in 0..<3 {
                    await #expect(throws: AMQPError.serverRefused(code: 404, text: "")) {
                        try await connection.publishConfirmed(AMQPMessage(), exchange: "missing", routingKey: "q", timeout: .seconds(5))
                    }
                    try connection.publish(AMQPMessage(), exchange: "missing", routingKey: "q")
                }
                // then both ways work again over the same connection
                try await connection.publishConfirmed(AMQPMessage(body: [1]), exchange: "", routingKey: "q", timeout: .seconds(5))
                try await eventually {
                    try connection.publish(AMQPMessage(body: [2]), exchange: "", routingKey: "q")
                    return try await connection.status(ofQueue: "q").messageCount >= 2
                }
                #expect(connection.generation == 1)
            }
        }
    }

    @Test func `a long message cut off by a refusal does not disturb the next`() async throws {
        try await Scene.run { scene in
            try await scene.connect(topology("q")) { connection in
                // given a full pipe, so that of what follows the broker refuses the second, by closing the channel, while
                // the third is under way
                let lengths = [16_000_000, 1, 32_000_000, 2]
                let messages = lengths.map { AMQPMessage(body: [UInt8](repeating: 1, count: $0)) }
                // when one more follows
                for (message, exchange) in zip(messages, ["", "missing", "", ""]) {
                    try connection.publish(message, exchange: exchange, routingKey: "q")
                }
                // then only the third is lost with its channel, and the last arrives over the same connection
                let deliveries = try await connection.consume("q", prefetch: 10).take(2)
                #expect(deliveries.map(\.message.body.count) == [16_000_000, 2])
                #expect(connection.generation == 1)
            }
        }
    }
}
