import ArgumentParser
import Domain
import EventStore
import Foundation
import HTTP
import Postgres
import UsuariosService

/// What keeps erased people erased after a restore.
struct ErasuresCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "erasures",
        abstract: "Keep the list of erased people apart from the backups, and erase them again after a restore.",
        subcommands: [Export.self, Apply.self]
    )

    /// Everybody who was erased, as the database knows them.
    struct Export: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "export",
            abstract: "Print the list of erased people on standard output: ids and times, nothing else.",
            discussion: "The running system keeps the same list in the file that COWORKFLOW_ERASURES_FILE names."
        )

        func run() async throws {
            try await failing {
                let config = try await Runner.configuration()
                let settings = try Settings(config)
                let pool = PostgresPool(
                    settings.postgres.taking(.keyring), maximumConnections: 1, logger: Runner.logger(config, production: false)
                )
                let result = await Result { try await Keyring(pool: pool, master: settings.secrets.master).erasures() }
                await pool.close()
                for erasure in try result.get() { print(try ErasureList.line(of: erasure)) }
            }
        }
    }

    /// Erases everybody on the list again.
    struct Apply: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "apply",
            abstract: "Erase everybody on these lists who is not erased: to be run after a backup was put back.",
            discussion: "The recorder must be running; run it before the gateway. What was applied before changes nothing."
        )

        @Argument(help: "Lists that 'erasures export' printed or COWORKFLOW_ERASURES_FILE named.")
        var lists: [String]

        func run() async throws {
            try await failing {
                let config = try await Runner.configuration()
                let composition = try Composition(try Settings(config), logger: Runner.logger(config, production: false))
                let read = try lists.map { path in (path: path, content: try ErasureList(path: path).read()) }
                let users = read.flatMap(\.content.users)
                let erased = try await composition.eraseAgain(users)
                print("Erased \(erased) of \(Set(users).count) people on the list; the others were erased already.")
                for (path, content) in read where !content.unreadable.isEmpty {
                    throw ErasureList.Unreadable(path: path, lines: content.unreadable)
                }
            }
        }
    }
}

extension Composition {
    /// Erases people whom a restored backup has brought back. The recorder must be running.
    ///
    /// - Returns: how many had an account or a key again.
    func eraseAgain(_ users: [UsuarioID]) async throws -> Int {
        try await givingCommands("erasures") { parts in
            let erasure = AccountErasure(schedule: ScheduleReader(pool: parts.pool))
            let known = Set(try await parts.keyring.erasures().map(\.subject))
            var count = 0
            for user in Set(users).sorted(by: { $0.texto < $1.texto }) {
                let execution = try await parts.commands.run(named: "erase again \(user.texto)") { loader in
                    let account = Conta.dobrar(try await loader.load(.usuario(user)))
                    // Of somebody who came after the backup there is nothing but the line on the list.
                    if account == .inexistente { return [] }
                    return try await erasure.decide(user, account, via: .repeticao, at: parts.commands.now, loader)
                }
                // Not left to the policy: whoever runs this wants it done when it ends.
                try await parts.keyring.erase(user.texto)
                if !execution.repeated, !execution.events.isEmpty || !known.contains(user.texto) { count += 1 }
            }
            return count
        }
    }
}

extension Result where Failure == any Error {
    fileprivate init(_ body: () async throws -> Success) async {
        do { self = .success(try await body()) } catch { self = .failure(error) }
    }
}
