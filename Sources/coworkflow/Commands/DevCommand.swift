import ArgumentParser
import Foundation
import Logging
import ServiceLifecycle

/// The whole system on one machine.
struct DevCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "dev",
        abstract: "Run every role on this machine, with demo data.",
        discussion: """
            Listens on loopback only, because the demo logins are known to everyone. A log that is empty is given a simulated month \
            first (COWORKFLOW_DEMO_DAYS). Needs COWORKFLOW_POSTGRES_URL, \
            COWORKFLOW_AMQP_URL and COWORKFLOW_DATA_DIR; 'make run' gives them.
            """
    )

    @Flag(help: "Run each role as a process of its own.")
    var split = false

    func run() async throws {
        try await failing {
            let config = try await Runner.configuration(.development)
            let settings = try Settings(config)
            let logger = Runner.logger(config, production: false)
            let composition = try Composition(settings, logger: logger)
            try settings.checkPortsAreFree()
            _ = try await MigrateCommand.migrate(settings.postgres, logger: logger)
            do {
                try await DemoMonth(settings: settings, logger: logger).live()
            } catch SimulationError.stopped {
                return StandardError.write("coworkflow: stopped before the demo data was finished")
            }
            var services: [any Service] = []
            let roles = Role.all.filter { $0 != .sandboxPSP || settings.payments.sandbox != nil }
            if split {
                services.append(ChildProcesses(roles: roles, logger: logger))
            } else {
                for role in roles { services += try await composition.services(for: role) }
            }
            let demo = composition.commandParts("demo")
            services += demo.services
            services.append(WelcomeService(composition: composition, parts: demo))
            try await Runner.run(services, logger: logger)
        }
    }
}
