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
        router.post("pricing/calc", use: quote)
        router.put("units/:unit/tariff", use: publishTariff)
        router.put("plans/:plan", use: publishPlan)
    }

    private struct QuoteInput: Decodable {
        let spaceId: String
        let startTime: String
        let endTime: String
        let seats: Int?
        let userPlan: String?
        let coupon: String?
    }

    /// What a booking would cost, by the rules that would charge it. Says nothing about whether the time is free.
    @Sendable private func quote(_ request: Request, _ context: CoworkRequestContext) async throws -> JSONAnswer<QuoteView> {
        let input = try await request.json(QuoteInput.self).value
        guard input.coupon == nil else { throw Problem.couponNotFound }
        guard let spaceID = EspacoID(input.spaceId) else { throw Problem.invalid(field: "space_id", "must be the id of a space") }
        guard let plan = input.userPlan.map(PlanoID.init) ?? .basic else { throw Problem.invalid(field: "user_plan", "is no plan") }
        let loader = StreamLoader(reader: reader)
        guard let space = Espaco.dobrar(try await loader.load(.espaco(spaceID))).dados else { throw RecusaDeEspacos.espacoNaoEncontrado }
        let streams = try await loader.load([.unidade(space.unidade), .tarifario(space.unidade), .plano(plan)])
        guard case .criada(let unit) = Unidade.dobrar(streams[.unidade(space.unidade)] ?? []) else {
            throw RecusaDeEspacos.unidadeNaoEncontrada
        }
        let zone = try zones.zone(unit.fuso)
        let start = try TimeInput.instant(input.startTime, field: "start_time", zone: zone)
        let end = try TimeInput.instant(input.endTime, field: "end_time", zone: zone)
        guard let interval = Intervalo(inicio: start, fim: end) else {
            throw Problem(.unprocessableContent, code: "end_before_start", detail: "end_time must be after start_time.")
        }
        guard (1...space.ficha.lugares).contains(input.seats ?? 1) else {
            throw Problem.invalid(field: "seats", "must be from 1 to \(space.ficha.lugares)")
        }
        let wanted = PedidoDeCotacao(
            espaco: spaceID,
            tipo: space.ficha.tipo,
            intervalo: interval,
            lugares: input.seats ?? 1,
            zona: zone,
            plano: plan
        )
        let quote = try wanted.cotar(
            tarifario: .dobrar(streams[.tarifario(space.unidade)] ?? []),
            plano: .dobrar(streams[.plano(plan)] ?? [])
        )
        return JSONAnswer(QuoteView(quote, interval: interval, zone: zone))
    }

    private struct TariffInput: Decodable {
        struct Rate: Decodable {
            let spaceId: String?
            let type: String?
            let hourlyCents: Int64
            let dailyCapCents: Int64?
        }

        struct Multiplier: Decodable {
            let name: String
            let days: [String]
            let from: String
            let to: String
            /// Thousandths of the hourly rate: 1250 is a quarter more.
            let perMille: Int
        }

        let validFrom: String
        let rates: [Rate]
        let multipliers: [Multiplier]?
    }

    private struct Published: Encodable, Sendable {
        let version: Int
        let message: String
    }

    @Sendable private func publishTariff(_ request: Request, _ context: CoworkRequestContext) async throws -> CommandAnswer<Published> {
        let identity = try context.signedIn(atLeast: .gestor)
        let unit: UnidadeID = try context.id("unit")
        let (input, body) = try await request.json(TariffInput.self)
        let command = PublicarTarifario(
            unidade: unit,
            vigenteDesde: try TimeInput.date(input.validFrom, field: "valid_from"),
            tarifas: try input.rates.map(rate),
            multiplicadores: try (input.multipliers ?? []).map(multiplier),
            por: .ator(identity.actor),
            agora: commands.now
        )
        let execution = try await commands.run(request, context, body: body) { loader in
            let streams = try await loader.load([.unidade(unit), .tarifario(unit)])
            guard Unidade.dobrar(streams[.unidade(unit)] ?? []) != .inexistente else { throw RecusaDeEspacos.unidadeNaoEncontrada }
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

    private func rate(_ input: TariffInput.Rate) throws(Problem) -> Tarifa {
        let target: AlvoDaTarifa
        if let space = input.spaceId.flatMap({ EspacoID($0) }), input.type == nil {
            target = .espaco(space)
        } else if let type = input.type.flatMap(TipoDeEspaco.init), input.spaceId == nil {
            target = .tipo(type)
        } else {
            throw .invalid(field: "rates", "must each name either a space_id or a type")
        }
        return Tarifa(
            alvo: target,
            valorHora: Dinheiro(centavos: input.hourlyCents),
            tetoDiario: input.dailyCapCents.map { Dinheiro(centavos: $0) }
        )
    }

    private func multiplier(_ input: TariffInput.Multiplier) throws(Problem) -> Multiplicador {
        let days = input.days.compactMap(DiaDaSemana.init)
        guard days.count == input.days.count, let from = HoraLocal(input.from), let to = HoraLocal(input.to),
            let range = FaixaHoraria(abre: from, fecha: to)
        else { throw .invalid(field: "multipliers", "must each have days, and from before to, from 00:00 to 24:00") }
        return Multiplicador(nome: input.name, dias: days, faixa: range, milesimos: input.perMille)
    }

    private struct PlanInput: Decodable {
        let name: String
        let discountPercent: Int
        let monthlyFeeCents: Int64
    }

    @Sendable private func publishPlan(_ request: Request, _ context: CoworkRequestContext) async throws -> CommandAnswer<Message> {
        let identity = try context.signedIn(atLeast: .gestor)
        guard let plan = context.parameters.get("plan").flatMap(PlanoID.init) else { throw Problem.notFound }
        let (input, body) = try await request.json(PlanInput.self)
        guard let discount = Percentual(input.discountPercent) else {
            throw Problem.invalid(field: "discount_percent", "must be from 0 to 100")
        }
        let command = PublicarPlano(
            plano: plan,
            nome: input.name,
            desconto: discount,
            mensalidade: Dinheiro(centavos: input.monthlyFeeCents),
            por: .ator(identity.actor),
            agora: commands.now
        )
        let execution = try await commands.run(request, context, body: body) { loader in
            try command.decidir(plano: .dobrar(try await loader.load(.plano(plan))))
        }
        return CommandAnswer(Message("Plano publicado."), at: execution.position)
    }
}
