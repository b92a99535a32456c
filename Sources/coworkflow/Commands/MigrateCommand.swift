import ArgumentParser
import EventStore
import Logging
import Postgres

/// The schema.
struct MigrateCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "migrate",
        abstract: "Bring the database to this program's schema.",
        discussion: "Connects as COWORKFLOW_POSTGRES_URL says, without taking a role: the login owns the schema and may create roles."
    )

    func run() async throws {
        try await failing {
            let config = try await Runner.configuration()
            let postgres = try Settings.postgres(config)
            let logger = Runner.logger(config, production: false)
            let applied = try await Self.migrate(postgres, logger: logger)
            print(applied.isEmpty ? "The schema is up to date." : "Applied: \(applied.joined(separator: ", ")).")
        }
    }

    static func migrate(_ configuration: PostgresConfiguration, logger: Logger) async throws -> [String] {
        let connection = try await PostgresConnection.connect(configuration.with(applicationName: "coworkflow migrate"), logger: logger)
        do {
            let applied = try await Migrator(logger: logger).migrate(connection)
            await connection.close()
            return applied
        } catch {
            await connection.close()
            throw error
        }
    }
}
