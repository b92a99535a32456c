import AMQP
import FoundationEssentials
import Postgres
import TestSupport
import Testing

@testable import EventStore

@Suite struct RecorderTests {
    private static func deadline(_ seconds: Int64 = 30) -> Int64 { systemClock() + seconds * 1_000_000 }

    /// Appends one event after another to a stream of its own, waiting for each; what fails is asked again with the same id.
    /// - Returns: the ids acknowledged, with their positions.
    private static func appendOneByOne(_ count: Int32, to stream: String, with client: AppendClient) async throws -> [UUID: Position] {
        var acknowledged: [UUID: Position] = [:]
        for version in 0..<count {
            let id = UUID()
            let giveUp = ContinuousClock.now + .seconds(30)
            while acknowledged[id] == nil {
                guard ContinuousClock.now < giveUp else { throw NeverHappened("an append was never acknowledged") }
                do {
                    let outcome = try await client.append(.sample([stream: version], id: id, deadline: deadline()))
                    switch outcome {
                    case .accepted(let first, _), .repeated(let first, _, true): acknowledged[id] = first
                    default: throw NeverHappened("an append of a stream's only writer was answered \(outcome)")
                    }
                } catch is AppendError {
                    try await Task.sleep(for: .milliseconds(50))
                }
            }
        }
        return acknowledged
    }

    private static func expect(_ acknowledged: [UUID: Position], in events: [RecordedEvent]) {
        let recorded = Dictionary(grouping: events, by: \.commandID)
        for (id, position) in acknowledged {
            #expect(recorded[id]?.map(\.position) == [position], "acknowledged is recorded, once, where it was said to be")
        }
    }

    @Test func `a full disk is said at once, and when there is room again appends go on`() async throws {
        try await TestWorld.run { world in
            // given
            try await world.startRecorder()
            let client = try await world.startClient()
            _ = try await client.append(.sample(["a": 0], deadline: Self.deadline()))
            try await world.admin.executeScript(
                """
                create function log.full() returns trigger language plpgsql as
                $$ begin raise exception 'could not extend file' using errcode = '53100'; end $$;
                create trigger full_disk before insert on log.commands for each statement execute function log.full();
                """
            )
            // when
            let request = AppendRequest.sample(["a": 1], deadline: Self.deadline(120))
            await #expect(throws: AppendError.unavailable) { try await client.append(request) }
            try await world.admin.executeScript("drop trigger full_disk on log.commands")
            let outcome = try await client.append(request)
            // then
            #expect(outcome == .accepted(first: Position(2), last: Position(2)))
            try await world.expectSoundLog()
        }
    }

    @Test func `on a full disk, a repeat of what was recorded before is told so, beside requests that find no room`() async throws {
        try await TestWorld.run { world in
            // given a request that was recorded, whose answer may have got lost
            try await world.startRecorder()
            let requester = AMQPRequester(
                connection: try await world.connect(), exchange: "", routingKey: world.broker.appendQueue)
            let recorded = AppendRequest.sample(["a": 0], deadline: Self.deadline())
            _ = try await requester.request(AppendWire.encode([recorded]), timeout: .seconds(10))
            try await world.admin.executeScript(
                """
                create function log.full() returns trigger language plpgsql as
                $$ begin raise exception 'could not extend file' using errcode = '53100'; end $$;
                create trigger full_disk before insert on log.events for each statement execute function log.full();
                """
            )
            // when
            let requests = [.sample(["b": 0], deadline: Self.deadline()), recorded, .sample(["b": 1], deadline: Self.deadline())]
            let reply = try await requester.request(AppendWire.encode(requests), timeout: .seconds(10))
            // then
            #expect(
                try AppendWire.decodeOutcomes(reply.body)
                    == [nil, .repeated(first: Position(1), last: Position(1), sameFingerprint: true), nil]
            )
            #expect(try await world.expectSoundLog().count == 1)
        }
    }

    @Test func `a recorder that cannot reach the log leaves the requests to another`() async throws {
        try await TestWorld.run { world in
            // given one whose way to the database is cut, and which the broker gives the requests to first
            var nowhere = world.database
            nowhere.host = "127.0.0.1"
            nowhere.port = 1
            try await world.startRecorder("lost", database: nowhere)
            let connection = try await world.connect()
            try await eventually("it is first in line") {
                try await connection.status(ofQueue: world.broker.appendQueue).consumerCount == 1
            }
            let client = try await world.startClient()
            async let outcome = client.append(.sample(["a": 0], deadline: Self.deadline()))
            // when
            try await world.startRecorder("standby")
            // then
            #expect(try await outcome == .accepted(first: Position(1), last: Position(1)))
            try await world.expectSoundLog()
        }
    }

    @Test func `sixty-four appenders at once, with conflicts: the log has no gap and everyone was told the truth`() async throws {
        try await TestWorld.run { world in
            // given
            try await world.startRecorder()
            let client = try await world.startClient()
            let reader = world.reader
            // when each appends to streams that others append to as well
            let accepted = try await withThrowingTaskGroup(of: [UUID: [Position]].self) { group in
                for seed in 0..<64 as Range<UInt64> {
                    group.addTask {
                        var generator = SeededGenerator(seed: seed)
                        var accepted: [UUID: [Position]] = [:]
                        var known: [String: Int32] = [:]
                        for _ in 0..<8 {
                            let stream = "s\(Int.random(in: 0..<16, using: &generator))"
                            let version = known[stream] ?? 0
                            let request = AppendRequest.sample([stream: version], events: 2, deadline: Self.deadline())
                            switch try await client.append(request) {
                            case .accepted(let first, let last):
                                accepted[request.commandID] = [first, last]
                                known[stream] = version + 2
                            case .conflict(let of, let actual):
                                #expect(of == stream)
                                #expect(actual.rawValue != version)
                                known[stream] = actual.rawValue
                            case let other:
                                Issue.record("\(other)")
                            }
                        }
                        return accepted
                    }
                }
                return try await group.reduce(into: [:]) { $0.merge($1) { one, _ in one } }
            }
            // then
            let events = try await world.expectSoundLog()
            #expect(events.count == accepted.count * 2)
            #expect(accepted.count >= 16)
            for (id, positions) in accepted {
                #expect(events.filter { $0.commandID == id }.map(\.position) == positions)
            }
            #expect(try await reader.head().rawValue == Int64(events.count))
        }
    }

    @Test func `a repeat, a conflict, a guard that moved, a deadline that passed, nonsense: each is answered`() async throws {
        try await TestWorld.run { world in
            // given
            try await world.startRecorder()
            let client = try await world.startClient()
            let request = AppendRequest.sample(["a": 0], fingerprint: [1], deadline: Self.deadline())
            var other = request
            other.fingerprint = [2]
            // then
            #expect(try await client.append(request) == .accepted(first: Position(1), last: Position(1)))
            #expect(try await client.append(request) == .repeated(first: Position(1), last: Position(1), sameFingerprint: true))
            #expect(try await client.append(other) == .repeated(first: Position(1), last: Position(1), sameFingerprint: false))
            #expect(
                try await client.append(.sample(["a": 0], deadline: Self.deadline())) == .conflict(stream: "a", actual: StreamVersion(1)))
            #expect(
                try await client.append(.sample(["b": 0], deadline: Self.deadline()).guarding("a", at: 0))
                    == .conflict(stream: "a", actual: StreamVersion(1))
            )
            #expect(try await client.append(.sample(["b": 0, "b": 0], deadline: Self.deadline())) == .malformed)
            #expect(try await client.append(.sample(["b": .max], deadline: Self.deadline())) == .malformed)
            #expect(try await client.append(.sample([String(repeating: "n", count: 3000): 0], deadline: Self.deadline())) == .malformed)
            await #expect(throws: AppendError.unavailable) { try await client.append(.sample(["c": 0], deadline: systemClock() - 1)) }
            #expect(try await world.expectSoundLog().count == 1)
        }
    }

    @Test func `a request that waited past its deadline is answered as expired`() async throws {
        try await TestWorld.run { world in
            // given a request of a client whose clock is slow
            let connection = try await world.connect()
            let requester = AMQPRequester(connection: connection, exchange: "", routingKey: world.broker.appendQueue)
            try await world.startRecorder()
            // when
            let late = AppendRequest.sample(["a": 0], deadline: systemClock() - 1)
            let good = AppendRequest.sample(["b": 0], deadline: Self.deadline())
            let reply = try await requester.request(AppendWire.encode([late, good]), timeout: .seconds(10))
            // then
            #expect(try AppendWire.decodeOutcomes(reply.body) == [.expired, .accepted(first: Position(1), last: Position(1))])
        }
    }

    @Test func `what comes while a batch is committed goes together in the next`() async throws {
        try await TestWorld.run { world in
            // given a recorder that takes requests at their word
            try await world.startRecorder()
            let connection = try await world.connect()
            let client = try await world.startClient()
            _ = try await client.append(.sample(["warm": 0], deadline: Self.deadline()))
            func send(_ stream: String) async throws {
                let body = AppendWire.encode([.sample([stream: 0], deadline: Self.deadline())])
                try await connection.publishConfirmed(
                    AMQPMessage(body: body), exchange: "", routingKey: world.broker.appendQueue, timeout: .seconds(5))
                try await eventually("the recorder has it") {
                    try await connection.status(ofQueue: world.broker.appendQueue).messageCount == 0
                }
            }
            // A message may have left the queue and not have been read yet when the row is let go: so the round is tried again.
            try await eventually("two messages go together") {
                let round = UUID().uuidString
                try await world.admin.executeScript("begin; select from log.writer for update")
                // when one is being committed, and two others come after one another
                try await send("\(round)-1")
                try await world.expectSomebodyWaitsForAdmin()
                try await send("\(round)-2")
                try await send("\(round)-3")
                try await world.admin.executeScript("commit")
                try await eventually("all are recorded") {
                    try await world.number("select count(*) from log.events where stream like '\(round)%'") == 3
                }
                // then
                return try await world.number("select count(distinct xmin::text) from log.events where stream like '\(round)%'") == 2
            }
            try await world.expectSoundLog()
        }
    }

    @Test func `a message that is no append request stops nobody`() async throws {
        try await TestWorld.run { world in
            let connection = try await world.connect()
            try await world.startRecorder()
            for body in [[], [1, 255, 255, 255, 255], Array("rubbish".utf8)] as [[UInt8]] {
                try await connection.publishConfirmed(
                    AMQPMessage(body: body), exchange: "", routingKey: world.broker.appendQueue, timeout: .seconds(5)
                )
            }
            let client = try await world.startClient()
            #expect(try await client.append(.sample(deadline: Self.deadline())) == .accepted(first: Position(1), last: Position(1)))
        }
    }

    @Test func `each commit is announced once, in order, with what came before`() async throws {
        try await TestWorld.run { world in
            // given a queue that hears everything
            var topology = world.broker.topology
            topology.queues.append(AMQPQueue(name: "heard", durable: false))
            topology.bindings.append(AMQPBinding(queue: "heard", exchange: world.broker.eventsExchange, routingKey: "#"))
            let connection = try await world.connect(topology: topology)
            let heard = connection.consume("heard", prefetch: 100)
            try await world.startRecorder()
            let client = try await world.startClient()
            // when
            try await withThrowingTaskGroup { group in
                for index in 0..<40 {
                    group.addTask {
                        _ = try await client.append(
                            .sample(["s\(index)": 0], type: index % 2 == 0 ? "reservas.A" : "usuarios.B", deadline: Self.deadline())
                        )
                    }
                }
                try await group.waitForAll()
            }
            // then
            let events = try await world.expectSoundLog()
            let batches = try await ending("every event is announced") {
                var batches: [EventBatch] = []
                while batches.last?.end != Position(40), let delivery = await heard.nextBatch(upTo: 1).first {
                    let batch = try #require(EventBatch(delivery.message))
                    #expect(delivery.routingKey == batch.routingKey)
                    batches.append(batch)
                    delivery.ack()
                }
                return batches
            }
            #expect(batches.flatMap(\.events) == events)
            #expect(batches.count < 40, "appends that come together are committed together")
            var last: [String: Position] = [:]
            for batch in batches {
                #expect(batch.previous == last)
                #expect(batch.elsewhere == .start)
                for event in batch.events { last[event.context] = event.position }
            }
            #expect(try await connection.status(ofQueue: "heard").messageCount == 0)
        }
    }

    @Test func `big requests travel in messages of a few megabytes and are all recorded`() async throws {
        try await TestWorld.run { world in
            try await world.startRecorder()
            let client = try await world.startClient()
            // when thirty requests of a megabyte come at once
            try await withThrowingTaskGroup { group in
                for index in 0..<30 {
                    group.addTask {
                        var request = AppendRequest.sample(["s\(index)": 0], deadline: Self.deadline())
                        request.streams[0].events[0].payload = [UInt8](repeating: UInt8(ascii: "7"), count: 1_000_000)
                        guard case .accepted = try await client.append(request) else {
                            Issue.record("not accepted")
                            return
                        }
                    }
                }
                try await group.waitForAll()
            }
            // then
            #expect(try await world.number("select count(*) from log.events") == 30)
            // and one that no message could carry is refused
            var huge = AppendRequest.sample(["huge": 0], deadline: Self.deadline())
            huge.streams[0].events[0].payload = [UInt8](repeating: 0, count: 4_000_001)
            #expect(try await client.append(huge) == .malformed)
        }
    }

    @Test func `the recorder's database connection is ended again and again: what was acknowledged is there once`() async throws {
        try await TestWorld.run { world in
            // given
            try await world.startRecorder()
            let client = try await world.startClient()
            let killings = Shared(0)
            let killer = world.start {
                while true {
                    let killed = try await world.admin.run { connection in
                        try connection.query(
                            """
                            select pg_terminate_backend(pid) from pg_stat_activity
                             where datname = current_database() and application_name = 'coworkflow recorder'
                            """
                        ).count
                    }
                    killings.withLock { $0 += killed }
                    try await Task.sleep(for: .milliseconds(100))
                }
            }
            // when eight append until three connections have been ended
            let acknowledged = try await withThrowingTaskGroup(of: [UUID: Position].self) { group in
                for index in 0..<8 {
                    group.addTask {
                        var acknowledged: [UUID: Position] = [:]
                        var round = 0
                        while killings.value < 3 || round == 0 {
                            acknowledged.merge(try await Self.appendOneByOne(5, to: "s\(index)-\(round)", with: client)) { one, _ in one }
                            round += 1
                        }
                        return acknowledged
                    }
                }
                return try await group.reduce(into: [:]) { $0.merge($1) { one, _ in one } }
            }
            await killer.stop()
            // then
            let events = try await world.expectSoundLog()
            #expect(events.count == acknowledged.count)
            Self.expect(acknowledged, in: events)
        }
    }

    @Test(arguments: ["recorder", "client"])
    func `a broker connection is cut in the middle: what was acknowledged is there once`(_ victim: String) async throws {
        try await TestWorld.run { world in
            // given
            try await world.startRecorder()
            let client = try await world.startClient()
            let cut = Shared(false)
            // when
            async let cutting: Void = {
                try await world.cut(connectionNamed: victim)
                cut.withLock { $0 = true }
            }()
            let acknowledged = try await withThrowingTaskGroup(of: [UUID: Position].self) { group in
                for index in 0..<4 {
                    group.addTask {
                        var acknowledged: [UUID: Position] = [:]
                        var round = 0
                        // until well after the cut
                        var roundsAfter = 0
                        while roundsAfter < 3 {
                            if cut.value { roundsAfter += 1 }
                            acknowledged.merge(try await Self.appendOneByOne(5, to: "s\(index)-\(round)", with: client)) { one, _ in one }
                            round += 1
                        }
                        return acknowledged
                    }
                }
                return try await group.reduce(into: [:]) { $0.merge($1) { one, _ in one } }
            }
            try await cutting
            // then
            let events = try await world.expectSoundLog()
            #expect(events.count == acknowledged.count)
            Self.expect(acknowledged, in: events)
        }
    }

    @Test func `of two recorders the standby takes over when the active one loses its broker`() async throws {
        try await TestWorld.run { world in
            // given
            try await world.startRecorder("active")
            let client = try await world.startClient()
            let early = try await Self.appendOneByOne(3, to: "early", with: client)
            try await world.startRecorder("standby")
            let epoch = try await world.number("select epoch from log.writer")
            // when
            try await world.cut(connectionNamed: "active")
            let start = ContinuousClock.now
            let late = try await Self.appendOneByOne(3, to: "late", with: client)
            // then
            #expect(.now - start < .seconds(5))
            #expect(try await world.number("select epoch from log.writer") > epoch)
            let events = try await world.expectSoundLog()
            #expect(events.count == 6)
            Self.expect(early, in: events)
            Self.expect(late, in: events)
        }
    }

    @Test func `a recorder that is fenced stands in line again, and what it held is not lost`() async throws {
        try await TestWorld.run { world in
            // given a recorder whose log is taken over without its noticing
            try await world.startRecorder()
            let client = try await world.startClient()
            let before = try await Self.appendOneByOne(2, to: "a", with: client)
            try await world.admin.executeScript("update log.writer set backend_pid = null")
            try await world.record([.sample(["other": 0])])
            // when
            let start = ContinuousClock.now
            let after = try await Self.appendOneByOne(2, to: "b", with: client)
            // then
            #expect(.now - start < .seconds(5))
            let events = try await world.expectSoundLog()
            #expect(events.map(\.stream) == ["a", "a", "other", "b", "b"])
            Self.expect(before, in: events)
            Self.expect(after, in: events)
        }
    }

    @Test func `a recorder that is stopped hands over to the standby at once`() async throws {
        try await TestWorld.run { world in
            // given
            let active = try await world.startRecorder("active")
            let client = try await world.startClient()
            _ = try await Self.appendOneByOne(1, to: "a", with: client)
            try await world.startRecorder("standby")
            // when
            await active.stop()
            // then
            let took = try await duration(of: { _ = try await Self.appendOneByOne(1, to: "b", with: client) })
            #expect(took < .seconds(2))
            #expect(try await world.expectSoundLog().count == 2)
        }
    }

    @Test func `a recorder that cannot reach its database keeps trying, and answers when it can`() async throws {
        try await TestWorld.run { world in
            // given a role that may not log in, with the password that a server may ask for
            let password = world.database.password.map { " password '\($0)'" } ?? ""
            try await world.admin.executeScript("create role \(world.name)_login nologin superuser\(password)")
            var database = world.database
            database.user = "\(world.name)_login"
            try await world.startRecorder(database: database)
            let client = try await world.startClient()
            // when
            async let outcome = client.append(.sample(deadline: Self.deadline()))
            try await world.admin.executeScript("select pg_sleep(0.5); alter role \(world.name)_login login")
            // then
            let answered = try await outcome
            #expect(answered == .accepted(first: Position(1), last: Position(1)))
            try await world.admin.executeScript("alter role \(world.name)_login rename to \(world.name)_gone")
            try await world.admin.executeScript("drop role \(world.name)_gone")
        }
    }

    @Test func `a recorder ends when its connection is closed for good`() async throws {
        try await TestWorld.run { world in
            // given
            let connection = AMQPConnection(try world.configuration(named: "short"), topology: world.broker.topology, logger: quiet)
            let running = world.start { try await connection.run() }
            try await connection.waitUntilConnected(timeout: .seconds(10))
            let recorder = Recorder(
                database: world.database, connection: connection, broker: world.broker, clock: systemClock, logger: quiet
            )
            let recording = world.start(recorder)
            // when
            await running.stop()
            // then
            try await ending("the recorder ends") { try await recording.end() }
        }
    }
}
