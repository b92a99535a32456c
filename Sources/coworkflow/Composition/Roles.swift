import AMQP
import AnalyticsService
import CheckinService
import Crypto
import Domain
import EspacosService
import EventStore
import FinanceiroService
import FoundationEssentials
import Gateway
import HTTP
import Hummingbird
import Logging
import NotificacoesService
import PagamentosService
import Postgres
import PrecosService
import Projections
import ReservasService
import SandboxPSP
import ServiceLifecycle
import UsuariosService

/// What a process can be.
enum Role: Hashable, Sendable {
    case eventStore
    case projections
    case service(ServiceName)
    case gateway
    /// The payment provider of development, which moves no money.
    case sandboxPSP

    /// In the order in which they start; they stop in the reverse.
    static let all: [Role] = [.sandboxPSP, .eventStore, .projections] + ServiceName.allCases.map { .service($0) } + [.gateway]

    var name: String {
        switch self {
        case .eventStore: "event-store"
        case .projections: "projections"
        case .service(let service): service.rawValue
        case .gateway: "gateway"
        case .sandboxPSP: "sandbox-psp"
        }
    }

    /// The command line that runs it alone.
    var arguments: [String] {
        switch self {
        case .service(let service): ["serve", service.rawValue]
        case .eventStore, .projections, .gateway, .sandboxPSP: [name]
        }
    }
}

/// Puts the parts of a role together. The only place that knows them all.
struct Composition: Sendable {
    typealias Wakes = @Sendable (_ kinds: Set<String>, _ wake: @escaping @Sendable () -> Void) -> Void

    let settings: Settings
    let logger: Logger
    let clock: @Sendable () -> Int64
    /// Is handed the kinds of commands that a part gives when they are due, and what wakes it: whoever sets the clock calls that.
    let wakes: Wakes
    let zones: ZoneCatalog

    /// - Throws: `ZoneCatalog.Problem` where the system's tzdata lacks what every role needs.
    init(
        _ settings: Settings,
        clock: @escaping @Sendable () -> Int64 = systemMicroseconds,
        wakes: @escaping Wakes = { _, _ in },
        logger: Logger
    ) throws {
        self.settings = settings
        self.logger = logger
        self.clock = clock
        self.wakes = wakes
        zones = ZoneCatalog()
        _ = try zones.zone("America/Sao_Paulo")
    }

    /// Everything that runs for a role, in the order in which it starts.
    func services(for role: Role) async throws -> [any Service] {
        switch role {
        case .eventStore: eventStore()
        case .projections: projections()
        case .service(let name): try service(name)
        case .gateway: try await gateway()
        case .sandboxPSP: try sandboxPSP()
        }
    }

    func logger(_ role: Role) -> Logger {
        var logger = logger
        logger[metadataKey: "role"] = "\(role.name)"
        return logger
    }

    private func pool(_ role: DatabaseRole, _ name: String, maximum: Int) -> PostgresPool {
        PostgresPool(
            settings.postgres.taking(role).with(applicationName: "coworkflow \(name)"),
            maximumConnections: maximum,
            logger: logger
        )
    }

    private func broker(_ name: String, _ topology: AMQPTopology, heartbeat: Duration? = nil) -> AMQPConnection {
        var configuration = settings.amqp
        if let heartbeat { configuration.heartbeat = min(heartbeat, configuration.heartbeat) }
        configuration.connectionName = "coworkflow \(name)"
        return AMQPConnection(configuration, topology: topology, logger: logger)
    }

    private var signer: IdentitySigner { IdentitySigner(key: settings.secrets.identity, clock: clock) }

    private func eventStore() -> [any Service] {
        // A broker gives a consumer up after two to three missed heartbeats: a standby is to take over within five seconds.
        let connection = broker("event-store", settings.broker.topology, heartbeat: .seconds(1))
        let recorder = Recorder(
            database: settings.postgres,
            connection: connection,
            broker: settings.broker,
            clock: clock,
            logger: logger(.eventStore)
        )
        return [BrokerService(connection: connection), recorder]
    }

    private func projections() -> [any Service] {
        let queue = EventFeed.Queue(process: "projections", contexts: nil, broker: settings.broker)
        let connection = broker("projections", queue.added(to: settings.broker.topology))
        let feed = EventFeed(connection: connection, queue: queue, logger: logger(.projections))
        let pool = PostgresPool(
            Projections.configuration(settings.postgres).with(applicationName: "coworkflow projections"),
            maximumConnections: Projections.models.count + 2,
            logger: logger
        )
        let keys = self.pool(.keyring, "projections", maximum: 1)
        let subscriptions = Projections.subscriptions(
            feed: feed,
            reader: LogReader(pool: pool),
            pool: pool,
            opener: Keyring(pool: keys, master: settings.secrets.master),
            logger: logger(.projections)
        )
        return [PoolService([pool, keys]), BrokerService(connection: connection), feed] + subscriptions
    }

    /// What it takes to give commands.
    struct CommandParts: Sendable {
        let commands: CommandHandling
        let reader: LogReader
        let keyring: Keyring
        let pool: PostgresPool
        let connection: AMQPConnection
        let services: [any Service]
    }

    func commandParts(_ name: String, feed queue: EventFeed.Queue? = nil) -> CommandParts {
        let base = settings.broker.topology
        let connection = broker(name, queue?.added(to: base) ?? base)
        let client = AppendClient(connection: connection, broker: settings.broker, clock: clock, logger: logger)
        let pool = pool(.service, name, maximum: 4)
        let keys = self.pool(.keyring, name, maximum: 1)
        let reader = LogReader(pool: pool)
        return CommandParts(
            commands: CommandHandling(
                executor: CommandExecutor(reader: reader, client: client, clock: clock),
                fingerprintKey: settings.secrets.fingerprint,
                clock: clock
            ),
            reader: reader,
            keyring: Keyring(pool: keys, master: settings.secrets.master),
            pool: pool,
            connection: connection,
            services: [PoolService([pool, keys]), BrokerService(connection: connection), client]
        )
    }

    /// Hashes one password to begin with: for those who will need it.
    func accounts(_ parts: CommandParts) throws -> Accounts {
        Accounts(
            keyring: parts.keyring,
            emailKey: settings.secrets.email,
            hasher: try PasswordHasher(rounds: settings.passwordRounds)
        )
    }

    private func service(_ name: ServiceName) throws -> [any Service] {
        let role = Role.service(name)
        let router = ServiceRouter.make(signer: signer)
        let policy = feeds(name).map { EventFeed.Queue(process: name.rawValue, contexts: $0.contexts, broker: settings.broker) }
        let parts = commandParts(name.rawValue, feed: policy)
        var services = parts.services
        let dependencies = ServiceDependencies(
            commands: parts.commands,
            reader: parts.reader,
            keyring: parts.keyring,
            zones: zones,
            signer: signer
        )
        switch name {
        case .usuarios:
            let erasure = AccountErasure(schedule: ScheduleReader(pool: parts.pool))
            UsuariosRoutes(dependencies, accounts: try accounts(parts), erasure: erasure).add(to: router)
            if let policy { services += run(UsuariosPolicy(), doing: usuariosHandlers(parts), parts, queue: policy, logger: logger(role)) }
        case .espacos: EspacosRoutes(dependencies).add(to: router)
        case .precos:
            PrecosRoutes(dependencies).add(to: router)
            let handlers = PrecosPolicy().handlers(parts.commands, zones: zones)
            if let policy { services += run(PrecosPolicy(), doing: handlers, parts, queue: policy, logger: logger(role)) }
        case .reservas:
            ReservasRoutes(dependencies, policies: Self.policiesOfBookings).add(to: router)
            let paid = PagamentosDasReservas()
            let handlers = ReservasPolicy().handlers(dependencies, schedule: ScheduleReader(pool: parts.pool))
                .merging(paid.handlers(parts.commands)) { $1 }
            if let policy { services += run(ReservasPolicy(), paid, doing: handlers, parts, queue: policy, logger: logger(role)) }
        case .notificacoes: services += try notificacoes(dependencies, parts, router: router, queue: policy)
        case .pagamentos:
            let provider = try settings.payments.makeProvider()
            PagamentosRoutes(dependencies, provider: provider).add(to: router)
            let handlers = PagamentosPolicy().handlers(parts.commands, reader: parts.reader, provider: provider)
            services.append(ProviderLifetime(provider: provider))
            if let policy { services += run(PagamentosPolicy(), doing: handlers, parts, queue: policy, logger: logger(role)) }
        case .checkin:
            CheckinRoutes(dependencies).add(to: router)
            let handlers = CheckinPolicy().handlers(parts.commands)
            if let policy { services += run(CheckinPolicy(), doing: handlers, parts, queue: policy, logger: logger(role)) }
        case .analytics:
            // It takes no commands from outside: the days close by themselves.
            let closing = AnalyticsPolicy(zones: zones)
            let handlers = closing.handlers(parts.commands, reader: parts.reader)
            if let policy { services += run(closing, doing: handlers, parts, queue: policy, logger: logger(role)) }
        case .financeiro:
            FinanceiroRoutes(dependencies, work: OpenWorkReader(pool: parts.pool), term: settings.booksTerm).add(to: router)
            let (entries, books) = (FinanceiroPolicy(), BooksPolicy())
            let handlers = entries.handlers(parts.commands, zones: zones)
                .merging(books.handlers(parts.commands, keyring: parts.keyring, term: settings.booksTerm, list: listErasure)) { $1 }
            if let policy { services += run(entries, books, doing: handlers, parts, queue: policy, logger: logger(role)) }
        }
        let port = settings.servicePortBase + name.portOffset
        return services + [ServiceRouter.application(router, host: settings.host, port: port, name: name.rawValue, logger: logger(role))]
    }

    /// Whose commands touch bookings, their presences and their payments.
    static let policiesOfBookings: [any Policy] = [ReservasPolicy(), PagamentosDasReservas(), CheckinPolicy(), PagamentosPolicy()]

    /// What a service listens to.
    private struct Listening {
        /// Nil for all.
        let contexts: Set<String>?
    }

    /// Nil for a service without a policy.
    private func feeds(_ name: ServiceName) -> Listening? {
        switch name {
        case .usuarios: Listening(contexts: UsuariosPolicy().contexts)
        case .precos: Listening(contexts: PrecosPolicy().contexts)
        case .reservas: Listening(contexts: ReservasPolicy().contexts.union(PagamentosDasReservas().contexts))
        case .pagamentos: Listening(contexts: PagamentosPolicy().contexts)
        case .checkin: Listening(contexts: CheckinPolicy().contexts)
        // Webhooks may be told of anything.
        case .notificacoes: Listening(contexts: nil)
        case .analytics: Listening(contexts: AnalyticsPolicy(zones: zones).contexts)
        case .financeiro: Listening(contexts: FinanceiroPolicy().contexts.union(BooksPolicy().contexts))
        case .espacos: nil
        }
    }

    private func usuariosHandlers(_ parts: CommandParts) -> [String: TimerRunner.Handler] {
        UsuariosPolicy().handlers(parts.keyring, keys: keysOfPerson(parts), list: listErasure)
    }

    /// Writes down, where no backup reaches it, that a key goes.
    private var listErasure: @Sendable (_ subject: String) async throws -> Void {
        let (list, clock) = (settings.erasures.map(ErasureList.init(path:)), clock)
        return { subject in try await list?.append(Erasure(subject: subject, at: Instante(microssegundos: clock()))) }
    }

    func keysOfPerson(_ parts: CommandParts) -> KeysOfPerson {
        KeysOfPerson(reader: parts.reader, keyring: parts.keyring, emailKey: settings.secrets.email)
    }

    /// Runs a service's policies, which share a feed and a runner of timers.
    private func run(
        _ policies: any Policy...,
        doing handlers: [String: TimerRunner.Handler],
        _ parts: CommandParts,
        queue: EventFeed.Queue,
        logger: Logger
    ) -> [any Service] {
        let feed = EventFeed(connection: parts.connection, queue: queue, logger: logger)
        let timers = TimerRunner(pool: parts.pool, handlers: handlers, clock: clock, logger: logger)
        wakes(Set(handlers.keys)) { timers.ring() }
        let subscriptions = policies.map { policy in
            let target = PolicyTarget(policy, decoded: parts.reader.decoded, pool: parts.pool, timers: timers)
            return Subscription(target, feed: feed, reader: parts.reader, logger: logger)
        }
        return [timers, feed] + subscriptions
    }

    private func sandboxPSP() throws -> [any Service] {
        guard let sandbox = settings.payments.sandbox else {
            throw Settings.Problem.invalid("payments.provider", "must be sandbox where the sandbox is to run")
        }
        let psp = try SandboxPSP(
            webhook: sandbox.webhook,
            key: sandbox.key,
            behaviour: sandbox.behaviour,
            path: sandbox.file,
            clock: clock,
            logger: logger(.sandboxPSP)
        )
        let server = ServiceRouter.application(
            psp.router(), host: settings.host, port: sandbox.port, name: "sandbox-psp", logger: logger(.sandboxPSP)
        )
        return [server, psp]
    }

    private func gateway() async throws -> [any Service] {
        let pool = pool(.gateway, "gateway", maximum: 8)
        let progress = ProgressWatcher(pool: pool, logger: logger(.gateway))
        let past = PastReadModels(
            analytics: Projections.configuration(settings.postgres).with(applicationName: "coworkflow gateway past"),
            logger: logger(.gateway)
        )
        var gatewaySettings = GatewaySettings(services: settings.serviceURLs, signingKeys: settings.secrets.signing)
        gatewaySettings.swaggerDirectory = settings.swaggerDirectory
        let gateway = try await Gateway(
            gatewaySettings,
            .init(pool: pool, progress: progress, past: past, signer: signer, zones: zones, clock: clock, logger: logger(.gateway))
        )
        let application = ServiceRouter.application(
            gateway.router(),
            host: settings.host,
            port: settings.gatewayPort,
            name: "gateway",
            logger: logger(.gateway)
        )
        return [PoolService([pool]), progress, past] + gateway.background + [application]
    }
}
