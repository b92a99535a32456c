import AMQP
import Domain
import FoundationEssentials
import Testing

@testable import EventStore

@Suite struct CommandExecutorTests {
    @Test func `a decision is recorded, with who and why beside it`() async throws {
        try await TestWorld.run { world in
            // given
            try await world.startRecorder()
            let executor = world.executor(try await world.startClient())
            let command = CommandEnvelope.sample()
            // when
            let execution = try await executor.execute(command) { loader in
                try await Seats.book(1, in: .room, loader) + [EventosDoFluxo(.other, [Seats.booking(2)]), EventosDoFluxo(.rules, [])]
            }
            // then
            #expect(execution.events == [Seats.booking(1), Seats.booking(2)])
            #expect(execution.position == Position(2))
            #expect(!execution.repeated)
            let events = try await world.expectSoundLog()
            #expect(events.map(\.stream) == ["room", "other"])
            #expect(events.allSatisfy { $0.commandID == command.commandID })
            #expect(try events.map(CodecDeEventos.padrao.decode) == execution.events)
            let metadata = try JSONDecoder().decode(EventMetadata.self, from: Data(events[0].metadata))
            #expect(metadata == command.metadata)
        }
    }

    @Test func `nothing to record is no append`() async throws {
        try await TestWorld.run { world in
            try await world.record([.sample(events: 3)])
            let executor = world.executor(try await world.startClient())
            let execution = try await executor.execute(.sample()) { _ in [EventosDoFluxo(.room, [])] }
            #expect(execution.events.isEmpty)
            #expect(execution.position == Position(3))
        }
    }

    @Test func `a refusal is passed on and records nothing`() async throws {
        try await TestWorld.run(broker: false) { world in
            let connection = AMQPConnection(try TestServers.amqp(), logger: quiet)
            let client = AppendClient(connection: connection, broker: world.broker, clock: systemClock, logger: quiet)
            await #expect(throws: Seats.Taken()) { try await world.executor(client).execute(.sample()) { _ in throw Seats.Taken() } }
        }
    }

    struct Disturbance: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let stream: NomeDeFluxo
    }

    @Test(arguments: [
        Disturbance(testDescription: "the stream written", stream: .room),
        Disturbance(testDescription: "a stream that is only read", stream: .rules),
    ])
    func `what moves between load and append makes it decide again, on what is there now`(_ disturbance: Disturbance) async throws {
        try await TestWorld.run { world in
            // given
            try await world.startRecorder()
            let client = try await world.startClient()
            let executor = world.executor(client)
            let seen = Shared<[[Int]]>([])
            // when another command gets in between the first time
            let execution = try await executor.execute(.sample()) { loader in
                let streams = try await loader.load([.room, .rules])
                let first = seen.withLock { seen in
                    seen.append([streams[.room]?.count ?? 0, streams[.rules]?.count ?? 0])
                    return seen.count == 1
                }
                if first {
                    _ = try await executor.execute(.sample()) { _ in [EventosDoFluxo(disturbance.stream, [Seats.booking(9)])] }
                }
                return [EventosDoFluxo(.room, [Seats.booking(1)])]
            }
            // then
            #expect(seen.value == [[0, 0], disturbance.stream == .room ? [1, 0] : [0, 1]])
            #expect(execution.events == [Seats.booking(1)])
            #expect(execution.position == Position(2))
            #expect(try await world.expectSoundLog().map(\.stream) == [disturbance.stream.texto, "room"])
        }
    }

    @Test func `a stream loaded twice counts as it was first seen`() async throws {
        try await TestWorld.run { world in
            try await world.startRecorder()
            let executor = world.executor(try await world.startClient())
            let tries = Shared(0)
            _ = try await executor.execute(.sample()) { loader in
                _ = try await loader.load(.rules)
                if tries.withLock({
                    $0 += 1; return $0
                }) == 1 {
                    _ = try await executor.execute(.sample()) { _ in [EventosDoFluxo(.rules, [Seats.booking(9)])] }
                }
                _ = try await loader.load(.rules)
                return [EventosDoFluxo(.room, [Seats.booking(1)])]
            }
            #expect(tries.value == 2)
        }
    }

    @Test func `writing to a stream that was not loaded means that it is new`() async throws {
        try await TestWorld.run { world in
            try await world.startRecorder()
            let executor = world.executor(try await world.startClient())
            _ = try await executor.execute(.sample()) { _ in [EventosDoFluxo(.room, [Seats.booking(1)])] }
            await #expect(throws: CommandError.contended) {
                try await executor.execute(.sample()) { _ in [EventosDoFluxo(.room, [Seats.booking(2)])] }
            }
            #expect(try await world.expectSoundLog().count == 1)
        }
    }

    @Test func `fifty at once for one seat: exactly one gets it`() async throws {
        try await TestWorld.run { world in
            // given three replicas of a service
            try await world.startRecorder()
            var executors: [CommandExecutor] = []
            for replica in 0..<3 { executors.append(world.executor(try await world.startClient("replica\(replica)"))) }
            let replicas = executors
            // when
            let outcomes = try await withThrowingTaskGroup(of: Bool.self) { group in
                for number in 0..<50 as Range<UInt64> {
                    group.addTask {
                        do {
                            _ = try await replicas[Int(number) % 3].execute(.sample()) { try await Seats.book(number, in: .room, $0) }
                            return true
                        } catch is Seats.Taken {
                            return false
                        }
                    }
                }
                return try await group.reduce(into: []) { $0.append($1) }
            }
            // then
            #expect(outcomes.filter(\.self).count == 1)
            #expect(outcomes.count == 50)
            #expect(try await world.expectSoundLog().count == 1)
        }
    }

    @Test func `twenty at once for seven seats: never more`() async throws {
        try await TestWorld.run { world in
            try await world.startRecorder()
            let executor = world.executor(try await world.startClient())
            let booked = try await withThrowingTaskGroup(of: Bool.self) { group in
                for number in 0..<20 as Range<UInt64> {
                    group.addTask {
                        do {
                            _ = try await executor.execute(.sample()) { try await Seats.book(number, in: .room, seats: 7, $0) }
                            return true
                        } catch is Seats.Taken {
                            return false
                        }
                    }
                }
                return try await group.reduce(0) { $0 + ($1 ? 1 : 0) }
            }
            #expect(booked == 7)
            #expect(try await world.expectSoundLog().count == 7)
        }
    }

    @Test func `a repeat gives the first time's events and decides nothing`() async throws {
        try await TestWorld.run { world in
            // given
            try await world.startRecorder()
            let executor = world.executor(try await world.startClient())
            let command = CommandEnvelope.sample(fingerprint: [1], mayRepeat: true)
            let first = try await executor.execute(command) { _ in [EventosDoFluxo(.room, [Seats.booking(1), Seats.booking(2)])] }
            // when
            let second = try await executor.execute(command) { _ in
                Issue.record("a repeat must not decide")
                return []
            }
            // then
            #expect(second.events == first.events)
            #expect(second.position == first.position)
            #expect(second.repeated)
            // and another body under the same key is refused, whether it is known to be a repeat or not
            for mayRepeat in [true, false] {
                await #expect(throws: CommandError.keyReused) {
                    try await executor.execute(.sample(command.commandID, fingerprint: [2], mayRepeat: mayRepeat)) { loader in
                        try await Seats.book(3, in: .other, loader)
                    }
                }
            }
            #expect(try await world.expectSoundLog().count == 2)
        }
    }

    @Test func `a repeat that is refused because the first try took the seat is told of the first try`() async throws {
        try await TestWorld.run { world in
            // given a command that is given twice at once, so that neither finds the other in the log at first
            try await world.startRecorder()
            let executor = world.executor(try await world.startClient())
            let command = CommandEnvelope.sample(mayRepeat: true)
            // when the other one is recorded before this one decides
            let told = try await executor.execute(command) { loader in
                if try await world.reader.head() == .start {
                    _ = try await executor.execute(command) { try await Seats.book(1, in: .room, $0) }
                }
                return try await Seats.book(2, in: .room, loader)
            }
            // then
            #expect(told.repeated)
            #expect(told.events == [Seats.booking(1)])
            #expect(try await world.expectSoundLog().count == 1)
            // and somebody else's command is refused
            await #expect(throws: Seats.Taken.self) {
                try await executor.execute(.sample(mayRepeat: true)) { try await Seats.book(3, in: .room, $0) }
            }
        }
    }

    @Test func `the same command at once at several replicas: all are told of the events that were recorded`() async throws {
        try await TestWorld.run { world in
            // given
            try await world.startRecorder()
            let replicas = [
                world.executor(try await world.startClient("one")), world.executor(try await world.startClient("two")),
            ]
            let id = UUID()
            // when each makes up an id of its own, as deciders' callers do
            let told = try await withThrowingTaskGroup(of: [EventoDoDominio].self) { group in
                for number in 0..<10 as Range<UInt64> {
                    group.addTask {
                        try await replicas[Int(number) % 2].execute(.sample(id, mayRepeat: true)) { loader in
                            _ = try await loader.load(.room)
                            return [EventosDoFluxo(.room, [Seats.booking(number)])]
                        }.events
                    }
                }
                return try await group.reduce(into: []) { $0.append($1) }
            }
            // then
            let recorded = try await world.expectSoundLog().map(CodecDeEventos.padrao.decode)
            #expect(recorded.count == 1)
            #expect(told.count == 10)
            #expect(told.allSatisfy { $0 == recorded })
        }
    }

    /// A stand-in for a recorder whose first answer is lost after its commit.
    private func startForgetfulRecorder(_ world: TestWorld) async throws {
        let connection = try await world.connect("forgetful")
        world.start {
            var messages = 0
            for await delivery in connection.consume(world.broker.appendQueue, prefetch: 1) {
                let written = try await world.record(try AppendWire.decodeRequests(delivery.message.body))
                delivery.ack()
                messages += 1
                guard messages > 1 else { continue }
                var reply = AMQPMessage(body: AppendWire.encode(written.outcomes))
                reply.correlationID = delivery.message.correlationID
                try connection.publish(reply, exchange: "", routingKey: delivery.message.replyTo ?? "")
            }
        }
    }

    @Test(arguments: [false, true])
    func `an answer that got lost is asked for again; the command takes effect once`(_ mayRepeat: Bool) async throws {
        try await TestWorld.run { world in
            // given
            try await startForgetfulRecorder(world)
            let executor = world.executor(try await world.startClient())
            // when
            let execution = try await executor.execute(.sample(mayRepeat: mayRepeat)) { try await Seats.book(1, in: .room, $0) }
            // then a command that nobody else gives is not called a repeat
            #expect(execution.events == [Seats.booking(1)])
            #expect(execution.position == Position(1))
            #expect(execution.repeated == mayRepeat)
            #expect(try await world.expectSoundLog().count == 1)
        }
    }

    @Test func `without a broker the command is unavailable, past a deadline its outcome unknown`() async throws {
        try await TestWorld.run { world in
            let client = try await world.startClient()
            let executor = world.executor(client)
            await #expect(throws: CommandError.outcomeUnknown) {
                try await executor.execute(.sample(seconds: 1)) { try await Seats.book(1, in: .room, $0) }
            }
            await #expect(throws: CommandError.unavailable) {
                try await executor.execute(.sample(seconds: -1)) { try await Seats.book(1, in: .room, $0) }
            }
        }
    }

    @Test func `a decision that names a stream twice is a mistake that stops nobody`() async throws {
        try await TestWorld.run { world in
            try await world.startRecorder()
            let executor = world.executor(try await world.startClient())
            await #expect(throws: MalformedDecision()) {
                try await executor.execute(.sample()) { _ in
                    [EventosDoFluxo(.room, [Seats.booking(1)]), EventosDoFluxo(.room, [Seats.booking(2)])]
                }
            }
            _ = try await executor.execute(.sample()) { try await Seats.book(1, in: .room, $0) }
            #expect(try await world.expectSoundLog().count == 1)
        }
    }
}
