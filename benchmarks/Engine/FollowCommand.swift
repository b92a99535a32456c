import AMQP
import ArgumentParser
import Domain
import EventStore
import Foundation
import Postgres
import Projections

/// A live read model: how many events a second it keeps up with, and how long after its acknowledgement an event can be seen in it.
struct FollowCommand: AsyncParsableCommand {
    enum Mode: String, ExpressibleByArgument, CaseIterable {
        /// From the first event of the log that is there.
        case catchUp = "catch-up"
        /// While bookings are appended as fast as they go.
        case live
        /// While a thousand events a second are appended one by one.
        case latency
    }

    static let configuration = CommandConfiguration(commandName: "follow", abstract: "Measure a live read model.")

    @Argument(help: "catch-up, live or latency.") var mode: Mode
    @Option(help: "The read model.") var model = "reservas"
    @Option(help: "Events appended in live mode.") var events: Int64 = 300_000
    @Option(help: "Seconds measured in latency mode.") var seconds = 10

    func run() async throws {
        let servers = try Servers()
        if mode == .catchUp {
            let connection = try await PostgresConnection.connect(servers.log, logger: Servers.logger)
            try await connection.execute("delete from read.checkpoints where name = $1", model)
            await connection.close()
        } else {
            try await PrepareCommand.prepare(servers)
        }
        let recorder = try Child(["recorder"])
        defer { recorder.stop() }
        if mode != .catchUp { _ = try Child(["client", "--in-flight", "1", "--seconds", "1", "--batch", "1"]).finish() }
        let watch = try await Watch(servers, model: model)
        let projector = try Child(["projector", model])
        defer { projector.stop() }
        switch mode {
        case .catchUp: try await catchUp(watch)
        case .live: try await live(watch)
        case .latency: try await latency(watch)
        }
        print("projector peak MiB \(projector.memory("VmHWM").rounded(to: 1))")
        await watch.close()
    }

    private func catchUp(_ watch: Watch) async throws {
        let head = try await watch.head()
        let started = ContinuousClock.now
        try await watch.reached(head)
        let seconds = (ContinuousClock.now - started) / .seconds(1)
        report("follow catch-up \(model)", ["events": "\(head)", "events_s": (Double(head) / seconds).rounded(to: 0)])
    }

    private func live(_ watch: Watch) async throws {
        try await watch.reached(try await watch.head())
        let before = try await watch.head()
        let started = ContinuousClock.now
        _ = try Child(["generate", "--keep", "--alone", "--events", "\(events)"]).finish()
        let appended = try await watch.head() - before
        let appending = (ContinuousClock.now - started) / .seconds(1)
        try await watch.reached(before + appended)
        let following = (ContinuousClock.now - started) / .seconds(1)
        report(
            "follow live \(model)",
            [
                "events": "\(appended)", "appended_s": (Double(appended) / appending).rounded(to: 0),
                "followed_s": (Double(appended) / following).rounded(to: 0), "behind_at_the_end_s": (following - appending).rounded(to: 2),
            ]
        )
    }

    private func latency(_ watch: Watch) async throws {
        try await watch.reached(try await watch.head())
        let appender = try await Appender("latency")
        let ticks = Int64(seconds * 1000)
        let started = ContinuousClock.now
        let lags = try await withThrowingTaskGroup(of: Lag?.self) { group in
            let seen = Timeline()
            group.addTask {
                try await watch.record(into: seen, until: started + .milliseconds(ticks + 1000))
                return nil
            }
            var generator = SplitMix64()
            for tick in 0..<ticks {
                try await Task.sleep(until: started + .milliseconds(tick), clock: .continuous)
                let request = Samples.request(events: 1, using: &generator)
                group.addTask {
                    let asked = ContinuousClock.now
                    guard let position = await appender.position(request) else { return nil }
                    let acknowledged = ContinuousClock.now
                    return try await seen.time(of: position).map {
                        Lag(asking: ($0 - asked) / .milliseconds(1), acknowledgement: max(0, ($0 - acknowledged) / .milliseconds(1)))
                    } ?? .never
                }
            }
            return try await group.reduce(into: [Lag]()) { if let lag = $1 { $0.append(lag) } }
        }
        await appender.stop()
        for (name, lags) in [("asked", Latencies(lags.map(\.asking))), ("acknowledged", Latencies(lags.map(\.acknowledgement)))] {
            report(
                "\(name) to visible \(model), 1000 events/s",
                [
                    "acknowledged": "\(lags.milliseconds.count) of \(ticks)", "p50_ms": lags.percentile(0.5).rounded(to: 2),
                    "p99_ms": lags.percentile(0.99).rounded(to: 2),
                ]
            )
        }
    }

    /// Until an event is visible, in milliseconds; its commit lies between the two.
    private struct Lag {
        let asking: Double
        let acknowledgement: Double

        /// As long as anybody waits: `Timeline.time(of:)`.
        static let never = Lag(asking: 3000, acknowledgement: 3000)
    }
}

/// When a read model was first seen at or past a position.
actor Timeline {
    private var steps: [(position: Int64, time: ContinuousClock.Instant)] = []

    func add(_ position: Int64, _ time: ContinuousClock.Instant) {
        if position > steps.last?.position ?? -1 { steps.append((position, time)) }
    }

    /// Waits for it, three seconds at most.
    func time(of position: Int64) async throws -> ContinuousClock.Instant? {
        let deadline = ContinuousClock.now + .seconds(3)
        while steps.last?.position ?? -1 < position, ContinuousClock.now < deadline {
            try await Task.sleep(for: .milliseconds(200))
        }
        return steps.first { $0.position >= position }?.time
    }
}

/// Looks at a read model's checkpoint.
struct Watch: Sendable {
    private let connection: PostgresConnection
    private let model: String

    init(_ servers: Servers, model: String) async throws {
        connection = try await PostgresConnection.connect(servers.log, logger: Servers.logger)
        self.model = model
    }

    func head() async throws -> Int64 {
        try await connection.query("select head from log.writer").first?.get(0, Int64.self) ?? 0
    }

    func position() async throws -> Int64 {
        try await connection.query("select position from read.checkpoints where name = $1", model).first?.get(0, Int64.self) ?? 0
    }

    func reached(_ head: Int64) async throws {
        while try await position() < head { try await Task.sleep(for: .milliseconds(5)) }
    }

    func record(into timeline: Timeline, until end: ContinuousClock.Instant) async throws {
        while ContinuousClock.now < end {
            await timeline.add(try await position(), .now)
            try await Task.sleep(for: .milliseconds(1))
        }
    }

    func close() async {
        await connection.close()
    }
}

/// A read model's keeper, alone in its process.
struct ProjectorCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(commandName: "projector", abstract: "Keep one read model.", shouldDisplay: false)

    @Argument var model: String

    func run() async throws {
        let servers = try Servers()
        guard let model = Projections.models.first(where: { $0.name == model }) else { throw ValidationError("no such read model") }
        let broker = BrokerTopology()
        let queue = EventFeed.Queue(process: "enginebench", contexts: nil, broker: broker)
        let connection = AMQPConnection(servers.amqp, topology: queue.added(to: broker.topology), logger: Servers.logger)
        let feed = EventFeed(connection: connection, queue: queue, logger: Servers.logger)
        let pool = PostgresPool(Projections.configuration(servers.log), maximumConnections: 2, logger: Servers.logger)
        let reader = LogReader(pool: pool)
        let target = ProjectionTarget(model, decoded: reader.decoded, opener: NoSeals(), pool: pool, logger: Servers.logger)
        let subscription = Subscription(target, feed: feed, reader: reader, logger: Servers.logger)
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await connection.run() }
            group.addTask { try await feed.run() }
            group.addTask { try await subscription.run() }
            try await group.waitForAll()
        }
    }
}
