import ArgumentParser
import EventStore
import Logging
import Postgres
import Projections

/// Proof that nothing was lost or altered.
struct VerifyCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "verify",
        abstract: "Check the log's positions, versions and hash chain, and every read model against a fresh replay.",
        discussion: "Ends with code 1 and names the first problem where there is one."
    )

    @Option(
        help: ArgumentHelp(
            "A file of heads signed with 'log sign-head', which the log must still have. May be repeated.", valueName: "file"
        )
    )
    var against: [String] = []

    @Flag(help: "Check the log alone, as after a restore or an import, before anything runs. Needs no keys.")
    var logOnly = false

    func run() async throws {
        try await failing {
            let config = try await Runner.configuration()
            let logger = Runner.logger(config, production: false)
            let heads = try against.flatMap { try SignedHeadFile.read($0, signedBy: try HeadKey.verifying(config)) }
            let report = try await Self.log(try Settings.postgres(config), against: heads, logger: logger)
            let finding = report.problem?.description ?? "sound"
            let signed = heads.isEmpty ? "" : ", \(heads.count) signed heads"
            print("log: \(report.events) of \(report.head) events, \(finding), hash \(report.hash.hexadecimal)\(signed)")
            let areEqual = if logOnly { true } else { try await Self.compareReadModels(try Settings(config), logger: logger) }
            guard report.problem == nil, areEqual else { throw ExitCode(1) }
        }
    }

    /// Prints what each read model is beside a replay.
    /// - Returns: whether all are equal.
    private static func compareReadModels(_ settings: Settings, logger: Logger) async throws -> Bool {
        let keys = PostgresPool(settings.postgres.taking(.keyring), maximumConnections: 1, logger: logger)
        let verifier = ReadModelVerifier(
            configuration: Projections.configuration(settings.postgres),
            opener: Keyring(pool: keys, master: settings.secrets.master),
            logger: logger
        )
        let verdicts = try await verifier.compare()
        await keys.close()
        var areEqual = true
        for (name, verdict) in verdicts.sorted(by: { $0.key < $1.key }) {
            print("read model \(name): \(verdict)")
            if case .equal = verdict { continue }
            areEqual = false
        }
        return areEqual
    }

    private static func log(
        _ postgres: PostgresConfiguration,
        against heads: [SignedHead],
        logger: Logger
    ) async throws -> LogVerifier.Report {
        let pool = PostgresPool(postgres, maximumConnections: 2, logger: logger)
        let progress = ProgressLine("log")
        let report = try await LogVerifier(pool: pool).verify(against: heads) { progress.report($0, of: $1) }
        progress.finish()
        await pool.close()
        return report
    }
}
