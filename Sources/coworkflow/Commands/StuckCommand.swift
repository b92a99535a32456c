import ArgumentParser
import Domain
import EventStore
import FoundationEssentials
import HTTP
import Postgres

/// What should have gone on by itself and did not.
struct StuckCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "stuck",
        abstract: "List bookings, commands and events that are past their due state.",
        discussion: """
            Reads the log from its first event, and COWORKFLOW_POSTGRES_URL's timers and checkpoints. Ends with code 1 where anything \
            is stuck.
            """
    )

    enum Format: String, ExpressibleByArgument, CaseIterable {
        case text
        case json
    }

    @Option(help: "How the list is written: \(Format.allCases.map(\.rawValue).joined(separator: " or ")).")
    var format = Format.text

    @Option(help: "How many seconds late a thing may be.")
    var grace: Int64 = 60

    @Option(help: "The time by which things are due (RFC 3339); by default now.")
    var at: String?

    func validate() throws {
        guard (0...86_400 * 366).contains(grace) else { throw ValidationError("--grace must be from 0 to a year's seconds") }
        if let at, Instante(at) == nil { throw ValidationError("--at must be a time such as 2026-03-01T09:00:00-03:00") }
    }

    func run() async throws {
        try await failing {
            let config = try await Runner.configuration()
            let postgres = try Settings.postgres(config).with(applicationName: "coworkflow stuck")
            let pool = PostgresPool(postgres, maximumConnections: 1, logger: Runner.logger(config, production: false))
            let now = at.flatMap { Instante($0) } ?? Instante(microssegundos: systemMicroseconds())
            let report: Result<StuckSweep.Report, any Error>
            do {
                report = .success(try await StuckSweep(pool: pool).report(at: now, grace: .segundos(grace)))
            } catch {
                report = .failure(error)
            }
            await pool.close()
            let found = try report.get()
            switch format {
            case .json: print(String(decoding: try JSON.encode(found), as: UTF8.self))
            case .text: print(found.text)
            }
            if !found.items.isEmpty { throw ExitCode(1) }
        }
    }
}

extension StuckSweep.Report {
    fileprivate var text: String {
        guard !items.isEmpty else { return "Nothing is stuck at \(at), up to position \(head)." }
        var lines = items.map { item in
            [item.kind.rawValue, item.subject, "due \(item.due)", item.detail].compactMap(\.self).joined(separator: "  ")
        }
        if leftOff > 0 { lines.append("and \(leftOff) more overdue commands") }
        return lines.joined(separator: "\n")
    }
}
