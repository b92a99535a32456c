package import HTTP
package import Hummingbird
package import Logging
package import Postgres
package import Projections
package import ServiceLifecycle

/// The one door: it knows who asks, passes commands on to the services, and answers queries from the read models.
package struct Gateway: Sendable {
    /// What the gateway works with besides its settings.
    package struct Dependencies: Sendable {
        let pool: PostgresPool
        let progress: ProgressWatcher
        let past: PastReadModels
        let signer: IdentitySigner
        let zones: ZoneCatalog
        let clock: @Sendable () -> Int64
        let logger: Logger

        /// - Parameters:
        ///   - pool: of the role `DatabaseRole.gateway`.
        ///   - progress: of the same database; whoever runs the gateway runs it too.
        ///   - past: analytics as it was, for `as_of`; of the same database, and to be run too.
        ///   - signer: with the key that the services verify identities by.
        ///   - clock: microseconds since the Unix epoch.
        package init(
            pool: PostgresPool,
            progress: ProgressWatcher,
            past: PastReadModels,
            signer: IdentitySigner,
            zones: ZoneCatalog,
            clock: @escaping @Sendable () -> Int64,
            logger: Logger
        ) {
            self.pool = pool
            self.progress = progress
            self.past = past
            self.signer = signer
            self.zones = zones
            self.clock = clock
            self.logger = logger
        }
    }

    private let services: ServiceClient
    private let cleaner: RefreshTokenCleaner
    private let sessions: SessionRoutes
    private let commands: CommandRoutes
    private let queries: QueryRoutes
    private let contract: ContractRoutes
    private let readiness: ReadinessRoutes
    private let tokens: AccessTokens
    private let ended: EndedSessions
    private let live: LiveEvents

    /// Opens no connection yet.
    ///
    /// - Throws: where a signing key cannot be used or the directory of the API's browser holds none.
    package init(_ settings: GatewaySettings, _ dependencies: Dependencies) async throws {
        tokens = try await AccessTokens(
            signingKeys: settings.signingKeys,
            lifetime: settings.accessLifetime.components.seconds,
            clock: dependencies.clock
        )
        contract = try ContractRoutes(keySet: tokens.keySet, swaggerDirectory: settings.swaggerDirectory)
        // After all that can fail: a client must be shut down before it is let go.
        services = ServiceClient(services: settings.services, signer: dependencies.signer, timeout: settings.requestTimeout)
        let refreshTokens = RefreshTokens(
            pool: dependencies.pool,
            lifetime: settings.refreshLifetime.components.seconds,
            clock: dependencies.clock
        )
        cleaner = RefreshTokenCleaner(tokens: refreshTokens, logger: dependencies.logger)
        let proxy = CommandProxy(client: services)
        let contas = ContasQueries(pool: dependencies.pool)
        ended = EndedSessions(contas: contas, lifetime: tokens.lifetime, clock: dependencies.clock, logger: dependencies.logger)
        sessions = SessionRoutes(
            proxy: proxy,
            access: tokens,
            refresh: refreshTokens,
            ended: ended,
            contas: contas,
            clock: dependencies.clock
        )
        commands = CommandRoutes(proxy: proxy)
        queries = QueryRoutes(
            desk: QueryDesk(progress: dependencies.progress),
            pool: dependencies.pool,
            contas: contas,
            catalogo: CatalogoQueries(pool: dependencies.pool),
            beneficios: BeneficiosQueries(pool: dependencies.pool),
            agenda: AgendaQueries(pool: dependencies.pool),
            reservas: ReservasQueries(pool: dependencies.pool),
            notificacoes: NotificacoesQueries(pool: dependencies.pool),
            pagamentos: PagamentosQueries(pool: dependencies.pool),
            presencas: PresencasQueries(pool: dependencies.pool),
            displays: dependencies.signer.displayCodes,
            razao: RazaoQueries(pool: dependencies.pool),
            deadLetters: DeadLetterQueries(pool: dependencies.pool),
            history: AnalyticsHistory(past: dependencies.past, pool: dependencies.pool),
            progress: dependencies.progress,
            zones: dependencies.zones,
            clock: dependencies.clock
        )
        live = LiveEvents(queries: NotificacoesQueries(pool: dependencies.pool), logger: dependencies.logger)
        readiness = ReadinessRoutes(pool: dependencies.pool, services: services)
    }

    /// Every path of the API, plain and under `/api`.
    package func router() -> Router<CoworkRequestContext> {
        let router = Router(context: CoworkRequestContext.self, options: .autoGenerateHeadEndpoints)
        router.middlewares.add(RequestIDMiddleware())
        router.middlewares.add(ResponseHeadersMiddleware())
        router.middlewares.add(ProblemMiddleware())
        router.middlewares.add(MetricsMiddleware())
        router.middlewares.add(DatabaseErrorMiddleware(answering: .unavailable))
        for base in [router.group(), router.group("api")] {
            let doors = Doors(base, tokens: tokens, ended: ended)
            sessions.add(to: doors)
            commands.add(to: doors)
            queries.add(to: doors)
            LiveRoutes(live: live, ended: ended).add(to: doors)
            contract.add(to: doors)
            readiness.add(to: doors)
        }
        return router
    }

    /// What has to run while the router answers. They stop in the reverse order, after the server.
    package var background: [any Service] {
        [ServiceClientLifetime(client: services), cleaner, ended, live]
    }
}
