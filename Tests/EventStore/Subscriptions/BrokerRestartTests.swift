import AMQP
import FoundationEssentials
import TestSupport
import Testing

@testable import EventStore

/// The broker itself goes away and comes back, with nothing of what it held in memory.
@Suite struct BrokerRestartTests {
    @Test func `every follower ends with exactly what the log has for it, whether the broker is stopped or killed`() async throws {
        try await PrivateBroker.with { broker in
            try await TestWorld.run(broker: false) { world in
                func connect(_ name: String, _ topology: AMQPTopology) async throws -> AMQPConnection {
                    var configuration = broker.amqp
                    configuration.connectionName = name
                    let connection = AMQPConnection(configuration, topology: topology, logger: quiet)
                    world.start { try await connection.run() }
                    try await connection.waitUntilConnected(timeout: .seconds(20))
                    return connection
                }
                // given a recorder, a client, and followers of one context and of all
                let topology = world.broker.topology
                let recorder = Recorder(
                    database: world.database, connection: try await connect("recorder", topology), broker: world.broker,
                    clock: systemClock, logger: quiet
                )
                world.start(recorder)
                let client = AppendClient(
                    connection: try await connect("client", topology), broker: world.broker, clock: systemClock, logger: quiet
                )
                world.start(client)
                let followers: [String: Set<String>?] = ["one": ["a"], "all": nil]
                for (name, contexts) in followers {
                    let queue = EventFeed.Queue(process: name, contexts: contexts, broker: world.broker)
                    let feed = EventFeed(connection: try await connect(name, queue.added(to: topology)), queue: queue, logger: quiet)
                    let target = try await RecordingTarget(name, contexts: contexts, world: world)
                    world.start(Subscription(target, feed: feed, reader: world.reader, logger: quiet))
                    world.start(feed)
                }
                // when appends go on while the broker is restarted, twice
                let acknowledged = Shared(0)
                let isOver = Shared(false)
                let load = world.start {
                    var index = 0
                    while !isOver.value, !Task.isCancelled {
                        index += 1
                        let request = AppendRequest.sample(
                            ["s\(index)": 0], type: index % 3 == 0 ? "b.X" : "a.X", deadline: systemClock() + 2_000_000
                        )
                        if case .accepted = try? await client.append(request) {
                            acknowledged.withLock { $0 += 1 }
                        } else {
                            // Without a broker it is refused at once, and whoever asks on without a pause keeps everybody else from running.
                            try await Task.sleep(for: .milliseconds(1))
                        }
                    }
                }
                for killing in [false, true] {
                    let before = acknowledged.value
                    try await eventually("appends go through", within: .seconds(30)) { acknowledged.value > before + 50 }
                    try await broker.restart(killing: killing)
                }
                let before = acknowledged.value
                try await eventually("appends go through again", within: .seconds(30)) { acknowledged.value > before + 50 }
                isOver.withLock { $0 = true }
                try await load.end()
                // then
                let events = try await world.expectSoundLog()
                #expect(events.count >= acknowledged.value)
                for (name, contexts) in followers {
                    try await eventually("\(name) has considered everything", within: .seconds(20)) {
                        try await RecordingTarget.position(world, name) == Int64(events.count)
                    }
                    let wanted = events.filter { contexts?.contains($0.context) ?? true }.map(\.position.rawValue)
                    #expect(try await RecordingTarget.applied(world, name) == wanted)
                }
            }
        }
    }
}
