import AMQP
import Logging
import Synchronization
import TestSupport
import Testing

@Suite struct ReconnectTests {
    @Test func `closed by force, the connection restores topology, consumers and requesters`() async throws {
        try await Scene.run { scene in
            // given queues that vanish with the connection
            let topology = AMQPTopology(
                exchanges: [AMQPExchange(name: "events", kind: .topic, durable: false)],
                queues: [
                    AMQPQueue(name: "mine", durable: false, exclusive: true), AMQPQueue(name: "auto", durable: false, autoDelete: true),
                    AMQPQueue(name: "silent", durable: false),
                ],
                bindings: [
                    AMQPBinding(queue: "mine", exchange: "events", routingKey: "#"),
                    AMQPBinding(queue: "auto", exchange: "events", routingKey: "auto"),
                ]
            )
            try await scene.connect(topology, name: "victim-\(scene.name)") { connection in
                let mine = connection.consume("mine", prefetch: 5)
                let auto = connection.consume("auto", prefetch: 5)
                try await connection.publishConfirmed(AMQPMessage(body: [1]), exchange: "events", routingKey: "x", timeout: .seconds(5))
                let stale = try await mine.takeOne()
                // and a request that waits, and one who watches
                let requester = AMQPRequester(connection: connection, exchange: "", routingKey: "silent")
                let pending = Task { try await requester.request([1], timeout: .seconds(60)) }
                try await eventually { try await connection.status(ofQueue: "silent").messageCount == 1 }
                var states = connection.states.makeAsyncIterator()
                #expect(await states.next() == .connected(generation: 1))
                // when the broker closes the connection
                try await scene.broker.kill(connectionNamed: "victim-\(scene.name)")
                // then the request fails, its outcome unknown
                let error = await #expect(throws: AMQPError.self) { try await pending.value }
                #expect(error == .connectionLost)
                #expect(error?.outcomeIsUnknown == true)
                // and the watcher sees it go and come
                #expect(await states.next() == .disconnected)
                #expect(await states.next() == .connected(generation: 2))
                // and settling what came before does nothing, while both consumers get what comes now
                stale.ack()
                stale.acknowledgeUpTo()
                stale.nack(requeue: true)
                try await eventually { try await connection.status(ofQueue: "auto").consumerCount == 1 }
                try await connection.publishConfirmed(AMQPMessage(body: [2]), exchange: "events", routingKey: "auto", timeout: .seconds(5))
                for consumer in [mine, auto] {
                    let delivery = try await consumer.takeOne()
                    #expect(delivery.message.body == [2])
                    #expect(delivery.connectionGeneration == 2)
                    delivery.ack()
                }
                // and the requester works over the new connection
                let server = Task { try await serve("silent", on: connection) { $0 } }
                defer { server.cancel() }
                #expect(try await requester.request([9], timeout: .seconds(5)).body == [9])
            }
        }
    }

    @Test func `unacknowledged deliveries come again after a cut, buffered ones only once`() async throws {
        try await Scene.run { scene in
            try await scene.withProxy { proxy, configuration in
                try await scene.connect(topology("q"), configuration) { connection in
                    for body in 1...5 as ClosedRange<UInt8> {
                        try await connection.publishConfirmed(
                            AMQPMessage(body: [body]), exchange: "", routingKey: "q", timeout: .seconds(5))
                    }
                    let consumer = connection.consume("q", prefetch: 5)
                    let seen = try await consumer.takeOne()
                    #expect(seen.message.body == [1])
                    try await eventually { try await connection.status(ofQueue: "q").messageCount == 0 }
                    // when the line is cut with one delivery out and four buffered
                    proxy.change { $0.cuts = true }
                    try await eventually { connection.generation == 2 }
                    // then all five come over the new connection, each once
                    let again = try await consumer.take(5)
                    #expect(again.map(\.message.body) == [[1], [2], [3], [4], [5]])
                    #expect(again.allSatisfy { $0.connectionGeneration == 2 && $0.redelivered })
                    again[4].acknowledgeUpTo()
                    try connection.publish(AMQPMessage(body: [6]), exchange: "", routingKey: "q")
                    #expect(try await consumer.takeOne().message.body == [6])
                }
            }
        }
    }

    @Test func `while the broker cannot be reached publishing fails at once`() async throws {
        try await Scene.run { scene in
            try await scene.withProxy { proxy, configuration in
                try await scene.connect(topology("q"), configuration) { connection in
                    let requester = AMQPRequester(connection: connection, exchange: "", routingKey: "q")
                    proxy.change { ($0.refuses, $0.cuts) = (true, true) }
                    try await eventually { !connection.isConnected }
                    let start = ContinuousClock.now
                    #expect(throws: AMQPError.notConnected) { try connection.publish(AMQPMessage(), exchange: "", routingKey: "q") }
                    await #expect(throws: AMQPError.notConnected) { try await requester.request([], timeout: .seconds(30)) }
                    await #expect(throws: AMQPError.notConnected) { try await connection.status(ofQueue: "q") }
                    await #expect(throws: AMQPError.notConnected) {
                        try await connection.publishConfirmed(AMQPMessage(), exchange: "", routingKey: "q", timeout: .seconds(30))
                    }
                    #expect(start.duration(to: .now) < .seconds(5))
                    // and it comes back when the broker does, without being asked
                    proxy.change { $0.refuses = false }
                    try await connection.waitUntilConnected(timeout: .seconds(5))
                    try await connection.publishConfirmed(AMQPMessage(), exchange: "", routingKey: "q", timeout: .seconds(5))
                }
            }
        }
    }

    @Test func `a queue of ours that is deleted is declared and consumed again`() async throws {
        try await Scene.run { scene in
            try await scene.connect(topology("q")) { connection in
                let consumer = connection.consume("q", prefetch: 5)
                try connection.publish(AMQPMessage(body: [1]), exchange: "", routingKey: "q")
                let before = try await consumer.takeOne()
                // when somebody deletes it under our feet
                try await connection.delete(queue: "q")
                // then the consumer is back on a new one, and what was delivered from the old one cannot hurt
                before.ack()
                try await eventually {
                    do { return try await connection.status(ofQueue: "q").consumerCount == 1 } catch is AMQPError { return false }
                }
                before.ack()
                try connection.publish(AMQPMessage(body: [2]), exchange: "", routingKey: "q")
                #expect(try await consumer.takeOne().message.body == [2])
                #expect(connection.generation == 1)
            }
        }
    }

    @Test func `a consumer of a queue that does not exist yet waits for it`() async throws {
        try await Scene.run { scene in
            try await scene.connect { connection in
                let consumer = connection.consume("later", prefetch: 5)
                await #expect(throws: AMQPError.serverRefused(code: 404, text: "")) { try await connection.status(ofQueue: "later") }
                try await connection.declare(queue: AMQPQueue(name: "later", durable: false))
                try connection.publish(AMQPMessage(body: [1]), exchange: "", routingKey: "later")
                #expect(try await consumer.takeOne().message.body == [1])
                #expect(connection.generation == 1)
            }
        }
    }

    @Test func `a topology that conflicts is named in the log and retried`() async throws {
        try await Scene.run { scene in
            try await scene.connect(topology("conflict")) { other in
                // given a queue that exists with other arguments
                let log = LogRecorder()
                let connection = AMQPConnection(
                    scene.configuration, topology: topology("conflict", arguments: ["x-max-length": 5]), logger: log.logger
                )
                let run = Task { try await connection.run() }
                // when we connect, then we are told why it takes so long
                await #expect(throws: AMQPError.serverRefused(code: 406, text: "")) {
                    try await connection.waitUntilConnected(timeout: .seconds(1))
                }
                #expect(log.lines.contains { $0.contains("refused the topology") && $0.contains("queue conflict") })
                // and once the conflict is gone the connection comes up by itself
                try await other.delete(queue: "conflict")
                try await connection.waitUntilConnected(timeout: .seconds(10))
                run.cancel()
                try await run.value
            }
        }
    }

    @Test func `wrong credentials are told apart and shown nowhere`() async throws {
        try await Scene.run { scene in
            var configuration = scene.configuration
            configuration.password = "s3cret-\(scene.name)"
            let log = LogRecorder()
            let connection = AMQPConnection(configuration, logger: log.logger)
            let run = Task { try await connection.run() }
            let error = await #expect(throws: AMQPError.self) { try await connection.waitUntilConnected(timeout: .seconds(1)) }
            #expect(error == .authenticationFailed)
            run.cancel()
            try await run.value
            #expect(!log.lines.isEmpty)
            #expect(!log.lines.contains { $0.contains("s3cret") })
            #expect(error.map { "\($0)\(String(reflecting: $0))".contains("s3cret") } == false)
        }
    }
}

/// Keeps what is logged.
final class LogRecorder: Sendable {
    private let kept = Mutex<[String]>([])

    var lines: [String] { kept.withLock(\.self) }
    var logger: Logger { Logger(label: "test", factory: { _ in Handler(recorder: self) }) }

    private struct Handler: LogHandler {
        let recorder: LogRecorder
        var metadata: Logger.Metadata = [:]
        var logLevel = Logger.Level.trace

        subscript(metadataKey key: String) -> Logger.Metadata.Value? {
            get { metadata[key] }
            set { metadata[key] = newValue }
        }

        func log(event: LogEvent) {
            recorder.kept.withLock { $0.append("\(event.level) \(event.message) \(event.metadata ?? [:])") }
        }
    }

    @Test func `a consumer stopped before it began leaves the connection alone`() async throws {
        try await Scene.run { scene in
            try await scene.connect(AMQPTopology(queues: [AMQPQueue(name: "q", durable: false)])) { connection in
                // given a message that waits
                try connection.publish(AMQPMessage(body: [1]), exchange: "", routingKey: "q")
                // when consumers are stopped at every moment of their beginning
                for delay in 0..<60 {
                    let consumer = connection.consume("q", prefetch: 10)
                    try await Task.sleep(for: .microseconds(delay * 50))
                    consumer.cancel()
                }
                // then the connection is the same and the message is there for the next
                try await eventually { try await connection.status(ofQueue: "q").consumerCount == 0 }
                let deliveries = try await connection.consume("q", prefetch: 10).take(1)
                #expect(deliveries.map(\.message.body) == [[1]])
                #expect(connection.generation == 1)
            }
        }
    }
}
