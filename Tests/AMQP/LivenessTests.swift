import AMQP
import Foundation
import TestSupport
import Testing

@Suite struct LivenessTests {
    @Test func `heartbeats keep an idle connection alive and a silent peer is noticed`() async throws {
        try await Scene.run { scene in
            try await scene.withProxy { proxy, original in
                var configuration = original
                configuration.heartbeat = .seconds(1)
                try await scene.connect(.init(), configuration) { connection in
                    // given an idle connection, watched for more than three heartbeats
                    var states = connection.states.makeAsyncIterator()
                    #expect(await states.next() == .connected(generation: 1))
                    await #expect(throws: NeverHappened.self) {
                        try await eventually("the connection is lost", within: .milliseconds(3_600)) { !connection.isConnected }
                    }
                    #expect(connection.generation == 1)
                    // when the peer falls silent without closing
                    proxy.change { $0.isSilent = true }
                    let start = ContinuousClock.now
                    // then that is noticed within three heartbeats
                    #expect(await states.next() == .disconnected)
                    #expect(start.duration(to: .now) < .seconds(3))
                    // and the connection mends
                    proxy.change { ($0.isSilent, $0.cuts) = (false, true) }
                    #expect(await states.next() == .connected(generation: 2))
                }
            }
        }
    }

    @Test func `heartbeats go on while messages only come in`() async throws {
        try await Scene.run { scene in
            var configuration = scene.configuration
            configuration.heartbeat = .seconds(1)
            try await scene.connect(topology("q"), configuration) { receiving in
                try await scene.connect { sending in
                    // given a connection that receives all the time and sends nothing of its own
                    let consumer = receiving.consume("q", prefetch: .max)
                    let until = ContinuousClock.now + .milliseconds(3_600)
                    var sent = 0
                    while ContinuousClock.now < until {
                        try await sending.publishConfirmed(AMQPMessage(), exchange: "", routingKey: "q", timeout: .seconds(5))
                        sent += 1
                    }
                    // then it is still the same one
                    #expect(try await consumer.take(sent).allSatisfy { $0.connectionGeneration == 1 })
                }
            }
        }
    }

    @Test func `a blocked connection refuses messages until it is unblocked`() async throws {
        try await Scene.run { scene in
            try await scene.withProxy { proxy, configuration in
                try await scene.connect(topology("q"), configuration) { connection in
                    let requester = AMQPRequester(connection: connection, exchange: "", routingKey: "q")
                    // when the broker says that it is short of memory
                    proxy.change { $0.injected = [[1, 0, 0, 0, 0, 0, 15, 0, 10, 0, 60, 10] + Array("low memory".utf8) + [0xCE]] }
                    try await eventually { connection.isBlocked }
                    // then nothing is queued for it
                    #expect(throws: AMQPError.blocked) { try connection.publish(AMQPMessage(), exchange: "", routingKey: "q") }
                    await #expect(throws: AMQPError.blocked) { try await requester.request([], timeout: .seconds(30)) }
                    await #expect(throws: AMQPError.blocked) {
                        try await connection.publishConfirmed(AMQPMessage(), exchange: "", routingKey: "q", timeout: .seconds(30))
                    }
                    #expect(connection.isConnected)
                    // and when it has recovered, all is as before
                    proxy.change { $0.injected = [[1, 0, 0, 0, 0, 0, 4, 0, 10, 0, 61, 0xCE]] }
                    try await eventually { !connection.isBlocked }
                    try await connection.publishConfirmed(AMQPMessage(), exchange: "", routingKey: "q", timeout: .seconds(5))
                }
            }
        }
    }

    @Test func `confirms settle what they name, one or many at a time`() async throws {
        try await Scene.run { scene in
            try await scene.withProxy { proxy, configuration in
                try await scene.connect(topology("q"), configuration) { connection in
                    // given ten messages that have arrived, while the broker's own confirms are kept from us
                    proxy.change { $0.readsBroker = false }
                    let publishes = (0..<10).map { _ in
                        Task { try await connection.publishConfirmed(AMQPMessage(), exchange: "", routingKey: "q", timeout: .seconds(2)) }
                    }
                    try await scene.connect { other in
                        try await eventually { try await other.status(ofQueue: "q").messageCount == 10 }
                    }
                    // when confirms come out of order: 3 accepted, up to 5 refused, 7 refused, up to 9 accepted; 10 is left
                    func frame(_ method: UInt8, tag: UInt8, multiple: UInt8) -> [UInt8] {
                        [1, 0, 3, 0, 0, 0, 13, 0, 60, 0, method] + [0, 0, 0, 0, 0, 0, 0, tag, multiple, 0xCE]
                    }
                    proxy.change {
                        $0.injected = [
                            frame(80, tag: 3, multiple: 0), frame(120, tag: 5, multiple: 1), frame(120, tag: 7, multiple: 0),
                            frame(80, tag: 9, multiple: 1),
                        ]
                    }
                    // then 3, 6, 8 and 9 have arrived, 1, 2, 4, 5 and 7 are refused, and of 10 nothing is known
                    var outcomes: [String: Int] = [:]
                    for publish in publishes {
                        do {
                            try await publish.value
                            outcomes["accepted", default: 0] += 1
                        } catch let error as AMQPError {
                            outcomes[error.shortDescription, default: 0] += 1
                        }
                    }
                    #expect(outcomes == ["accepted": 4, "rejected": 5, "timed_out": 1])
                }
            }
        }
    }

    @Test(arguments: [true, false])
    func `a broker that reads nothing fills a bounded buffer and does not hold up the end`(countsBytes: Bool) async throws {
        try await Scene.run { scene in
            try await scene.withProxy { proxy, original in
                var configuration = original
                // Either bound alone does it.
                configuration.maximumPendingBytes = countsBytes ? 1_000_000 : .max
                configuration.maximumPendingPublishes = countsBytes ? .max : 50
                configuration.heartbeat = .seconds(30)
                let connection = AMQPConnection(configuration, topology: topology("q"), logger: quiet)
                let run = Task { try await connection.run() }
                try await connection.waitUntilConnected(timeout: .seconds(10))
                // given a message that, alone, may be longer than the bound, and a peer that stops reading
                let long = AMQPMessage(body: [UInt8](repeating: 0, count: 2_000_000))
                try await connection.publishConfirmed(long, exchange: "", routingKey: "q", timeout: .seconds(10))
                proxy.change { $0.readsClient = false }
                // when long messages pile up, then publishing fails at once instead of waiting
                let body = [UInt8](repeating: 0, count: 200_000)
                try await eventually {
                    do throws(AMQPError) {
                        for _ in 0..<50 { try connection.publish(AMQPMessage(body: body), exchange: "", routingKey: "q") }
                        return false
                    } catch {
                        return error == .bufferFull
                    }
                }
                // and the end comes long before the heartbeat would bring it
                let start = ContinuousClock.now
                run.cancel()
                try await run.value
                #expect(start.duration(to: .now) < .seconds(5))
                #expect(throws: AMQPError.closed) { try connection.publish(AMQPMessage(), exchange: "", routingKey: "q") }
            }
        }
    }

    @Test func `cancelling run ends consumers, waiters and the thread long before they would end by themselves`() async throws {
        try await Scene.run { scene in
            var configuration = scene.configuration
            configuration.connectionName = String(scene.name.suffix(9))
            let thread = "amqp \(configuration.connectionName)"
            let connection = AMQPConnection(configuration, topology: topology("q"), logger: quiet)
            #expect(threads(named: thread) == 0)
            let run = Task { try await connection.run() }
            try await connection.waitUntilConnected(timeout: .seconds(10))
            #expect(threads(named: thread) == 1)
            let consumer = connection.consume("other", prefetch: 1)
            let iteration = Task { await consumer.nextBatch(upTo: 1).count }
            let requester = AMQPRequester(connection: connection, exchange: "", routingKey: "q")
            let request = Task { try await requester.request([], timeout: .seconds(60)) }
            let states = Task { await connection.states.reduce(into: []) { $0.append($1) } }
            try await eventually { try await connection.status(ofQueue: "q").messageCount == 1 }
            // given a last message, queued just before the end
            try connection.publish(AMQPMessage(), exchange: "", routingKey: "q")
            // when
            let start = ContinuousClock.now
            run.cancel()
            try await run.value
            // then
            #expect(start.duration(to: .now) < .seconds(5))
            #expect(await iteration.value == 0)
            await #expect(throws: AMQPError.closed) { try await request.value }
            #expect(await states.value == [.connected(generation: 1), .disconnected])
            await #expect(throws: AMQPError.closed) { try await connection.waitUntilConnected(timeout: .seconds(1)) }
            await #expect(throws: AMQPError.closed) { try await connection.run() }
            #expect(await connection.consume("q", prefetch: 1).nextBatch(upTo: 1).isEmpty)
            try await eventually("the thread ends", within: .seconds(5)) { threads(named: thread) == 0 }
            // and the last message was not lost
            let left = try await scene.connect { try await $0.status(ofQueue: "q").messageCount }
            #expect(left == 2)
        }
    }

    @Test func `run ends at once while the broker cannot be reached`() async throws {
        var configuration = try AMQPConfiguration(url: "amqp://127.0.0.1:1/")
        configuration.connectTimeout = .milliseconds(500)
        let connection = AMQPConnection(configuration, logger: quiet)
        let run = Task { try await connection.run() }
        await #expect(throws: AMQPError.timedOut) { try await connection.waitUntilConnected(timeout: .milliseconds(300)) }
        let start = ContinuousClock.now
        run.cancel()
        try await run.value
        #expect(start.duration(to: .now) < .seconds(1))
    }

    @Test func `the next in line takes over a single-active-consumer queue`() async throws {
        try await Scene.run { scene in
            let single = topology("q", arguments: ["x-single-active-consumer": true])
            try await scene.withProxy { proxy, throughProxy in
                try await scene.connect(single, throughProxy) { first in
                    let active = first.consume("q", prefetch: 5)
                    try await eventually { try await first.status(ofQueue: "q").consumerCount == 1 }
                    try await scene.connect(single) { second in
                        // given an active consumer with one delivery unacknowledged, and one waiting in line
                        let waiting = second.consume("q", prefetch: 5)
                        try await eventually { try await second.status(ofQueue: "q").consumerCount == 2 }
                        try second.publish(AMQPMessage(body: [1]), exchange: "", routingKey: "q")
                        #expect(try await active.takeOne().message.body == [1])
                        // when the active one's connection is cut and cannot come back
                        proxy.change { ($0.refuses, $0.cuts) = (true, true) }
                        let start = ContinuousClock.now
                        // then the other one takes over, from what was unacknowledged on
                        let delivery = try await waiting.takeOne()
                        #expect(delivery.message.body == [1])
                        #expect(delivery.redelivered)
                        #expect(start.duration(to: .now) < .seconds(5))
                        delivery.ack()
                        // and keeps the queue when the first is back, until it cancels
                        proxy.change { $0.refuses = false }
                        try await eventually { try await second.status(ofQueue: "q").consumerCount == 2 }
                        try second.publish(AMQPMessage(body: [2]), exchange: "", routingKey: "q")
                        try await waiting.takeOne().ack()
                        waiting.cancel()
                        try second.publish(AMQPMessage(body: [3]), exchange: "", routingKey: "q")
                        #expect(try await active.takeOne().message.body == [3])
                    }
                }
            }
        }
    }

    private func threads(named name: String) -> Int {
        let tasks = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/task")) ?? []
        return tasks.count { (try? String(contentsOfFile: "/proc/self/task/\($0)/comm", encoding: .utf8)) == name + "\n" }
    }
}
