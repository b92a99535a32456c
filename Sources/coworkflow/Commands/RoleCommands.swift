import ArgumentParser
import Gateway

/// One of the services, alone.
struct ServeCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(commandName: "serve", abstract: "Run one service.")

    @Argument(help: "The service: \(ServiceName.allCases.map(\.rawValue).joined(separator: ", ")).")
    var service: ServiceName

    func run() async throws {
        try await failing { try await Runner.run(.service(service)) }
    }
}

extension ServiceName: ExpressibleByArgument {}

/// The recorder.
struct EventStoreCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "event-store",
        abstract: "Run the recorder, the one writer of the log. A second one is its standby."
    )

    func run() async throws {
        try await failing { try await Runner.run(.eventStore) }
    }
}

/// The read models.
struct ProjectionsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(commandName: "projections", abstract: "Keep the read models.")

    func run() async throws {
        try await failing { try await Runner.run(.projections) }
    }
}

/// The payment provider of development.
struct SandboxPSPCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "sandbox-psp",
        abstract: "Run a payment provider that moves no money, for development and tests."
    )

    func run() async throws {
        try await failing { try await Runner.run(.sandboxPSP) }
    }
}

/// The door.
struct GatewayCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(commandName: "gateway", abstract: "Run the gateway.")

    func run() async throws {
        try await failing { try await Runner.run(.gateway) }
    }
}
