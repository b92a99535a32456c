import ArgumentParser
import Crypto
import Domain
import EventStore
import Foundation
import Logging
import Postgres

extension LogCommand {
    /// The backup and migration path.
    struct Export: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Write the log to a file from which the very same log can be made.",
            discussion: """
                One CloudEvent 1.0 a line; the first line says what follows. The chain is checked on the way. The keys of personal \
                data are not in the log: back the schema 'keys' up apart from it.
                """
        )

        enum Format: String, ExpressibleByArgument, CaseIterable {
            case jsonl
        }

        @Option(help: "The format: \(Format.allCases.map(\.rawValue).joined(separator: ", ")).")
        var format = Format.jsonl

        @Option(help: "The first position. Only a file that begins at 1 can be imported.")
        var from: Int64 = 1

        @Option(help: "The last position; without it, the head as it is now.")
        var to: Int64?

        @Argument(help: "The file, or - for standard output.")
        var file: String

        func run() async throws {
            try await LogCommand.reading { reader in
                let output = try LogOutput(file)
                let progress = ProgressLine("export")
                let report = try await LogExport(reader: reader).run(
                    from: Position(from),
                    through: to.map { Position($0) },
                    progress: { progress.report($0, of: $1) },
                    write: { try await output.write($0) }
                )
                try await output.finish()
                progress.finish()
                StandardError.write(
                    "exported \(report.events.grouped) events up to position \(report.last), hash \(report.hash.hexadecimal)"
                )
            }
        }
    }

    /// The other half of `Export`.
    struct Import: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Make the log that a file was exported from, in an empty database.",
            discussion: """
                The database must be migrated and its log empty; stop all recorders. The chain is checked line by line; all is \
                imported or nothing.
                """
        )

        @Argument(help: "The file, or - for standard input.")
        var file: String

        func run() async throws {
            try await failing {
                let config = try await Runner.configuration()
                let postgres = try Settings.postgres(config)
                let input = try LogInput(file)
                let progress = ProgressLine("import")
                let report = try await LogImport(database: postgres, logger: Runner.logger(config, production: false)).run(
                    read: { try input.read() },
                    progress: { progress.report($0, of: $1) }
                )
                progress.finish()
                StandardError.write(
                    "imported \(report.events.grouped) events of \(report.commands.grouped) commands, hash \(report.hash.hexadecimal)"
                )
            }
        }
    }

    /// What to keep elsewhere, so that a log that is chained anew shows.
    struct SignHead: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "sign-head",
            abstract: "Check the log and print its signed head, one line of JSON.",
            discussion: """
                Signs with COWORKFLOW_KEY_HEAD. Append the line to a file that whoever can write the database cannot: \
                coworkflow log sign-head --after heads.jsonl >> heads.jsonl. Then 'coworkflow verify --against heads.jsonl' finds a \
                log that was rewritten before that.
                """
        )

        @Option(help: "A file of heads signed before: only what came after its last line is checked. Without it, everything is.")
        var after: String?

        func run() async throws {
            try await failing {
                let config = try await Runner.configuration()
                let key = try HeadKey.signing(config)
                let logger = Runner.logger(config, production: false)
                let pool = PostgresPool(try Settings.postgres(config), maximumConnections: 2, logger: logger)
                let verifier = LogVerifier(pool: pool)
                let last = try after.map { try SignedHeadFile.read($0, signedBy: key.publicKey) }?.last
                let progress = ProgressLine("log")
                let report =
                    if let last {
                        try await verifier.verify(after: last)
                    } else {
                        try await verifier.verify { progress.report($0, of: $1) }
                    }
                progress.finish()
                await pool.close()
                if let problem = report.problem { throw NotSigned(problem: problem) }
                print(try SignedHead.sign(report.head, report.hash, at: systemMicroseconds(), with: key).line)
            }
        }
    }

    private struct NotSigned: Error, CustomStringConvertible {
        let problem: LogVerifier.Problem

        var description: String { "not signed: \(problem)" }
    }
}
