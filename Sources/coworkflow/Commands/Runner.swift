import ArgumentParser
import Configuration
import Domain
import EventStore
import FoundationEssentials
import Gateway
import HTTP
import Logging
import Postgres
import ServiceLifecycle
import SystemPackage
import UnixSignals

/// What the subcommands that run something share: configuration, logging, signals.
enum Runner {
    /// `COWORKFLOW_…` variables, and beneath them the JSON file that `COWORKFLOW_CONFIG_FILE` names.
    ///
    /// - Parameter environment: goes before what is configured.
    static func configuration(_ environment: Settings.Environment? = nil) async throws -> ConfigReader {
        var providers: [any ConfigProvider] = [EnvironmentVariablesProvider()]
        if let environment {
            providers.insert(InMemoryProvider(values: ["coworkflow.environment": .init(stringLiteral: environment.rawValue)]), at: 0)
        }
        let environment = ConfigReader(providers: providers).scoped(to: "coworkflow")
        if let path = environment.string(forKey: "config.file") {
            providers.append(try await FileProvider<JSONSnapshot>(filePath: .init(path)))
        }
        return ConfigReader(providers: providers).scoped(to: "coworkflow")
    }

    /// To be called once, before anything logs.
    static func logger(_ config: ConfigReader, production: Bool) -> Logger {
        let level = config.string(forKey: "log.level").flatMap(Logger.Level.init(rawValue:)) ?? (production ? .info : .notice)
        LoggingSystem.bootstrap { label in
            var handler: any LogHandler = production ? JSONLogHandler(label: label) : StreamLogHandler.standardError(label: label)
            handler.logLevel = level
            return handler
        }
        return Logger(label: "coworkflow")
    }

    /// Runs until a signal or until one of them fails; then stops all, the last started first.
    static func run(_ services: [any Service], logger: Logger) async throws {
        var configuration = ServiceGroupConfiguration(
            services: services.map { .init(service: $0) },
            gracefulShutdownSignals: [.sigterm, .sigint],
            logger: logger
        )
        // ECS kills after 30 seconds.
        configuration.maximumGracefulShutdownDuration = .seconds(25)
        try await ServiceGroup(configuration: configuration).run()
    }

    /// Runs one role alone.
    static func run(_ role: Role) async throws {
        let config = try await configuration()
        let settings = try Settings(config)
        let logger = logger(config, production: settings.environment == .production)
        let composition = try Composition(settings, logger: logger)
        if role == .service(.usuarios) { try await DemoData.refuseOutsideDevelopment(composition) }
        ParentWatch.start(config)
        try await run(try await composition.services(for: role), logger: logger)
    }
}

/// A command that needs the broker has no connection to it.
struct BrokerAway: Error {}

/// Says a failure in one line and ends with code 1.
func failing<T>(_ body: () async throws -> T) async throws -> T {
    do {
        return try await body()
    } catch let exit as ExitCode {
        throw exit
    } catch let error as PostgresError where error.kind == .connectionFailed {
        // libpq's own words say whether it is the address, the password or the database; they hold no password.
        let reason = error.serverMessage?.split(whereSeparator: \.isNewline).first.map { ": \($0)" } ?? ""
        StandardError.write("coworkflow: no connection to the database that COWORKFLOW_POSTGRES_URL names\(reason)")
        throw ExitCode(1)
    } catch is BrokerAway {
        StandardError.write("coworkflow: no connection to the broker that COWORKFLOW_AMQP_URL names")
        throw ExitCode(1)
    } catch CommandError.outcomeUnknown {
        StandardError.write(
            "coworkflow: the recorder does not answer, so nobody knows whether it was done: see that 'coworkflow event-store' runs, and repeat"
        )
        throw ExitCode(1)
    } catch CommandError.unavailable {
        StandardError.write("coworkflow: nothing can be recorded now, and nothing was: see that RabbitMQ and 'coworkflow event-store' run")
        throw ExitCode(1)
    } catch let problem as Problem {
        StandardError.write("coworkflow: \(problem.detail)")
        throw ExitCode(1)
    } catch let refusal as any Recusa {
        StandardError.write("coworkflow: \(refusal.frase(em: .ingles))")
        throw ExitCode(1)
    } catch let error as PostgresError where ["3F000", "42P01", "42883"].contains(error.sqlState) {
        StandardError.write("coworkflow: the database lacks what this program needs: run 'coworkflow migrate' first")
        throw ExitCode(1)
    } catch {
        var message = "\(error)"
        if message.contains("Address already in use") {
            message = "a port is in use already: choose others with COWORKFLOW_PORT and COWORKFLOW_SERVICE_PORT_BASE"
        }
        StandardError.write("coworkflow: \(message)")
        throw ExitCode(1)
    }
}
