import AMQP
import EventStore
import Foundation
import Logging
import TestSupport

/// Appends raw events to the log as a service would, and writes down what it asked and what it was told, for
/// scripts/e2e/history.py to judge: `make chaos` runs it while everything is being killed.
///
///     appender CLIENTS SEED
///
/// Finds the broker by `COWORKFLOW_AMQP_URL`. Prints one JSON object a line, each try of each command (`Attempt`). Runs until its
/// standard input ends, and then until every command that it began has its answer.
@main
struct Appender {
    struct Usage: Error, CustomStringConvertible {
        let description = "usage: COWORKFLOW_AMQP_URL=… appender CLIENTS SEED"
    }

    static func main() async throws {
        let numbers = CommandLine.arguments.dropFirst().compactMap { UInt64($0) }
        guard numbers.count == 2, let url = ProcessInfo.processInfo.environment["COWORKFLOW_AMQP_URL"] else { throw Usage() }
        var configuration = try AMQPConfiguration(url: url)
        configuration.connectionName = "appender"
        let broker = BrokerTopology()
        let quiet = Logger(label: "appender", factory: { _ in SwiftLogNoOpLogHandler() })
        let connection = AMQPConnection(configuration, topology: broker.topology, logger: quiet)
        let client = AppendClient(connection: connection, broker: broker, clock: microseconds, logger: quiet)
        let journal = Journal()
        try await withThrowingTaskGroup { background in
            background.addTask { try await connection.run() }
            background.addTask { try await client.run() }
            try await withThrowingTaskGroup { clients in
                clients.addTask {
                    for await _ in endOfInput() {}
                    journal.finish()
                }
                for number in 0..<numbers[0] {
                    clients.addTask {
                        var stubborn = StubbornClient(client, journal, generator: SeededGenerator(seed: numbers[1] &* 1000 &+ number))
                        try await stubborn.run()
                    }
                }
                try await clients.waitForAll()
            }
            background.cancelAll()
        }
    }

    /// Finishes when the standard input does. Reading blocks, so it has a thread of its own.
    private static func endOfInput() -> AsyncStream<Void> {
        let (input, end) = AsyncStream.makeStream(of: Void.self)
        Thread.detachNewThread {
            while !FileHandle.standardInput.availableData.isEmpty {}
            end.finish()
        }
        return input
    }
}

/// The clock of deadlines: microseconds since the Unix epoch.
@Sendable func microseconds() -> Int64 {
    Int64(Date().timeIntervalSince1970 * 1_000_000)
}
