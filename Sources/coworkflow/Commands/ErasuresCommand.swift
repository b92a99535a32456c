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
        abstract: "Keep the list of erased people apart from the backups, erase them again after a restore, and erase addresses.",
        subcommands: [Export.self, Apply.self, Address.self]
    )

    /// Everybody who was erased, as the database knows them.
    struct Export: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "export",
            abstract: "Print the list of erased people and addresses on standard output: ids and times, nothing else.",
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
                let addresses = read.reduce(into: Set<String>()) { $0.formUnion($1.content.addresses) }
                let erased = try await composition.eraseAgain(users, addresses: addresses)
                print("Erased \(erased) of \(Set(users).count) people on the list; the others were erased already.")
                for (path, content) in read where !content.unreadable.isEmpty {
                    throw ErasureList.Unreadable(path: path, lines: content.unreadable)
                }
            }
        }
    }

    /// For somebody who has no account and wants to be forgotten.
    struct Address: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "address",
            abstract: "Erase what was sent by hand to an address that has no account: a mail address or a telephone number.",
            discussion: """
                What was sent to an account's address is erased with the account. The erasure is noted in the file that \
                COWORKFLOW_ERASURES_FILE names, where there is one. Running processes may open what was erased for a minute more.
                """
        )

        @Argument(help: "A mail address, or a telephone number such as +5511987654321.")
        var address: String

        func run() async throws {
            try await failing {
                let config = try await Runner.configuration()
                let composition = try Composition(try Settings(config), logger: Runner.logger(config, production: false))
                let isKnown = try await composition.eraseAddress(address)
                print(isKnown ? "What was sent to the address is erased." : "Nothing is kept that was sent to the address.")
            }
        }
    }
}

extension Composition {
    /// Erases what was sent to an address that had no account.
    ///
    /// - Returns: whether there was anything.
    func eraseAddress(_ text: String) async throws -> Bool {
        let subject: AddressSubject
        if text.contains("@") {
            subject = AddressSubject(email: try EmailAddress(text).key(settings.secrets.email))
        } else {
            subject = AddressSubject(phone: try PhoneNumber(text, field: "address"), secret: settings.secrets.email)
        }
        let pool = PostgresPool(settings.postgres.taking(.keyring), maximumConnections: 1, logger: logger)
        let list = settings.erasures.map(ErasureList.init(path:))
        let result = await Result {
            let keyring = Keyring(pool: pool, master: settings.secrets.master)
            let subjects = try await keyring.subjects(ofAddresses: [subject.text])
            for subject in subjects {
                try await list?.append(Erasure(subject: subject, at: Instante(microssegundos: clock())))
                try await keyring.erase(subject)
            }
            return !subjects.isEmpty
        }
        await pool.close()
        return try result.get()
    }

    /// Erases people whom a restored backup has brought back. The recorder must be running.
    ///
    /// - Parameter addresses: the subjects of addresses' keys.
    /// - Returns: how many people had an account or a key again.
    func eraseAgain(_ users: [UsuarioID], addresses: Set<String> = []) async throws -> Int {
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
                for subject in try await keysOfPerson(parts).subjects(of: user) { try await parts.keyring.erase(subject) }
                if !execution.repeated, !execution.events.isEmpty || !known.contains(user.texto) { count += 1 }
            }
            for address in addresses.sorted() { try await parts.keyring.erase(address) }
            return count
        }
    }
}

extension Result where Failure == any Error {
    fileprivate init(_ body: () async throws -> Success) async {
        do { self = .success(try await body()) } catch { self = .failure(error) }
    }
}
