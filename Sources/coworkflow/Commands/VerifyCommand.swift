import ArgumentParser
import EventStore
import Postgres
import Projections

/// Proof that nothing was lost or altered.
struct VerifyCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "verify",
        abstract: "Check the log's positions, versions and hash chain, and every read model against a fresh replay.",
        discussion: "Ends with code 1 and names the first problem where there is one."
    )

    func run() async throws {
        try await failing {
            let config = try await Runner.configuration()
            let settings = try Settings(config)
            let logger = Runner.logger(config, production: false)
            let keys = PostgresPool(settings.postgres.with(role: DatabaseRole.keyring.rawValue), maximumConnections: 1, logger: logger)
            let verifier = ReadModelVerifier(
                configuration: Projections.configuration(settings.postgres),
                opener: Keyring(pool: keys, master: settings.secrets.master),
                logger: logger
            )
            let verdicts = try await verifier.compare()
            var sound = true
            for (name, verdict) in verdicts.sorted(by: { $0.key < $1.key }) {
                print("read model \(name): \(verdict)")
                if case .equal = verdict { continue }
                sound = false
            }
            await keys.close()
            if !sound { throw ExitCode(1) }
        }
    }
}
