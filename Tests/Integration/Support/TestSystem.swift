import AsyncHTTPClient
import Configuration
import Domain
import Foundation
import Gateway
import Logging
import Postgres
import ServiceLifecycle
import Synchronization
import TestSupport
import Testing

@testable import coworkflow

/// A whole CoworkFlow of a suite's own: every role in this process, put together as `coworkflow dev` does it, on a database
/// and a virtual host that are gone afterwards.
struct TestSystem: Sendable {
    /// What is to be started.
    struct Plan: Sendable {
        /// RFC 3339; nil for the system's time.
        var startsAt: String?
        /// How many processes of each kind that may have several there are to be.
        var replicas = 1
        /// Whether what the tests do to the system is reason enough for it to log errors.
        var mayLogErrors = false
        /// Whether mail goes out, to a server that keeps it.
        var sendsMail = false
        /// What does not run here: the test runs it as a process of its own.
        var apart: Set<ServiceName> = []
        /// Whether text and push messages go out, to a gateway that keeps them.
        var relays = false
        /// For how many years the books are kept; nil for as long as the law asks.
        var booksYears: Int?
    }

    /// The gateway that text and push messages go to.
    struct Relay: Sendable {
        static let key = "chave-do-gateway-de-mensagens"

        let receiver: WebhookReceiver
        let url: String
    }

    @TaskLocal private static var running: TestSystem?

    /// The one that the suite's trait has started.
    static func current() throws -> TestSystem {
        guard let running else { throw NeverHappened("the suite has no trait .system") }
        return running
    }

    let servers: TestServers
    let name: String
    let compositions: [Composition]
    let clock: TestClock
    let journal: Journal
    /// Of the superuser.
    let pool: PostgresPool
    /// The gateway, asked by nobody in particular.
    let visitor: Client
    /// The first administrator, with a token that the clock may have outrun.
    let founder: Member
    let confidential: Confidential
    let mail: MailServer?
    let relay: Relay?

    /// What a role that runs as a process of its own is configured with.
    var environment: [String: String] {
        [
            "COWORKFLOW_ENVIRONMENT": "development", "COWORKFLOW_POSTGRES_URL": servers.postgresURL(name),
            "COWORKFLOW_AMQP_URL": servers.amqpURL(name), "COWORKFLOW_DATA_DIR": folder.path, "COWORKFLOW_PASSWORD_ROUNDS": "1",
            "COWORKFLOW_PORT": String(settings.gatewayPort), "COWORKFLOW_SERVICE_PORT_BASE": String(settings.servicePortBase),
        ]
    }

    /// The system's own, gone with it.
    var folder: URL { Self.folder(of: name) }

    private static func folder(of name: String) -> URL { FileManager.default.temporaryDirectory.appending(path: name) }

    var settings: Settings { compositions[0].settings }

    /// Starts one, runs `body`, checks what must hold whatever was done, and stops it.
    static func run(_ plan: Plan, _ body: @escaping @Sendable () async throws -> Void) async throws {
        var configuration = HTTPClient.Configuration()
        configuration.connectionPool.concurrentHTTP1ConnectionsPerHostSoftLimit = 128
        let http = HTTPClient(eventLoopGroupProvider: .singleton, configuration: configuration)
        let name = "integration_\(UUID().uuidString.prefix(8).lowercased())"
        let folder = folder(of: name)
        let servers = try TestServers(http: http)
        let outcome: Result<Void, any Error>
        do {
            try await servers.createDatabase(name)
            try await servers.createVirtualHost(name)
            if plan.relays {
                try await WebhookReceiver.run { receiver, url in
                    let relay = Relay(receiver: receiver, url: url)
                    try await run(plan, named: name, in: folder, servers: servers, http: http, relay: relay, body)
                }
            } else {
                try await run(plan, named: name, in: folder, servers: servers, http: http, relay: nil, body)
            }
            outcome = .success(())
        } catch {
            outcome = .failure(error)
        }
        try? FileManager.default.removeItem(at: folder)
        try? await servers.deleteVirtualHost(name)
        try? await servers.dropDatabase(name)
        try await http.shutdown()
        try outcome.get()
    }

    private static func run(
        _ plan: Plan,
        named name: String,
        in folder: URL,
        servers: TestServers,
        http: HTTPClient,
        relay: Relay?,
        _ body: @escaping @Sendable () async throws -> Void
    ) async throws {
        let journal = Journal()
        let clock = TestClock(start: try plan.startsAt.map { try #require(Instante($0)).microssegundos })
        let mail = plan.sendsMail ? try MailServer() : nil
        let compositions = try await compositions(
            plan, named: name, in: folder, servers: servers, clock: clock, journal: journal, mail: mail, relay: relay
        )
        _ = try await MigrateCommand.migrate(compositions[0].settings.postgres, logger: journal.logger())
        var services: [any Service] = []
        for role in Role.all where !plan.apart.contains(where: { role == .service($0) }) {
            services += try await compositions[0].services(for: role)
        }
        for replica in compositions.dropFirst() {
            for role in [Role.eventStore, .projections, .service(.reservas)] { services += try await replica.services(for: role) }
        }
        let configuration = ServiceGroupConfiguration(
            services: services.map { .init(service: $0) },
            logger: journal.logger(level: .warning)
        )
        let group = ServiceGroup(configuration: configuration)
        try await withThrowingTaskGroup(of: Void.self) { tasks in
            tasks.addTask { try await group.run() }
            tasks.addTask {
                let pool = PostgresPool(compositions[0].settings.postgres, maximumConnections: 2, logger: journal.logger())
                do {
                    let system = try await TestSystem(
                        servers: servers,
                        name: name,
                        compositions: compositions,
                        clock: clock,
                        journal: journal,
                        pool: pool,
                        http: http,
                        mail: mail,
                        relay: relay,
                        whole: plan.apart.isEmpty
                    )
                    try await $running.withValue(system) { try await body() }
                    try await system.checkWhatAlwaysHolds(mayLogErrors: plan.mayLogErrors)
                    await pool.close()
                } catch {
                    await pool.close()
                    throw error
                }
                await group.triggerGracefulShutdown()
            }
            // Not waitForAll, which would wait for the roles before it says that the body failed.
            for try await _ in tasks {}
        }
    }

    /// The first with every role, the others with those that are to have replicas.
    private static func compositions(
        _ plan: Plan,
        named name: String,
        in folder: URL,
        servers: TestServers,
        clock: TestClock,
        journal: Journal,
        mail: MailServer?,
        relay: Relay?
    ) async throws -> [Composition] {
        // The gateway's port first, then as the services' numbers go.
        let width = 16
        let first = try await TestServers.freePorts(width * plan.replicas)
        let bases = (0..<plan.replicas).map { first + $0 * width }
        return try bases.map { base in
            var values: [AbsoluteConfigKey: ConfigValue] = [
                "environment": "development",
                "postgres.url": .init(.string(servers.postgresURL(name)), isSecret: true),
                "amqp.url": .init(.string(servers.amqpURL(name)), isSecret: true),
                "data.dir": .init(.string(folder.path), isSecret: false),
                "password.rounds": 1,
                "erasures.file": .init(.string(folder.appending(path: "erasures").path), isSecret: false),
                "port": .init(.int(base), isSecret: false),
                "service.port.base": .init(.int(base), isSecret: false),
                "services.reservas": .init(
                    .string(bases.map { "http://127.0.0.1:\($0 + ServiceName.reservas.portOffset)" }.joined(separator: ",")),
                    isSecret: false
                ),
            ]
            if let mail {
                values["smtp.url"] = .init(.string("smtp://127.0.0.1:\(mail.port)"), isSecret: true)
                values["mail.from"] = "no-reply@coworkflow.test"
            }
            if let relay {
                for channel in ["sms", "push"] {
                    values[AbsoluteConfigKey([channel, "url"])] = .init(.string(relay.url), isSecret: false)
                    values[AbsoluteConfigKey([channel, "key"])] = .init(.string(Relay.key), isSecret: true)
                }
            }
            if let years = plan.booksYears { values["books.years"] = .init(.int(years), isSecret: false) }
            let settings = try Settings(ConfigReader(provider: InMemoryProvider(values: values)))
            return try Composition(settings, clock: { clock.now }, logger: journal.logger())
        }
    }

    private init(
        servers: TestServers,
        name: String,
        compositions: [Composition],
        clock: TestClock,
        journal: Journal,
        pool: PostgresPool,
        http: HTTPClient,
        mail: MailServer?,
        relay: Relay?,
        whole: Bool
    ) async throws {
        self.servers = servers
        self.name = name
        self.compositions = compositions
        self.clock = clock
        self.journal = journal
        self.pool = pool
        self.mail = mail
        self.relay = relay
        confidential = Confidential()
        let visitor = Client(http: http, address: "http://127.0.0.1:\(compositions[0].settings.gatewayPort)")
        self.visitor = visitor
        // It is not ready while something of it is left to the test to start.
        let path = whole ? "/ready" : "/health"
        try await eventually("the system is ready", within: .seconds(30)) { (try? await visitor.get(path))?.status == 200 }
        let person = Person("administradora", confidential)
        let id = try await compositions[0].createAdministrator(email: person.email, password: person.password, name: person.name)
        founder = try await person.logIn(visitor, id: id.texto)
        try await publishPlans()
    }

    /// As shipped.
    private func publishPlans() async throws {
        for (plan, name, discount) in [("basic", "Basic", 0), ("premium", "Premium", 10), ("enterprise", "Enterprise", 20)] {
            let body: JSONValue = ["name": .string(name), "discount_percent": .number(Double(discount)), "monthly_fee_cents": 0]
            try await founder.client.persistently { try await $0.put("/plans/\(plan)", body, key: "plan") }.expect(200)
        }
    }
}

/// Runs a suite on a system of its own.
struct SystemTrait: SuiteTrait, TestScoping {
    let plan: TestSystem.Plan

    func provideScope(
        for test: Test,
        testCase: Test.Case?,
        performing function: @Sendable () async throws -> Void
    ) async throws {
        try await withoutActuallyEscaping(function) { function in
            try await TestSystem.run(plan, function)
        }
    }
}

extension Trait where Self == SystemTrait {
    static func system(
        startsAt: String? = nil, replicas: Int = 1, mayLogErrors: Bool = false, sendsMail: Bool = false,
        apart: Set<ServiceName> = [], relays: Bool = false, booksYears: Int? = nil
    ) -> Self {
        SystemTrait(
            plan: .init(
                startsAt: startsAt, replicas: replicas, mayLogErrors: mayLogErrors, sendsMail: sendsMail, apart: apart, relays: relays,
                booksYears: booksYears
            )
        )
    }
}

/// One system at a time: the machine has few cores and the servers few connections.
@Suite(.serialized) enum WholeSystem {}
