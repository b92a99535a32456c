import AMQP
import TestSupport
import Testing

@Suite struct RequestTests {
    @Test func `sixty-four requests in flight each get their own reply`() async throws {
        try await Scene.run { scene in
            try await scene.connect(topology("q")) { connection in
                // given a server on another connection that doubles what it gets
                try await scene.connect(topology("q")) { other in
                    let server = Task { try await serve("q", on: other) { $0 + $0 } }
                    defer { server.cancel() }
                    let requester = AMQPRequester(connection: connection, exchange: "", routingKey: "q")
                    // when sixty-four tasks ask, each for itself
                    let wrong = try await withThrowingTaskGroup(of: Int.self) { group in
                        for task in 0..<64 {
                            group.addTask {
                                var wrong = 0
                                for round in 0..<20 {
                                    let body = Array("\(task)-\(round)".utf8)
                                    let reply = try await requester.request(body, timeout: .seconds(10))
                                    if reply.body != body + body { wrong += 1 }
                                }
                                return wrong
                            }
                        }
                        return try await group.reduce(0, +)
                    }
                    // then nobody got another's
                    #expect(wrong == 0)
                }
            }
        }
    }

    @Test func `a request carries headers and expires with its timeout`() async throws {
        try await Scene.run { scene in
            try await scene.connect(topology("q")) { connection in
                let requester = AMQPRequester(connection: connection, exchange: "", routingKey: "q")
                let request = Task {
                    try await requester.request(
                        [1], headers: ["traceparent": "00-a"], contentType: "text/plain", type: "t", timeout: .seconds(9))
                }
                let delivery = try await connection.consume("q", prefetch: 1).takeOne()
                #expect(delivery.message.headers == ["traceparent": "00-a"])
                #expect(delivery.message.contentType == "text/plain")
                #expect(delivery.message.type == "t")
                #expect(delivery.message.expiration == .seconds(9))
                request.cancel()
                await #expect(throws: AMQPError.cancelled) { try await request.value }
            }
        }
    }

    @Test func `without a reply the request times out, and a late reply is dropped`() async throws {
        try await Scene.run { scene in
            try await scene.connect(topology("q")) { connection in
                let requester = AMQPRequester(connection: connection, exchange: "", routingKey: "q")
                let consumer = connection.consume("q", prefetch: 10)
                // given a request whose reply comes too late
                let start = ContinuousClock.now
                let request = Task { try await requester.request([1], timeout: .milliseconds(300)) }
                let delivery = try await consumer.takeOne()
                let error = await #expect(throws: AMQPError.self) { try await request.value }
                #expect(error == .timedOut)
                #expect(error?.outcomeIsUnknown == true)
                #expect(start.duration(to: .now) < .seconds(8), "and not after the time that is usual")
                func reply(to delivery: AMQPDelivery, _ body: [UInt8]) throws {
                    let message = AMQPMessage(body: body, correlationID: delivery.message.correlationID)
                    try connection.publish(message, exchange: "", routingKey: #require(delivery.message.replyTo))
                    delivery.ack()
                }
                try reply(to: delivery, [1])
                // when another request follows
                let next = Task { try await requester.request([2], timeout: .seconds(5)) }
                try reply(to: try await consumer.takeOne(), [2])
                // then it gets its own reply
                #expect(try await next.value.body == [2])
            }
        }
    }

    @Test func `a request that no queue takes fails at once`() async throws {
        try await Scene.run { scene in
            try await scene.connect { connection in
                let requester = AMQPRequester(connection: connection, exchange: "", routingKey: "nowhere")
                for _ in 0..<3 {
                    let error = await #expect(throws: AMQPError.self) { try await requester.request([], timeout: .seconds(30)) }
                    #expect(error == .returned)
                    #expect(error?.outcomeIsUnknown == false)
                }
            }
        }
    }

    @Test func `a full queue rejects at once and the next request is not hurt`() async throws {
        try await Scene.run { scene in
            // given a bounded queue with nobody consuming
            let full = topology("q", arguments: ["x-max-length": 2, "x-overflow": "reject-publish"])
            try await scene.connect(full) { connection in
                let requester = AMQPRequester(connection: connection, exchange: "", routingKey: "q")
                let waiting = (0..<2).map { _ in Task { try await requester.request([7], timeout: .seconds(30)) } }
                try await eventually { try await connection.status(ofQueue: "q").messageCount == 2 }
                // when one more comes
                let error = await #expect(throws: AMQPError.self) { try await requester.request([8], timeout: .seconds(30)) }
                // then it is refused, with certainty
                #expect(error == .rejected)
                #expect(error?.outcomeIsUnknown == false)
                // and the two that wait are answered once somebody serves
                let server = Task { try await serve("q", on: connection) { $0 } }
                defer { server.cancel() }
                for request in waiting { #expect(try await request.value.body == [7]) }
            }
        }
    }

    @Test func `a missing exchange fails the request, not the connection`() async throws {
        try await Scene.run { scene in
            try await scene.connect(topology("q")) { connection in
                let lost = AMQPRequester(connection: connection, exchange: "missing", routingKey: "q")
                for _ in 0..<2 {
                    await #expect(throws: AMQPError.serverRefused(code: 404, text: "")) {
                        try await lost.request([], timeout: .seconds(30))
                    }
                }
                let server = Task { try await serve("q", on: connection) { $0 } }
                defer { server.cancel() }
                let requester = AMQPRequester(connection: connection, exchange: "", routingKey: "q")
                let reply = try await requester.request([5], timeout: .seconds(5))
                #expect(reply.body == [5])
                #expect(connection.generation == 1)
            }
        }
    }

    @Test func `a cancelled request returns at once`() async throws {
        try await Scene.run { scene in
            try await scene.connect(topology("q")) { connection in
                let requester = AMQPRequester(connection: connection, exchange: "", routingKey: "q")
                let request = Task { try await requester.request([1], timeout: .seconds(60)) }
                try await eventually { try await connection.status(ofQueue: "q").messageCount == 1 }
                let start = ContinuousClock.now
                request.cancel()
                await #expect(throws: AMQPError.cancelled) { try await request.value }
                #expect(start.duration(to: .now) < .seconds(5))
            }
        }
    }

    @Test func `a requester made before the connection is up works once it is`() async throws {
        try await Scene.run { scene in
            let connection = AMQPConnection(scene.configuration, topology: topology("q"), logger: quiet)
            let requester = AMQPRequester(connection: connection, exchange: "", routingKey: "q")
            let consumer = connection.consume("q", prefetch: 1)
            await #expect(throws: AMQPError.notConnected) { try await requester.request([], timeout: .seconds(1)) }
            let run = Task { try await connection.run() }
            try await connection.waitUntilConnected(timeout: .seconds(10))
            let request = Task { try await requester.request([3], timeout: .seconds(5)) }
            let delivery = try await consumer.takeOne()
            try connection.publish(
                AMQPMessage(body: [4], correlationID: delivery.message.correlationID), exchange: "",
                routingKey: #require(delivery.message.replyTo)
            )
            #expect(try await request.value.body == [4])
            run.cancel()
            try await run.value
        }
    }
}
