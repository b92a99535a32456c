import Domain
import EventStore
import FoundationEssentials
package import HTTP
import HTTPTypes
package import Hummingbird

/// Prices over HTTP: quotes, tariffs, plans.
package struct PrecosRoutes: Sendable {
    private let commands: CommandHandling
    private let reader: LogReader
    private let zones: ZoneCatalog

    package init(_ dependencies: ServiceDependencies) {
        commands = dependencies.commands
        reader = dependencies.reader
        zones = dependencies.zones
    }

    package func add(to router: Router<CoworkRequestContext>) {
        router.post("pricing/calc", use: QuoteRoute(reader: reader, zones: zones, commands: commands).quote)
        router.put("units/:unit/tariff", use: publishTariff)
        router.put("plans/:plan", use: publishPlan)
        CouponRoutes(commands: commands).add(to: router)
        SubscriptionRoutes(commands: commands, reader: reader, zones: zones).add(to: router)
    }

    private struct Published: Encodable, Sendable {
        let version: Int
        let message: String
    }

    @Sendable private func publishTariff(_ request: Request, _ context: CoworkRequestContext) async throws -> CommandAnswer<Published> {
        let identity = try context.signedIn(atLeast: .gestor)
        let unit: UnidadeID = try context.id("unit")
        let (input, body) = try await request.json(TariffInput.self)
        let command = try input.publication(of: unit, by: .ator(identity.actor), at: commands.now)
        let execution = try await commands.run(request, context, body: body) { loader in
            let streams = try await loader.load([.unidade(unit), .tarifario(unit)])
            guard identity.actor.opera(em: unit), Unidade.dobrar(streams[.unidade(unit)] ?? []) != .inexistente else {
                throw RecusaDeEspacos.unidadeNaoEncontrada
            }
            return try command.decidir(tarifario: .dobrar(streams[.tarifario(unit)] ?? []))
        }
        let version = try await currentVersion(of: unit, execution)
        return CommandAnswer(Published(version: version, message: "Tarifário publicado."), at: execution.position)
    }

    /// The version just published, or the one that said the same already.
    private func currentVersion(of unit: UnidadeID, _ execution: Execution) async throws -> Int {
        for case .precos(.tarifarioPublicado(let event)) in execution.events { return event.versao.numero }
        let tariff = Tarifario.dobrar(try await StreamLoader(reader: reader).load(.tarifario(unit)))
        return tariff.versoes.last?.versao.numero ?? 0
    }

    private struct PlanInput: Decodable {
        let name: String
        let discountPercent: Int
        let monthlyFeeCents: Int64
        let includedMinutes: Int?
        let creditMonths: Int?
    }

    @Sendable private func publishPlan(_ request: Request, _ context: CoworkRequestContext) async throws -> CommandAnswer<Message> {
        let identity = try context.signedIn(atLeast: .gestor)
        guard let plan = context.parameters.get("plan").flatMap(PlanoID.init) else { throw Problem.notFound }
        let (input, body) = try await request.json(PlanInput.self)
        guard let discount = Percentual(input.discountPercent) else {
            throw Problem.invalid(field: "discount_percent", "must be from 0 to 100")
        }
        guard let included = Minutos(input.includedMinutes ?? 0) else {
            throw Problem.invalid(field: "included_minutes", "must be a number of minutes")
        }
        let command = PublicarPlano(
            plano: plan,
            nome: input.name,
            desconto: discount,
            mensalidade: Dinheiro(centavos: input.monthlyFeeCents),
            creditosMensais: included,
            mesesDeValidade: input.creditMonths ?? 1,
            por: .ator(identity.actor),
            agora: commands.now
        )
        let execution = try await commands.run(request, context, body: body) { loader in
            try command.decidir(plano: .dobrar(try await loader.load(.plano(plan))))
        }
        return CommandAnswer(Message("Plano publicado."), at: execution.position)
    }
}
