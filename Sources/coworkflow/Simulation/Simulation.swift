import AMQP
import AnalyticsService
import AsyncHTTPClient
import CheckinService
import Domain
import EventStore
import FinanceiroService
import FoundationEssentials
import HTTP
import Logging
import NIOCore
import NIOHTTP1
import NotificacoesService
import PagamentosService
import Postgres
import PrecosService
import ReservasService
import ServiceLifecycle
import Synchronization
import UnixSignals
import UsuariosService

/// A stretch of the business's life, lived through the public API on a clock of its own: every role runs in this process, and the log that it
/// leaves cannot be told from one that took as long.
struct Simulation: Sendable {
    /// Simulated people's passwords are random and thrown away, so that hashing them dear would protect nothing.
    private static let passwordRounds = 1_000
    private static let startPatience = Duration.seconds(60)

    let settings: Settings
    let plan: SimulationPlan
    let logger: Logger
    /// How far it is: day, days, bookings, since when.
    let progress: @Sendable (SimulationProgress) -> Void

    /// What came of it.
    struct Outcome: Sendable {
        let figures: [SimulationFigure]
        let checks: [SimulationCheck]
        let elapsed: Duration
        let events: Int64
    }

    /// - Parameter checking: whether everything is checked and counted at the end.
    /// - Throws: `SimulationError.notEmpty` where the log has an event already.
    func run(checking: Bool) async throws -> Outcome? {
        guard settings.payments.sandbox != nil else { throw Settings.Problem.invalid("payments.provider", "must be sandbox to simulate") }
        guard try await isLogEmpty() else { throw SimulationError.notEmpty }
        let clock = SimulatedClock(at: plan.start)
        var own = settings
        own.outgoing = .none
        own.passwordRounds = min(own.passwordRounds, Self.passwordRounds)
        let composition = try Composition(own, clock: { clock.now }, wakes: clock.wakes, logger: logger)
        var services: [any Service] = []
        for role in Role.all { services += try await composition.services(for: role) }
        let receiver = SimulatedReceiver(
            clock: clock, leaves: plan.start + Duracao(microssegundos: (plan.end - plan.start).microssegundos / 3))
        let (listening, listens) = AsyncStream<Void>.makeStream()
        services.append(receiver.server(logger) { listens.finish() })
        // The demo's logins are known to everyone and are to be hashed as configured.
        let catalogue = try Composition(settings, clock: { clock.now }, logger: logger)
        let parts = catalogue.commandParts("simulate")
        services += parts.services
        // Last, because services are asked to stop in reverse: it knows before any other goes.
        let stop = StopNote()
        services.append(stop)
        var configuration = ServiceGroupConfiguration(
            services: services.map { .init(service: $0) },
            gracefulShutdownSignals: [.sigterm, .sigint],
            logger: logger
        )
        configuration.maximumGracefulShutdownDuration = .seconds(25)
        let group = ServiceGroup(configuration: configuration)
        return try await withThrowingTaskGroup(of: Outcome?.self) { tasks in
            tasks.addTask {
                try await group.run()
                return nil
            }
            tasks.addTask {
                do {
                    for await _ in listening {}
                    let demo = DemoData(composition: catalogue, parts: parts)
                    let outcome = try await live(clock, composition, demo, receiver, checking: checking)
                    await group.triggerGracefulShutdown()
                    return outcome
                } catch {
                    // What fails because everything is being stopped is no failure.
                    let isStopped = stop.isStopped
                    await group.triggerGracefulShutdown()
                    throw isStopped ? SimulationError.stopped : error
                }
            }
            // The first to end is the driver, unless somebody stops it.
            let first = try await tasks.next() ?? nil
            guard let first else {
                tasks.cancelAll()
                throw SimulationError.stopped
            }
            while try await tasks.next() != nil {}
            return checking ? first : nil
        }
    }

    /// Notes that somebody wants the simulation to end.
    private final class StopNote: Service {
        private let noted = Mutex(false)

        var isStopped: Bool { noted.withLock { $0 } }

        func run() async throws {
            try await gracefulShutdown()
            noted.withLock { $0 = true }
        }
    }

    private func live(
        _ clock: SimulatedClock,
        _ composition: Composition,
        _ demo: DemoData,
        _ receiver: SimulatedReceiver,
        checking: Bool
    ) async throws -> Outcome {
        var http = HTTPClient.Configuration()
        http.connectionPool.concurrentHTTP1ConnectionsPerHostSoftLimit = 32
        let connection = HTTPClient(eventLoopGroupProvider: .singleton, configuration: http)
        let pool = PostgresPool(settings.postgres.with(applicationName: "coworkflow simulate"), maximumConnections: 2, logger: logger)
        let watch = PostgresPool(watching, maximumConnections: 1, logger: logger)
        let outcome: Result<Outcome, any Error>
        do {
            outcome = .success(try await drive(clock, composition, demo, receiver, connection, (pool, watch), checking: checking))
        } catch {
            outcome = .failure(error)
        }
        await watch.close()
        await pool.close()
        try await connection.shutdown()
        return try outcome.get()
    }

    private func drive(
        _ clock: SimulatedClock,
        _ composition: Composition,
        _ demo: DemoData,
        _ receiver: SimulatedReceiver,
        _ http: HTTPClient,
        _ pools: (audit: PostgresPool, watch: PostgresPool),
        checking: Bool
    ) async throws -> Outcome {
        let pool = pools.audit
        let started = ContinuousClock.now
        let client = SimulationClient(
            http: http,
            gateway: "http://127.0.0.1:\(settings.gatewayPort)",
            sandbox: settings.payments.sandbox?.url ?? ""
        )
        let rest = Rest(pool: pools.watch, clock: clock, client: client, contexts: Self.contexts(composition))
        try await waitUntilReady(http, client, demo)
        try await demo.load()
        let plan = plan
        let driver = SimulationDriver(
            plan: plan, clock: clock, client: client, rest: rest, home: try composition.zones.zone("America/Sao_Paulo")
        ) { [progress] day, bookings in
            progress(SimulationProgress(day: day, days: plan.days, bookings: bookings, elapsed: ContinuousClock.now - started))
        }
        try await driver.run(zones: composition.zones, receiver: receiver)
        let elapsed = ContinuousClock.now - started
        let events = try await pool.withConnection { try $0.query("select head from log.writer").first?.get(0, Int64.self) ?? 0 }
        guard checking else { return Outcome(figures: [], checks: [], elapsed: elapsed, events: events) }
        let audit = SimulationAudit(settings: settings, pool: pool, client: client, clock: clock, plan: plan, logger: logger)
        let figures = try await audit.figures() + driver.refusalFigures()
        let checks = try await audit.checks(as: driver.administrator, receiver)
        return Outcome(figures: figures, checks: checks, elapsed: elapsed, events: events)
    }

    /// The plan of the question whether all is at rest is made while the log is empty, and kept: it must not read whole tables.
    private var watching: PostgresConfiguration {
        var configuration = settings.postgres.with(applicationName: "coworkflow simulate rest")
        configuration.options["enable_seqscan"] = "off"
        configuration.options["jit"] = "off"
        // To start a worker takes longer than the answer.
        configuration.options["max_parallel_workers_per_gather"] = "0"
        return configuration
    }

    /// What each policy, and what writes down deliveries to webhooks, listens to; nil for everything.
    private static func contexts(_ composition: Composition) -> [String: Set<String>?] {
        let policies: [any Policy] = [
            UsuariosPolicy(), PrecosPolicy(), ReservasPolicy(), PagamentosDasReservas(), PagamentosPolicy(), CheckinPolicy(),
            NotificacoesPolicy(), AnalyticsPolicy(zones: composition.zones), FinanceiroPolicy(), BooksPolicy(),
        ]
        var contexts: [String: Set<String>?] = Dictionary(uniqueKeysWithValues: policies.map { ($0.name, $0.contexts) })
        contexts[WebhookOutbox.subscription] = .some(nil)
        return contexts
    }

    private func waitUntilReady(_ http: HTTPClient, _ client: SimulationClient, _ demo: DemoData) async throws {
        let deadline = ContinuousClock.now + Self.startPatience
        while ContinuousClock.now < deadline {
            let request = HTTPClientRequest(url: "\(client.gateway)/ready")
            if let response = try? await http.execute(request, timeout: .seconds(2)), response.status == .ok {
                try await demo.parts.connection.waitUntilConnected(timeout: .seconds(30))
                return
            }
            try await Task.sleep(for: .milliseconds(50))
        }
        throw SimulationError.restless("it is not ready after 60 s: see \(client.gateway)/ready")
    }

    func isLogEmpty() async throws -> Bool {
        let pool = PostgresPool(settings.postgres.with(applicationName: "coworkflow simulate"), maximumConnections: 1, logger: logger)
        let head: Int64?
        do {
            head = try await pool.withConnection { try $0.query("select head from log.writer").first?.get(0, Int64.self) }
        } catch {
            await pool.close()
            throw error
        }
        await pool.close()
        return head == 0
    }
}

/// How far a simulation is.
struct SimulationProgress: Sendable {
    let day: Int
    let days: Int
    let bookings: Int
    let elapsed: Duration
}
