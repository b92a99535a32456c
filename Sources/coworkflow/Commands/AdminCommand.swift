import AMQP
import ArgumentParser
import Domain
import EventStore
import FoundationEssentials
import Glibc
import HTTP
import ServiceLifecycle
import UsuariosService

/// Accounts from the command line.
struct AdminCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "admin",
        abstract: "Manage administrators.",
        subcommands: [Create.self]
    )

    /// The first administrator: nobody could promote them.
    struct Create: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "create",
            abstract: "Create an administrator's account.",
            discussion: "The password is read from standard input. The recorder must be running."
        )

        @Option(help: "The e-mail address to sign in with.")
        var email: String

        @Option(help: "The person's name.")
        var name: String

        func run() async throws {
            try await failing {
                let config = try await Runner.configuration()
                let settings = try Settings(config)
                let logger = Runner.logger(config, production: false)
                let composition = try Composition(settings, logger: logger)
                guard let password = readLine(strippingNewline: true), !password.isEmpty else {
                    throw ValidationError("give the password on standard input")
                }
                let id = try await composition.createAdministrator(email: email, password: password, name: name)
                print("Created the administrator \(id.texto).")
            }
        }
    }
}

extension Composition {
    /// Opens an account that may do everything. The recorder must be running.
    func createAdministrator(email: String, password: String, name: String) async throws -> UsuarioID {
        try await givingCommands("admin") { parts in
            let accounts = try accounts(parts)
            let user: UsuarioID = parts.commands.newID()
            let registration = try await accounts.registration(
                user: user,
                email: email,
                password: password,
                name: name,
                via: .linhaDeComando(.admin),
                at: parts.commands.now
            )
            _ = try await parts.commands.run(named: "admin create \(user.texto)") { loader in
                try await accounts.register(registration, loader)
            }
            return user
        }
    }

    /// Runs what it takes to give commands for as long as `body` gives some.
    func givingCommands<T: Sendable>(_ name: String, _ body: @escaping @Sendable (CommandParts) async throws -> T) async throws -> T {
        let parts = commandParts(name)
        return try await withThrowingTaskGroup(of: T?.self) { group in
            for service in parts.services {
                group.addTask {
                    try await service.run()
                    return nil
                }
            }
            group.addTask {
                // A command given without a connection is refused at once.
                do throws(AMQPError) {
                    try await parts.connection.waitUntilConnected(timeout: .seconds(30))
                } catch {
                    if error == .timedOut { throw BrokerAway() }
                    throw error
                }
                return try await body(parts)
            }
            defer { group.cancelAll() }
            while let result = try await group.next() {
                if let result { return result }
            }
            throw CancellationError()
        }
    }
}
