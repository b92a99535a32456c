import ArgumentParser
import EventStore
import Logging
import Postgres

/// The master keys that people's keys are wrapped under.
struct KeysCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "keys",
        abstract: "Show and replace the master key that people's keys are wrapped under.",
        subcommands: [Status.self, Rewrap.self]
    )

    /// Which master keys are in use.
    struct Status: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "status",
            abstract: "Show under which master keys people's keys are wrapped.",
            discussion: "Ends with code 1 where one of them is not configured."
        )

        func run() async throws {
            try await KeysCommand.withKeyring { keyring, master in
                let wrappings = try await keyring.wrappings()
                print("master key \(master.current) wraps")
                for wrapping in wrappings {
                    let name = wrapping.master.map { "master key \($0)" } ?? "a master key that was not written down"
                    print("\(wrapping.keys) keys under \(name)\(wrapping.isConfigured ? "" : ", WHICH IS NOT CONFIGURED")")
                }
                if wrappings.contains(where: { !$0.isConfigured }) { throw ExitCode(1) }
            }
        }
    }

    /// From the previous master keys to the current one.
    struct Rewrap: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "rewrap",
            abstract: "Wrap every person's key under COWORKFLOW_KEY_MASTER, while everything runs.",
            discussion: "Stopped in between, it goes on where it was. Afterwards COWORKFLOW_KEY_MASTERS_PREVIOUS is not needed any more."
        )

        func run() async throws {
            try await KeysCommand.withKeyring { keyring, master in
                let count = try await keyring.rewrap { done in
                    if done % 10_000 == 0 { StandardError.write("\(done) keys") }
                }
                print("Wrapped \(count) keys under the master key \(master.current).")
            }
        }
    }

    private static func withKeyring(_ body: @Sendable (Keyring, MasterKeys) async throws -> Void) async throws {
        try await failing {
            let config = try await Runner.configuration()
            let settings = try Settings(config)
            let logger = Runner.logger(config, production: false)
            let pool = PostgresPool(settings.postgres.taking(.keyring), maximumConnections: 1, logger: logger)
            do {
                try await body(Keyring(pool: pool, master: settings.secrets.master), settings.secrets.master)
                await pool.close()
            } catch {
                await pool.close()
                throw error
            }
        }
    }
}
