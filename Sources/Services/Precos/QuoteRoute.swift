import Domain
import EventStore
import FoundationEssentials
import HTTP
import HTTPTypes
import Hummingbird

/// What a booking would cost, by the rules that would charge it.
struct QuoteRoute: Sendable {
    private let reader: LogReader
    private let zones: ZoneCatalog
    private let commands: CommandHandling

    init(reader: LogReader, zones: ZoneCatalog, commands: CommandHandling) {
        self.reader = reader
        self.zones = zones
        self.commands = commands
    }

    private struct Input: Decodable {
        let spaceId: String
        let startTime: String
        let endTime: String
        let seats: Int?
        let userPlan: String?
        let coupon: String?
    }

    /// Says nothing about whether the time is free. Whoever is signed in and names no plan is quoted by their own, with their credits;
    /// anybody else by the plan named, without credits.
    @Sendable func quote(_ request: Request, _ context: CoworkRequestContext) async throws -> JSONAnswer<QuoteView> {
        let input = try await request.json(Input.self).value
        guard let spaceID = EspacoID(input.spaceId) else { throw Problem.invalid(field: "space_id", "must be the id of a space") }
        let coupon = try input.coupon.map { code in
            guard let code = CodigoDoCupom(code) else { throw Problem.couponNotFound }
            return code
        }
        let loader = StreamLoader(reader: reader)
        guard let space = Espaco.dobrar(try await loader.load(.espaco(spaceID))).dados else { throw RecusaDeEspacos.espacoNaoEncontrado }
        let now = commands.now
        let benefits = try await benefits(input.userPlan == nil ? context.identity?.user : nil, coupon, loader)
        guard let plan = input.userPlan.map(PlanoID.init) ?? benefits.assinatura.plano(em: now) else {
            throw Problem.invalid(field: "user_plan", "is no plan")
        }
        let streams = try await loader.load([.unidade(space.unidade), .tarifario(space.unidade), .plano(plan)])
        guard case .criada(let unit) = Unidade.dobrar(streams[.unidade(space.unidade)] ?? []) else {
            throw RecusaDeEspacos.unidadeNaoEncontrada
        }
        let zone = try zones.zone(unit.fuso)
        let interval = try interval(input, zone)
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
            plano: .dobrar(streams[.plano(plan)] ?? []),
            beneficios: try benefits.paraCotar(
                espaco: spaceID,
                tipo: space.ficha.tipo,
                movendo: nil,
                hoje: zone.data(de: now),
                agora: now
            )
        )
        return JSONAnswer(QuoteView(quote, interval: interval, zone: zone))
    }

    private func benefits(
        _ user: UsuarioID?,
        _ coupon: CodigoDoCupom?,
        _ loader: StreamLoader
    ) async throws -> BeneficiosDoMembro {
        let names: [NomeDeFluxo] = (user.map { [.assinatura($0)] } ?? []) + (coupon.map { [.cupom($0)] } ?? [])
        let streams = try await loader.load(names)
        return BeneficiosDoMembro(
            usuario: user,
            assinatura: user.map { .dobrar(streams[.assinatura($0)] ?? []) } ?? .inicial,
            codigo: coupon,
            cupom: coupon.map { .dobrar(streams[.cupom($0)] ?? []) } ?? .inicial
        )
    }

    private func interval(_ input: Input, _ zone: ZonaHoraria) throws -> Intervalo {
        let start = try TimeInput.instant(input.startTime, field: "start_time", zone: zone)
        let end = try TimeInput.instant(input.endTime, field: "end_time", zone: zone)
        guard let interval = Intervalo(inicio: start, fim: end) else {
            throw Problem(
                .unprocessableContent,
                code: "end_before_start",
                portuguese: "O fim (end_time) tem de vir depois do início (start_time).",
                english: "The end (end_time) must be after the start (start_time)."
            )
        }
        return interval
    }
}
