import AMQP
import Configuration
import Crypto
import Domain
import EventStore
import Foundation
import Gateway
import Postgres

/// Everything that configuration says, read once. Keys are given as environment variables (`COWORKFLOW_POSTGRES_URL`)
/// or in the JSON file that `COWORKFLOW_CONFIG_FILE` names; docs/operations.md lists them.
struct Settings: Sendable {
    enum Problem: Error, CustomStringConvertible {
        case missing(String)
        case invalid(String, String)

        var description: String {
            switch self {
            case .missing(let key): "\(Self.variable(key)) is not set"
            case .invalid(let key, let what): "\(Self.variable(key)) \(what)"
            }
        }

        private static func variable(_ key: String) -> String {
            "COWORKFLOW_" + key.uppercased().replacing(".", with: "_")
        }
    }

    enum Environment: String {
        case development
        case production
    }

    let environment: Environment
    let postgres: PostgresConfiguration
    let amqp: AMQPConfiguration
    let broker: BrokerTopology
    let host: String
    let gatewayPort: Int
    /// usuarios listens on this plus 1, espacos plus 2, as the API's description numbers them.
    let servicePortBase: Int
    let serviceURLs: [ServiceName: [String]]
    let swaggerDirectory: String?
    var passwordRounds: Int
    /// How many simulated days the demo data has.
    let demoDays: Int
    /// Where a development machine keeps its keys and other files; nil where there is no such place.
    let dataDirectory: URL?
    /// The file that lists who was erased, out of the reach of backups; nil where none is kept.
    let erasures: String?
    /// For how long the books keep what explains their entries.
    let booksTerm: PrazoDosLivros
    let secrets: Secrets
    var outgoing: OutgoingSettings
    let payments: PaymentSettings

    /// - Throws: `Problem` naming the variable.
    init(_ config: ConfigReader) throws {
        environment = try Self.environment(config)
        postgres = try Self.postgres(config)
        amqp = try Self.amqp(config)
        broker = BrokerTopology(
            quorum: config.bool(forKey: "append.quorum", default: false),
            maximumWaiting: Int64(config.int(forKey: "append.max.waiting", default: 1000))
        )
        host = config.string(forKey: "host", default: environment == .development ? "127.0.0.1" : "0.0.0.0")
        gatewayPort = config.int(forKey: "port", default: 8000)
        servicePortBase = config.int(forKey: "service.port.base", default: 5000)
        swaggerDirectory = config.string(forKey: "swagger.dir")
        passwordRounds = config.int(forKey: "password.rounds", default: 600_000)
        demoDays = config.int(forKey: "demo.days", default: 30)
        erasures = config.string(forKey: "erasures.file")
        booksTerm = try Self.booksTerm(config)
        serviceURLs = try Self.serviceURLs(config, base: servicePortBase)
        dataDirectory =
            environment == .development ? config.string(forKey: "data.dir").map { URL(filePath: $0, directoryHint: .isDirectory) } : nil
        secrets = try dataDirectory.map { try Secrets.development(in: $0) } ?? Secrets(config)
        outgoing = try OutgoingSettings(config)
        payments = try PaymentSettings(config, environment: environment, gatewayPort: gatewayPort, base: servicePortBase, secrets: secrets)
        try check()
    }

    static func booksTerm(_ config: ConfigReader) throws -> PrazoDosLivros {
        guard let term = PrazoDosLivros(anos: config.int(forKey: "books.years", default: PrazoDosLivros.legal.anos)) else {
            let (least, most) = (PrazoDosLivros.anosPermitidos.lowerBound, PrazoDosLivros.anosPermitidos.upperBound)
            throw Problem.invalid("books.years", "must be from \(least), which is what the law asks, to \(most)")
        }
        return term
    }

    static func postgres(_ config: ConfigReader) throws -> PostgresConfiguration {
        let url = try required(config, "postgres.url", isSecret: true)
        let postgres: PostgresConfiguration
        do {
            postgres = try PostgresConfiguration(url: url)
        } catch {
            throw Problem.invalid("postgres.url", "cannot be used: \(error)")
        }
        guard try postgres.sslMode == .verifyFull || postgres.host.hasPrefix("/") || mayBePlain(to: postgres.host, config) else {
            throw Problem.invalid("postgres.url", "must say sslmode=verify-full: \(plainText)")
        }
        return postgres
    }

    private static let plainText =
        "outside this machine what people told you would travel in plain text, or to whoever says that they are the server; where nobody "
        + "else has access to the network, say COWORKFLOW_NETWORK_TRUSTED=true"

    /// Whether what is sent to a server may be neither encrypted nor its certificate checked.
    private static func mayBePlain(to host: String, _ config: ConfigReader) throws -> Bool {
        try environment(config) == .development || isLoopback(host) || config.bool(forKey: "network.trusted", default: false)
    }

    private static func isLoopback(_ host: String) -> Bool {
        ["127.0.0.1", "::1", "localhost"].contains(host)
    }

    static func amqp(_ config: ConfigReader) throws -> AMQPConfiguration {
        let url = try required(config, "amqp.url", isSecret: true)
        let amqp: AMQPConfiguration
        do {
            amqp = try AMQPConfiguration(url: url)
        } catch {
            throw Problem.invalid("amqp.url", "cannot be used: \(error)")
        }
        guard try amqp.tls != nil || mayBePlain(to: amqp.host, config) else {
            throw Problem.invalid("amqp.url", "must begin with amqps: \(plainText)")
        }
        return amqp
    }

    private static func environment(_ config: ConfigReader) throws -> Environment {
        let name = config.string(forKey: "environment", default: Environment.production.rawValue)
        guard let environment = Environment(rawValue: name) else {
            throw Problem.invalid("environment", "must be development or production")
        }
        return environment
    }

    private static func serviceURLs(_ config: ConfigReader, base: Int) throws -> [ServiceName: [String]] {
        var urls: [ServiceName: [String]] = [:]
        for service in ServiceName.allCases {
            let key = "services.\(service.rawValue)"
            let list = config.string(forKey: ConfigKey(key), default: "http://127.0.0.1:\(base + service.portOffset)")
            urls[service] = list.split(separator: ",").map(String.init)
            guard urls[service]?.isEmpty == false else { throw Problem.invalid(key, "must list the URLs of one replica or more") }
        }
        return urls
    }

    /// Development logins and keys must not be reachable from outside; weak hashes must not leave development.
    private func check() throws {
        guard (0...366).contains(demoDays) else { throw Problem.invalid("demo.days", "must be from 0 to 366") }
        switch environment {
        case .development:
            guard Self.isLoopback(host) else {
                throw Problem.invalid("host", "must be a loopback address in development, where logins are known to everyone")
            }
        case .production:
            guard passwordRounds >= 600_000 else { throw Problem.invalid("password.rounds", "must be 600000 or more in production") }
        }
    }

    static func required(_ config: ConfigReader, _ key: String, isSecret: Bool = false) throws -> String {
        guard let value = config.string(forKey: ConfigKey(key), isSecret: isSecret), !value.isEmpty else { throw Problem.missing(key) }
        return value
    }
}

extension ServiceName {
    /// Added to the base port; the numbers are those of the published API.
    var portOffset: Int {
        switch self {
        case .usuarios: 1
        case .espacos: 2
        case .reservas: 3
        case .pagamentos: 4
        case .precos: 5
        case .checkin: 6
        case .notificacoes: 7
        case .analytics: 9
        case .financeiro: 8
        }
    }
}
