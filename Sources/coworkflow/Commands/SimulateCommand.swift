import ArgumentParser
import Domain
import FoundationEssentials
import HTTP

/// A stretch of the business's life, in minutes.
struct SimulateCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "simulate",
        abstract: "Live some days of a realistic business through the public API on a clock of its own, and check everything.",
        discussion: """
            Runs every role in this process, on loopback, against the Postgres and RabbitMQ that are configured, whose log must be empty. \
            Needs COWORKFLOW_POSTGRES_URL, COWORKFLOW_AMQP_URL and COWORKFLOW_DATA_DIR. Prints the figures of the business, which the \
            same --start, --days, --seed and --bookings-per-day repeat, and what was checked; ends with code 1 where a check failed.
            """
    )

    @Option(help: "How many days.")
    var days = 90

    @Option(help: "Decides who wants what: the same again gives the same figures.")
    var seed: UInt64 = 1

    @Option(help: "The first day (yyyy-mm-dd); by default such that yesterday is the last.")
    var start: String?

    @Option(help: "How many bookings are wanted a day, on average.")
    var bookingsPerDay = 340

    func run() async throws {
        try await failing {
            let config = try await Runner.configuration(.development)
            let settings = try Settings(config)
            let logger = Runner.logger(config, production: false)
            let zones = ZoneCatalog()
            let first = try start.map { text in
                guard let date = DataCivil(text) else { throw SimulationError.wrong("--start must be a date such as 2026-03-01") }
                return date
            }
            let plan = try SimulationPlan(
                from: first, days: days, seed: seed, bookingsPerDay: bookingsPerDay, zone: try zones.zone("America/Sao_Paulo"),
                now: Instante(microssegundos: systemMicroseconds())
            )
            try settings.checkPortsAreFree()
            _ = try await MigrateCommand.migrate(settings.postgres, logger: logger)
            let line = SimulationLine("simulation")
            let simulation = Simulation(settings: settings, plan: plan, logger: logger) { line.report($0) }
            let outcome = try await simulation.run(checking: true)
            line.finish()
            guard let outcome else { throw SimulationError.stopped }
            for figure in outcome.figures { print("\(figure.name): \(figure.value)") }
            print("")
            for check in outcome.checks {
                print("\(check.problem == nil ? "ok    " : "FAILED") \(check.name)\(check.problem.map { ": \($0)" } ?? "")")
            }
            let seconds = outcome.elapsed / .seconds(1)
            StandardError.write(
                "\(outcome.events.grouped) events of \(days) days in \(Int(seconds)) s, \(Int(Double(outcome.events) / max(seconds, 0.001))) events/s"
            )
            if outcome.checks.contains(where: { $0.problem != nil }) { throw ExitCode(1) }
        }
    }
}
