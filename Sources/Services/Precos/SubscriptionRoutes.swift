import Domain
import EventStore
import FoundationEssentials
import HTTP
import HTTPTypes
import Hummingbird

/// Subscriptions and credits over HTTP: members subscribe themselves, staff anybody.
struct SubscriptionRoutes: Sendable {
    /// The zone whose days the months are counted in: a subscription belongs to no unit.
    static let home = "America/Sao_Paulo"

    private let commands: CommandHandling
    private let reader: LogReader
    private let zones: ZoneCatalog

    init(commands: CommandHandling, reader: LogReader, zones: ZoneCatalog) {
        self.commands = commands
        self.reader = reader
        self.zones = zones
    }

    func add(to router: Router<CoworkRequestContext>) {
        PlanChangeRoutes(commands: commands, reader: reader, zones: zones).add(to: router)
        router.post("subscriptions", use: subscribe)
        router.delete("subscriptions/me", use: cancelOwn)
        router.delete("subscriptions/:user", use: cancel)
        router.post("subscriptions/:user/credits", use: grant)
    }

    private struct Input: Decodable {
        let plan: String
        /// For whom, where that is not the one who asks: operators only.
        let userId: String?
    }

    private struct Subscribed: Encodable, Sendable {
        let id: String
        let plan: String
        let periodEnd: String
        let monthlyFeeCents: Int64
        let dueAt: String?
        let message: String
    }

    @Sendable private func subscribe(_ request: Request, _ context: CoworkRequestContext) async throws -> CommandAnswer<Subscribed> {
        let identity = try context.signedIn()
        let (input, body) = try await request.json(Input.self)
        guard let plan = PlanoID(input.plan) else { throw Problem.invalid(field: "plan", "is no plan") }
        let user = try input.userId.map { text in
            guard let user = UsuarioID(text) else { throw Problem.invalid(field: "user_id", "must be the id of a user") }
            return user
        }
        let owner = user ?? identity.user
        guard owner == identity.user || identity.actor.opera else { throw RecusaDePrecos.soEquipe }
        let zone = try zones.zone(Self.home)
        let command = AssinarPlano(
            usuario: owner,
            plano: plan,
            ator: identity.actor,
            lote: commands.newID(),
            zona: zone,
            agora: commands.now
        )
        let execution = try await commands.run(request, context, body: body) { loader in
            let streams = try await loader.load([.usuario(owner), .assinatura(owner), .plano(plan)])
            _ = try Conta.dobrar(streams[.usuario(owner)] ?? []).exigirAtiva()
            return try command.decidir(
                assinatura: .dobrar(streams[.assinatura(owner)] ?? []),
                plano: .dobrar(streams[.plano(plan)] ?? [])
            )
        }
        return CommandAnswer(.created, try await view(of: owner, execution, zone), at: execution.position)
    }

    /// From the events, so that a repeat is answered like the first time; from the stream where there was one already.
    private func view(of user: UsuarioID, _ execution: Execution, _ zone: ZonaHoraria) async throws -> Subscribed {
        var due: Instante?
        for case .precos(.assinaturaIniciada(let event)) in execution.events { due = event.venceEm }
        var state = Assinatura.dobrar(execution.events)
        if execution.events.isEmpty { state = .dobrar(try await StreamLoader(reader: reader).load(.assinatura(user))) }
        guard let data = state.dados else { throw Problem.notFound }
        return Subscribed(
            id: user.texto,
            plan: data.plano.texto,
            periodEnd: data.periodo.fim.texto(em: zone),
            monthlyFeeCents: data.mensalidade.centavos,
            dueAt: due?.texto(em: zone),
            message: "Assinatura feita."
        )
    }

    @Sendable private func cancelOwn(_ request: Request, _ context: CoworkRequestContext) async throws -> CommandAnswer<Ended> {
        try await cancel(of: try context.signedIn().user, request, context)
    }

    @Sendable private func cancel(_ request: Request, _ context: CoworkRequestContext) async throws -> CommandAnswer<Ended> {
        let identity = try context.signedIn()
        let user: UsuarioID = try context.id("user")
        // Whether somebody else has a subscription is nobody's business.
        guard user == identity.user || identity.actor.opera else { throw Problem.notFound }
        return try await cancel(of: user, request, context)
    }

    private struct Ended: Encodable, Sendable {
        let message: String
        /// Until when the plan and its credits last.
        let endsAt: String?
    }

    private func cancel(
        of user: UsuarioID,
        _ request: Request,
        _ context: CoworkRequestContext
    ) async throws -> CommandAnswer<Ended> {
        let identity = try context.signedIn()
        let execution = try await commands.run(request, context, body: []) { loader in
            try CancelarAssinatura(usuario: user, ator: identity.actor, agora: commands.now)
                .decidir(assinatura: .dobrar(try await loader.load(.assinatura(user))))
        }
        let state = Assinatura.dobrar(try await StreamLoader(reader: reader).load(.assinatura(user)))
        var end: Instante?
        if case .cancelada(_, let terminaEm) = state.situacao { end = terminaEm }
        let zone = try zones.zone(Self.home)
        return CommandAnswer(Ended(message: "Assinatura cancelada.", endsAt: end?.texto(em: zone)), at: execution.position)
    }

    private struct Grant: Decodable {
        let minutes: Int
        let expiresAt: String?
    }

    @Sendable private func grant(_ request: Request, _ context: CoworkRequestContext) async throws -> CommandAnswer<Created> {
        let identity = try context.signedIn(atLeast: .recepcao)
        let user: UsuarioID = try context.id("user")
        let (input, body) = try await request.json(Grant.self)
        guard let minutes = Minutos(input.minutes) else { throw Problem.invalid(field: "minutes", "must be a number of minutes") }
        let zone = try zones.zone(Self.home)
        let command = ConcederCreditos(
            usuario: user,
            lote: commands.newID(),
            minutos: minutes,
            expiraEm: try input.expiresAt.map { try TimeInput.instant($0, field: "expires_at", zone: zone) },
            ator: identity.actor,
            agora: commands.now
        )
        let execution = try await commands.run(request, context, body: body) { loader in
            let streams = try await loader.load([.usuario(user), .assinatura(user)])
            _ = try Conta.dobrar(streams[.usuario(user)] ?? []).exigirAtiva()
            return try command.decidir(assinatura: .dobrar(streams[.assinatura(user)] ?? []))
        }
        var lot = command.lote
        for case .precos(.creditosConcedidos(let event)) in execution.events { lot = event.lote }
        return CommandAnswer(.created, Created(id: lot.texto, message: "Créditos concedidos."), at: execution.position)
    }
}
