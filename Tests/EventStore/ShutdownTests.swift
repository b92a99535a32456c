import AMQP
import FoundationEssentials
import Postgres
import ServiceLifecycle
import TestSupport
import Testing

@testable import EventStore

/// ECS kills after thirty seconds, and Ctrl-C is granted ten for everything: each service ends within one, who waits for a recorder
/// that is gone within three.
@Suite struct ShutdownTests {
    @Test func `recorder and append client end at once, idle or in the middle of work`() async throws {
        try await TestWorld.run { world in
            // given appends that come as fast as they can
            let recorder = Recorder(
                database: world.database,
                connection: try await world.connect("recorder"),
                broker: world.broker,
                clock: systemClock,
                logger: quiet
            )
            let client = AppendClient(
                connection: try await world.connect("client"), broker: world.broker, clock: systemClock, logger: quiet)
            let acknowledged = Shared(0)
            let load = world.start {
                await withTaskGroup { group in
                    for index in 0..<20 {
                        group.addTask {
                            for version in 0..<10_000 as Range<Int32> {
                                let request = AppendRequest.sample(["s\(index)": version], deadline: systemClock() + 5_000_000)
                                guard case .accepted = try? await client.append(request) else { return }
                                acknowledged.withLock { $0 += 1 }
                            }
                        }
                    }
                }
            }
            // when
            let took = try await shutdownTime(of: [recorder, client]) {
                try await eventually("appends go through") { acknowledged.value > 50 }
            }
            // then
            #expect(took < .seconds(1))
            try await ending("callers are told") { try await load.end() }
            #expect(try await world.expectSoundLog().count >= acknowledged.value)
        }
    }

    @Test func `a recorder without work and a client without a recorder end at once`() async throws {
        try await TestWorld.run { world in
            let connection = try await world.connect()
            let standby = Recorder(
                database: world.database, connection: connection, broker: world.broker, clock: systemClock, logger: quiet
            )
            let idle = try await shutdownTime(of: [standby]) {
                // RabbitMQ 3.10 breaks the connection of who cancels a consumer before it has confirmed it.
                try await eventually("it stands in line") {
                    try await connection.status(ofQueue: world.broker.appendQueue).consumerCount == 1
                }
            }
            #expect(idle < .seconds(1))
            let client = AppendClient(connection: connection, broker: world.broker, clock: systemClock, logger: quiet)
            let waiting = Shared<Task<AppendOutcome, any Error>?>(nil)
            let took = try await shutdownTime(of: [client]) {
                waiting.withLock { $0 = Task { try await client.append(.sample(deadline: systemClock() + 60_000_000)) } }
                try await eventually("the request waits at the broker") {
                    try await connection.status(ofQueue: world.broker.appendQueue).messageCount == 1
                }
            }
            #expect(took < .seconds(1))
            await #expect(throws: AppendError.outcomeUnknown) { try await waiting.value?.value }
        }
    }

    @Test func `a recorder whose database does not answer ends at once`() async throws {
        try await TestWorld.run { world in
            var nowhere = world.database
            nowhere.database = "does_not_exist"
            let recorder = Recorder(
                database: nowhere,
                connection: try await world.connect("recorder"),
                broker: world.broker,
                clock: systemClock,
                logger: quiet
            )
            let connection = try await world.connect()
            let client = AppendClient(connection: connection, broker: world.broker, clock: systemClock, logger: quiet)
            let carrying = world.start(client)
            world.start { _ = try await client.append(.sample(deadline: systemClock() + 60_000_000)) }
            let took = try await shutdownTime(of: [recorder]) {
                try await eventually("the recorder has the request") {
                    let status = try await connection.status(ofQueue: world.broker.appendQueue)
                    return status.consumerCount == 1 && status.messageCount == 0
                }
            }
            await carrying.stop()
            #expect(took < .seconds(1))
        }
    }

    @Test func `a due command that no recorder answers holds up the end for three seconds, and is free for others at once`() async throws {
        try await TestWorld.run { world in
            // given
            try await world.admin.run { connection in
                try connection.execute(
                    "insert into subs.timers (command_id, kind, aggregate, due, cause) values ($1, 'x', 'a', now() - interval '1 day', $1)",
                    UUID()
                )
            }
            let connection = try await world.connect()
            let client = AppendClient(connection: connection, broker: world.broker, clock: systemClock, logger: quiet)
            let command: TimerRunner.Handler = { _ in
                do {
                    _ = try await client.append(.sample(deadline: systemClock() + 60_000_000))
                } catch AppendError.outcomeUnknown {
                    throw CommandError.outcomeUnknown
                }
            }
            let timers = TimerRunner(pool: world.pool(.service), handlers: ["x": command], clock: systemClock, logger: quiet)
            // when
            let took = try await shutdownTime(of: [client, timers]) {
                try await eventually("the request waits at the broker") {
                    try await connection.status(ofQueue: world.broker.appendQueue).messageCount == 1
                }
            }
            // then
            #expect(took < .seconds(6))
            #expect(try await world.number("select count(*) from subs.timers where claimed_until is null and attempts = 0") == 1)
        }
    }

    @Test func `feed, subscriptions and timers end at once, the standby too`() async throws {
        try await TestWorld.run { world in
            // given
            try await world.record([.sample(events: 5)])
            let queue = EventFeed.Queue(process: "p", contexts: nil, broker: world.broker)
            let feed = EventFeed(
                connection: try await world.connect("feed", topology: queue.added(to: world.broker.topology)),
                queue: queue,
                logger: quiet
            )
            let services: [any Service] = [
                feed,
                Subscription(try await RecordingTarget(world: world), feed: feed, reader: world.reader, logger: quiet),
                Subscription(try await RecordingTarget(world: world), feed: feed, reader: world.reader, logger: quiet),
                TimerRunner(pool: world.pool(.service), handlers: ["x": { _ in }], clock: systemClock, logger: quiet),
            ]
            // when
            let took = try await shutdownTime(of: services) {
                try await eventually("they follow") { try await RecordingTarget.position(world) == 5 }
            }
            // then
            #expect(took < .seconds(1))
        }
    }
}
