import AMQP
import ArgumentParser
import EventStore
import Foundation
import Postgres
import ServiceLifecycle

/// Appends a second, and how long each takes from request to acknowledgement, through RabbitMQ and a recorder that is a process of its
/// own, from several client processes.
struct AppendCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(commandName: "append", abstract: "Measure appends through the broker.")

    @Option(help: "Client processes.") var clients = 4
    @Option(help: "Requests in flight, all clients together.") var inFlight = 64
    @Option(help: "Events a request, all in one new stream.") var batch = 1
    @Option(help: "Seconds measured, after one of warming up.") var seconds = 10
    @Flag(help: "Append to the log that is there.") var keep = false
    @Option(help: "What to call the result.") var name = "append"

    func run() async throws {
        let servers = try Servers()
        if !keep { try await PrepareCommand.prepare(servers) }
        let recorder = try Child(["recorder"])
        defer { recorder.stop() }
        _ = try Child(["client", "--in-flight", "1", "--seconds", "1", "--batch", "1"]).finish()
        // The queues are empty again and the recorder rests: what it then holds is what it takes to be there.
        try await Task.sleep(for: .seconds(2))
        let idle = recorder.memory("VmRSS")
        let before = try await head(servers)
        let running = try (0..<clients).map { _ in
            try Child([
                "client", "--in-flight", "\(max(1, inFlight / clients))", "--seconds", "\(seconds)", "--batch", "\(batch)",
            ])
        }
        var events = 0.0
        var latencies: [Double] = []
        var failures = 0
        for client in running {
            let lines = client.finish().split(separator: "\n")
            guard let summary = lines.first?.split(separator: " "), summary.count == 3 else {
                throw ValidationError("a client ended without a result")
            }
            events += Double(summary[0]) ?? 0
            failures += Int(summary[1]) ?? 0
            latencies += lines.dropFirst().compactMap { Double($0) }
        }
        let all = Latencies(latencies)
        report(
            name,
            [
                "events_s": (events / Double(seconds)).rounded(to: 0),
                "p50_ms": all.percentile(0.5).rounded(to: 2),
                "p99_ms": all.percentile(0.99).rounded(to: 2),
                "failed": "\(failures)",
                "head_before": "\(before)",
                "recorder_idle_mib": idle.rounded(to: 1),
                "recorder_peak_mib": recorder.memory("VmHWM").rounded(to: 1),
            ]
        )
    }

    private func head(_ servers: Servers) async throws -> Int64 {
        let pool = PostgresPool(servers.log.taking(.service), maximumConnections: 1, logger: Servers.logger)
        let head = try await LogReader(pool: pool).head()
        await pool.close()
        return head.rawValue
    }
}

/// The recorder, alone in its process as in production.
struct RecorderCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(commandName: "recorder", abstract: "Run the recorder.", shouldDisplay: false)

    func run() async throws {
        let servers = try Servers()
        let broker = BrokerTopology()
        var amqp = servers.amqp
        amqp.connectionName = "enginebench recorder"
        let connection = AMQPConnection(amqp, topology: broker.topology, logger: Servers.logger)
        let recorder = Recorder(
            database: servers.log,
            connection: connection,
            broker: broker,
            clock: microseconds,
            logger: Servers.logger
        )
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await connection.run() }
            group.addTask { try await recorder.run() }
            try await group.waitForAll()
        }
    }
}

/// One client process: a number of callers, each of which appends and waits for the answer.
struct ClientCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(commandName: "client", abstract: "Append in a closed loop.", shouldDisplay: false)

    @Option var inFlight = 16
    @Option var seconds = 10
    @Option var batch = 1

    func run() async throws {
        let appender = try await Appender("client")
        let warm = ContinuousClock.now + .seconds(1)
        let end = warm + .seconds(seconds)
        let batch = batch
        let results = await withTaskGroup(of: (milliseconds: [Double], failures: Int).self) { group in
            for _ in 0..<inFlight {
                group.addTask {
                    var milliseconds: [Double] = []
                    var failures = 0
                    var generator = SplitMix64()
                    while ContinuousClock.now < end {
                        let request = Samples.request(events: batch, using: &generator)
                        let started = ContinuousClock.now
                        let accepted = await appender.append(request)
                        let now = ContinuousClock.now
                        guard started >= warm, now <= end else { continue }
                        if accepted { milliseconds.append((now - started) / .milliseconds(1)) } else { failures += 1 }
                    }
                    return (milliseconds, failures)
                }
            }
            return await group.reduce(into: (milliseconds: [Double](), failures: 0)) { sum, part in
                sum.milliseconds += part.milliseconds
                sum.failures += part.failures
            }
        }
        await appender.stop()
        print("\(results.milliseconds.count * batch) \(results.failures) \(inFlight)")
        print(results.milliseconds.map { "\($0)" }.joined(separator: "\n"))
    }
}

/// An append client with its connection.
final class Appender: Sendable {
    private let client: AppendClient
    private let running: Task<Void, any Error>

    init(_ name: String) async throws {
        let servers = try Servers()
        let broker = BrokerTopology()
        var amqp = servers.amqp
        amqp.connectionName = "enginebench \(name)"
        let connection = AMQPConnection(amqp, topology: broker.topology, logger: Servers.logger)
        let client = AppendClient(connection: connection, broker: broker, clock: microseconds, logger: Servers.logger)
        self.client = client
        running = Task {
            try await withThrowingTaskGroup(of: Void.self) { group in
                group.addTask { try await connection.run() }
                group.addTask { try await client.run() }
                try await group.waitForAll()
            }
        }
        try await connection.waitUntilConnected(timeout: .seconds(20))
    }

    func append(_ request: AppendRequest) async -> Bool {
        await position(request) != nil
    }

    /// The last position of an append; nil where it was not accepted.
    func position(_ request: AppendRequest) async -> Int64? {
        if case .accepted(_, let last) = try? await client.append(request) { last.rawValue } else { nil }
    }

    func stop() async {
        running.cancel()
        _ = await running.result
    }
}

/// Random numbers that cost nothing to speak of (Steele, Lea and Flood, "Fast splittable pseudorandom number generators", 2014).
struct SplitMix64: RandomNumberGenerator {
    private var state = UInt64.random(in: 0 ... .max)

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ mixed >> 30) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ mixed >> 27) &* 0x94D0_49BB_1331_11EB
        return mixed ^ mixed >> 31
    }
}
