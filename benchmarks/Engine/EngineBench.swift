import AMQP
import ArgumentParser
import EventStore
import Foundation
import Logging
import Postgres

/// Measures the engine alone: appends through the broker, reads of the log, read models. `benchmarks/engine.sh` runs it on servers of
/// its own and puts the figures beside those of other stores; docs are in `benchmarks/README.md`.
@main
struct EngineBench: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "enginebench",
        abstract: "Measures appends, reads and read models of the event store.",
        subcommands: [
            PrepareCommand.self, AppendCommand.self, ClientCommand.self, RecorderCommand.self, GenerateCommand.self, ReadCommand.self,
            FollowCommand.self, ProjectorCommand.self, RebuildCommand.self,
        ]
    )
}

/// Where the servers are, as `scripts/servers.sh env` says.
struct Servers: Sendable {
    /// A name of letters, digits and underscores.
    static let database = ProcessInfo.processInfo.environment["BENCH_DATABASE"] ?? "enginebench"

    let postgres: PostgresConfiguration
    let amqp: AMQPConfiguration

    /// - Throws: where a variable is missing or no URL.
    init() throws {
        let environment = ProcessInfo.processInfo.environment
        guard let postgres = environment["COWORKFLOW_POSTGRES_URL"], let amqp = environment["COWORKFLOW_AMQP_URL"] else {
            throw ValidationError("COWORKFLOW_POSTGRES_URL and COWORKFLOW_AMQP_URL name the servers")
        }
        self.postgres = try PostgresConfiguration(url: postgres)
        self.amqp = try AMQPConfiguration(url: amqp)
    }

    /// The benchmark's own database: `BENCH_DATABASE`.
    var log: PostgresConfiguration { postgres.with(database: Self.database) }

    static let logger: Logger = {
        var logger = Logger(label: "enginebench")
        logger.logLevel = .error
        return logger
    }()
}

/// An empty log.
struct PrepareCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(commandName: "prepare", abstract: "Make the database anew.")

    func run() async throws {
        try await Self.prepare(Servers())
    }

    static func prepare(_ servers: Servers) async throws {
        let server = try await PostgresConnection.connect(servers.postgres.with(database: "postgres"), logger: Servers.logger)
        try await server.execute("drop database if exists \(Servers.database) with (force)")
        try await server.execute("create database \(Servers.database)")
        await server.close()
        let connection = try await PostgresConnection.connect(servers.log, logger: Servers.logger)
        _ = try await Migrator(logger: Servers.logger).migrate(connection)
        await connection.close()
    }
}

/// Microseconds since the Unix epoch.
func microseconds() -> Int64 {
    Int64(Date().timeIntervalSince1970 * 1_000_000)
}

/// One line of result: `key=value` pairs that scripts read and people can.
func report(_ name: String, _ figures: KeyValuePairs<String, String>) {
    print("RESULT \(name) | " + figures.map { "\($0.key)=\($0.value)" }.joined(separator: " "))
}

extension Double {
    /// With a number of decimals.
    func rounded(to decimals: Int) -> String {
        String(format: "%.\(decimals)f", self)
    }
}
