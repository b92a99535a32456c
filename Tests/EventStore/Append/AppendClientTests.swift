import AMQP
import FoundationEssentials
import TestSupport
import Testing

@testable import EventStore

@Suite struct AppendClientTests {
    private static func request(_ stream: String = "a", seconds: Int64 = 30) -> AppendRequest {
        .sample([stream: 0], deadline: systemClock() + seconds * 1_000_000)
    }

    @Test func `without a broker there is no waiting`() async throws {
        try await TestWorld.run(broker: false) { world in
            // given a port where nobody listens
            var configuration = try TestServers.amqp()
            configuration.port = 1
            let connection = AMQPConnection(configuration, topology: world.broker.topology, logger: quiet)
            world.start { try await connection.run() }
            let client = AppendClient(connection: connection, broker: world.broker, clock: systemClock, logger: quiet)
            world.start(client)
            // when
            let start = ContinuousClock.now
            await #expect(throws: AppendError.unavailable) { try await client.append(Self.request()) }
            // then
            #expect(.now - start < .milliseconds(500))
        }
    }

    @Test func `a full queue is said at once`() async throws {
        try await TestWorld.run(maximumWaiting: 1) { world in
            // given a queue that is full, and no recorder
            let client = try await world.startClient()
            let connection = try await world.connect()
            try await connection.publishConfirmed(
                AMQPMessage(body: [0]), exchange: "", routingKey: world.broker.appendQueue, timeout: .seconds(5)
            )
            // when
            let start = ContinuousClock.now
            await #expect(throws: AppendError.unavailable) { try await client.append(Self.request()) }
            // then
            #expect(.now - start < .milliseconds(500))
        }
    }

    @Test func `when too many wait already, that is said at once, and nobody is left waiting`() async throws {
        try await TestWorld.run { world in
            // given no recorder, and more requests than may wait
            let client = AppendClient(connection: try await world.connect(), broker: world.broker, clock: systemClock, logger: quiet)
            let carrying = world.start(client)
            let (asked, refused) = (2500, Shared(0))
            let all = Task {
                await withTaskGroup { group in
                    for number in 0..<asked {
                        group.addTask {
                            do throws(AppendError) {
                                _ = try await client.append(Self.request("s\(number)", seconds: 300))
                            } catch {
                                if error == .unavailable { refused.withLock { $0 += 1 } }
                            }
                        }
                    }
                }
            }
            // then those who found no place are told: 2,000 wait, and a message of 128 is on its way
            try await eventually("the others are refused") { refused.value >= asked - 2000 - 128 }
            #expect(refused.value <= asked - 2000)
            // and the others have an answer when the client ends
            await carrying.stop()
            await all.value
        }
    }

    @Test func `without a recorder the outcome is unknown once the deadline has passed`() async throws {
        try await TestWorld.run { world in
            // given
            let client = try await world.startClient()
            // when
            let start = ContinuousClock.now
            await #expect(throws: AppendError.outcomeUnknown) { try await client.append(Self.request(seconds: 1)) }
            // then
            #expect(.now - start < .seconds(4))
            // and a recorder that comes later does not record what nobody waits for any more
            try await world.startRecorder()
            let answered = try await client.append(Self.request("b"))
            #expect(answered == .accepted(first: Position(1), last: Position(1)))
            #expect(try await world.expectSoundLog().map(\.stream) == ["b"])
        }
    }

    @Test func `behind many others, too, one is told soon after the deadline`() async throws {
        try await TestWorld.run { world in
            // given no recorder, and more patient requests than five messages take
            let client = try await world.startClient()
            let asked = Shared(0)
            let others = Task {
                await withTaskGroup { group in
                    for _ in 0..<700 {
                        group.addTask {
                            asked.withLock { $0 += 1 }
                            _ = try? await client.append(Self.request(seconds: 20))
                        }
                    }
                }
            }
            try await eventually("the others are in the line") { asked.value == 700 }
            // when
            let start = ContinuousClock.now
            await #expect(throws: AppendError.unavailable) { try await client.append(Self.request(seconds: 1)) }
            // then
            #expect(.now - start < .seconds(5))
            others.cancel()
            await others.value
        }
    }

    @Test func `a recorder that comes within the deadline answers what waited`() async throws {
        try await TestWorld.run { world in
            let client = try await world.startClient()
            async let outcome = client.append(Self.request())
            let connection = try await world.connect()
            try await eventually("the request waits at the broker") {
                try await connection.status(ofQueue: world.broker.appendQueue).messageCount == 1
            }
            try await world.startRecorder()
            #expect(try await outcome == .accepted(first: Position(1), last: Position(1)))
        }
    }

    @Test func `a client that is stopped does not call unrecorded what it sent`() async throws {
        try await TestWorld.run { world in
            // given a request on its way, and no recorder
            let connection = try await world.connect()
            let client = AppendClient(connection: connection, broker: world.broker, clock: systemClock, logger: quiet)
            let running = world.start(client)
            let sent = Task { try await client.append(Self.request()) }
            try await eventually("the request is at the broker") {
                try await connection.status(ofQueue: world.broker.appendQueue).messageCount == 1
            }
            // when
            await running.stop()
            // then
            await #expect(throws: AppendError.outcomeUnknown) { try await sent.value }
            await #expect(throws: AppendError.unavailable) { try await client.append(Self.request()) }
        }
    }

    @Test func `cancelling the caller does not lose the outcome`() async throws {
        try await TestWorld.run { world in
            // given
            let client = try await world.startClient()
            let caller = Task { try await client.append(Self.request()) }
            // when
            caller.cancel()
            try await world.startRecorder()
            // then
            #expect(try await caller.value == .accepted(first: Position(1), last: Position(1)))
        }
    }

    /// A stand-in for the recorder that records nothing and says how large each message is, in requests and bytes.
    private func startStandIn(
        in world: TestWorld, thinkingFor pause: Duration = .milliseconds(30)
    ) async throws -> Shared<[(requests: Int, bytes: Int)]> {
        let connection = try await world.connect()
        let messages = Shared<[(requests: Int, bytes: Int)]>([])
        world.start {
            for await delivery in connection.consume(world.broker.appendQueue, prefetch: 10) {
                let requests = try AppendWire.decodeRequests(delivery.message.body)
                messages.withLock { $0.append((requests.count, delivery.message.body.count)) }
                try await Task.sleep(for: pause)
                let outcomes = requests.map { _ in AppendOutcome.expired }
                var reply = AMQPMessage(body: AppendWire.encode(outcomes))
                reply.correlationID = delivery.message.correlationID
                try connection.publish(reply, exchange: "", routingKey: delivery.message.replyTo ?? "")
                delivery.ack()
            }
        }
        return messages
    }

    @Test func `requests that come together travel together`() async throws {
        try await TestWorld.run { world in
            // given
            let messages = try await startStandIn(in: world)
            let client = try await world.startClient()
            // when
            await withTaskGroup { group in
                for _ in 0..<300 { group.addTask { _ = try? await client.append(Self.request()) } }
            }
            // then
            #expect(messages.value.reduce(0) { $0 + $1.requests } == 300)
            #expect(messages.value.count <= 12)
            #expect(messages.value.allSatisfy { $0.requests <= 128 })
        }
    }

    @Test func `who asks again as soon as they are answered travel together again`() async throws {
        try await TestWorld.run { world in
            // given
            let messages = try await startStandIn(in: world, thinkingFor: .milliseconds(5))
            let client = try await world.startClient()
            // when sixteen ask one thing after the other
            await withTaskGroup { group in
                for _ in 0..<16 {
                    group.addTask {
                        for _ in 0..<20 { _ = try? await client.append(Self.request()) }
                    }
                }
            }
            // then they do not fall into two halves that travel in turns, which would take 40 messages
            #expect(messages.value.reduce(0) { $0 + $1.requests } == 320)
            #expect(messages.value.count <= 30)
        }
    }

    @Test func `what travels together is bounded in bytes, and what is larger travels alone`() async throws {
        try await TestWorld.run { world in
            // given
            let messages = try await startStandIn(in: world)
            let client = try await world.startClient()
            // when
            await withTaskGroup { group in
                for kilobytes in [300, 300, 2000, 300, 300, 3900, 300, 300] {
                    group.addTask {
                        let payload = String(repeating: "x", count: kilobytes * 1000)
                        let append = StreamAppend(stream: "a", expected: .none, events: [.sample(payload: payload)])
                        _ = try? await client.append(
                            AppendRequest(
                                commandID: UUID(), fingerprint: [], deadline: systemClock() + 30_000_000, streams: [append]
                            )
                        )
                    }
                }
            }
            // then
            #expect(messages.value.reduce(0) { $0 + $1.requests } == 8)
            for message in messages.value where message.requests > 1 { #expect(message.bytes <= AppendClient.maximumBytesTogether) }
            #expect(messages.value.allSatisfy { $0.bytes <= AppendClient.maximumBytesPerMessage })
        }
    }

    @Test func `a reply that makes no sense is asked for again`() async throws {
        try await TestWorld.run { world in
            // given a stand-in that first answers rubbish, then with too few outcomes, then well
            let connection = try await world.connect()
            world.start {
                var answers = [[9, 9], AppendWire.encode([AppendOutcome]()), AppendWire.encode([AppendOutcome.malformed])]
                for await delivery in connection.consume(world.broker.appendQueue, prefetch: 1) where !answers.isEmpty {
                    var reply = AMQPMessage(body: answers.removeFirst())
                    reply.correlationID = delivery.message.correlationID
                    try connection.publish(reply, exchange: "", routingKey: delivery.message.replyTo ?? "")
                    delivery.ack()
                }
            }
            let client = try await world.startClient()
            // then
            #expect(try await client.append(Self.request()) == .malformed)
        }
    }
}
