import Domain
import EventStore
import FoundationEssentials
import HTTP
import HTTPTypes
import Hummingbird

/// Changes of a subscription's plan over HTTP: members change their own, staff anybody's.
struct PlanChangeRoutes: Sendable {
    private let commands: CommandHandling
    private let reader: LogReader
    private let zones: ZoneCatalog

    init(commands: CommandHandling, reader: LogReader, zones: ZoneCatalog) {
        self.commands = commands
        self.reader = reader
        self.zones = zones
    }

    func add(to router: Router<CoworkRequestContext>) {
        router.post("subscriptions/me/change") { request, context in
            try await change(of: try context.signedIn().user, request, context)
        }
        router.delete("subscriptions/me/change") { request, context in
            try await takeBack(of: try context.signedIn().user, request, context)
        }
        router.post("subscriptions/:user/change") { request, context in
            try await change(of: try other(context), request, context)
        }
        router.delete("subscriptions/:user/change") { request, context in
            try await takeBack(of: try other(context), request, context)
        }
    }

    /// Whether somebody else has a subscription is nobody's business.
    private func other(_ context: CoworkRequestContext) throws -> UsuarioID {
        let identity = try context.signedIn()
        let user: UsuarioID = try context.id("user")
        guard user == identity.user || identity.actor.opera else { throw Problem.notFound }
        return user
    }

    private struct Input: Decodable {
        let plan: String
    }

    private struct Changed: Encodable, Sendable {
        let message: String
        /// The plan that holds now.
        let plan: String
        /// The plan from the renewal on, where that is another.
        let nextPlan: String?
        /// Since when, or from when on, the plan that was asked for holds.
        let effectiveAt: String
        /// What the days that are left of the period cost more; absent where nothing changes before the renewal.
        let differenceCents: Int64?
        let dueAt: String?
        let days: Int?
        let remainingDays: Int?
    }

    private func change(
        of user: UsuarioID,
        _ request: Request,
        _ context: CoworkRequestContext
    ) async throws -> CommandAnswer<Changed> {
        let identity = try context.signedIn()
        let (input, body) = try await request.json(Input.self)
        guard let plan = PlanoID(input.plan) else { throw Problem.invalid(field: "plan", "is no plan") }
        let lot: LoteID = commands.newID()
        let execution = try await commands.run(request, context, body: body) { loader in
            let streams = try await loader.load([.usuario(user), .assinatura(user), .plano(plan)])
            _ = try Conta.dobrar(streams[.usuario(user)] ?? []).exigirAtiva()
            let subscription = Assinatura.dobrar(streams[.assinatura(user)] ?? [])
            let present = try await loader.load(.plano(subscription.dados?.plano ?? .basic))
            let zone = try zones.zone(subscription.dados?.periodo.fuso ?? SubscriptionRoutes.home)
            return try TrocarPlano(usuario: user, plano: plan, ator: identity.actor, lote: lot, zona: zone, agora: commands.now)
                .decidir(assinatura: subscription, atual: .dobrar(present), novo: .dobrar(streams[.plano(plan)] ?? []))
        }
        return CommandAnswer(.ok, try await view(of: user, execution), at: execution.position)
    }

    private func takeBack(
        of user: UsuarioID,
        _ request: Request,
        _ context: CoworkRequestContext
    ) async throws -> CommandAnswer<Changed> {
        let identity = try context.signedIn()
        let execution = try await commands.run(request, context, body: []) { loader in
            try DesfazerTroca(usuario: user, ator: identity.actor, agora: commands.now)
                .decidir(assinatura: .dobrar(try await loader.load(.assinatura(user))))
        }
        return CommandAnswer(.ok, try await view(of: user, execution), at: execution.position)
    }

    /// As the command left it: rebuilt from the events up to its position, so that a repeat is answered like the first time.
    private func view(of user: UsuarioID, _ execution: Execution) async throws -> Changed {
        let name = NomeDeFluxo.assinatura(user).texto
        var recorded = try await reader.streams([name])[name] ?? []
        if !execution.events.isEmpty { recorded = recorded.filter { $0.position <= execution.position } }
        guard let data = Assinatura.dobrar(try recorded.map(reader.decoded.event)).dados else { throw Problem.notFound }
        let zone = try zones.zone(data.periodo.fuso)
        var change: PlanoTrocado?
        for case .precos(.planoTrocado(let event)) in execution.events { change = event }
        let now = change?.em ?? data.trocadaEm ?? data.periodo.inicio
        return Changed(
            message: data.seguinte == nil ? "O plano é \(data.plano)." : "O plano muda na renovação.",
            plan: data.plano.texto,
            nextPlan: data.seguinte?.texto,
            effectiveAt: (data.seguinte == nil ? now : data.periodo.fim).texto(em: zone),
            differenceCents: change?.diferenca.centavos,
            dueAt: change.flatMap { $0.diferenca > .zero ? $0.venceEm.texto(em: zone) : nil },
            days: change?.dias,
            remainingDays: change?.diasRestantes
        )
    }
}
