import Domain
import EventStore
import FoundationEssentials
import HTTP
import HTTPTypes
import Hummingbird

/// What the commands of bookings share: the setting a decision is made in, and what else could be booked.
struct BookingDesk: Sendable {
    private static let alternatives = 3

    private let reader: LogReader
    private let zones: ZoneCatalog

    init(reader: LogReader, zones: ZoneCatalog) {
        self.reader = reader
        self.zones = zones
    }

    /// A space with everything that decides about booking it, except who has booked it.
    struct Setting: Sendable {
        let space: DadosDoEspaco
        let context: ContextoDaReserva
    }

    /// Loads the space, its unit and tariff, the member's plan, and what else they may draw on; all of it guards the decision.
    ///
    /// - Parameters:
    ///   - user: whose account is to be usable, and guards the decision too: nobody books for who is blocked or erased.
    ///   - owner: whose plan and credits count.
    ///   - coupon: asked for, or used by the booking already.
    func setting(
        of id: EspacoID,
        for user: UsuarioID? = nil,
        owner: UsuarioID,
        coupon: CodigoDoCupom? = nil,
        at now: Instante,
        _ loader: StreamLoader
    ) async throws -> Setting {
        let space = Espaco.dobrar(try await loader.load(.espaco(id)))
        guard let data = space.dados else { throw RecusaDeReservas.espacoNaoEncontrado }
        let benefits = try await loader.benefits(of: owner, coupon: coupon)
        let plan = benefits.assinatura.plano(em: now)
        let account = user.map { [NomeDeFluxo.usuario($0)] } ?? []
        let streams = try await loader.load([.unidade(data.unidade), .tarifario(data.unidade), .plano(plan)] + account)
        for name in account { _ = try Conta.dobrar(streams[name] ?? []).exigirAtiva() }
        guard case .criada(let unit) = Unidade.dobrar(streams[.unidade(data.unidade)] ?? []) else {
            throw RecusaDeReservas.espacoNaoEncontrado
        }
        let context = ContextoDaReserva(
            espaco: space,
            zona: try zones.zone(unit.fuso),
            tarifario: .dobrar(streams[.tarifario(data.unidade)] ?? []),
            planoID: plan,
            plano: .dobrar(streams[.plano(plan)] ?? []),
            beneficios: benefits
        )
        return Setting(space: data, context: context)
    }

    /// Decides; a refusal that another time would not meet names the nearest free times.
    func offeringAlternatives(
        to request: Request,
        _ start: Instante,
        _ end: Instante,
        _ seats: Int,
        in setting: Setting,
        at now: Instante,
        except booking: ReservaID? = nil,
        decide: () async throws -> [EventosDoFluxo]
    ) async throws -> [EventosDoFluxo] {
        do {
            return try await decide()
        } catch let refusal as RecusaDeReservas where refusal.admiteAlternativas && start < end {
            var problem = Problem(refusal, language: Idioma(request))
            let zone = setting.context.zona
            problem.alternatives = try await freeTimes(near: start, end - start, seats, in: setting, at: now, except: booking).map {
                .init(startTime: $0.inicio.texto(em: zone), endTime: $0.fim.texto(em: zone))
            }
            throw problem
        }
    }

    /// Read outside the decision's loader: offers guard nothing.
    func freeTimes(
        near start: Instante,
        _ duration: Duracao,
        _ seats: Int,
        in setting: Setting,
        at now: Instante,
        except booking: ReservaID? = nil
    ) async throws -> [Intervalo] {
        let zone = setting.context.zona
        guard duration <= setting.space.regras.duracaoMaxima.duracao else { return [] }
        let dates = Vagas.datas(perto: start, alcance: Vagas.alcancePadrao, zona: zone, agora: now)
        let days = Vagas.diasDaAgenda(datas: dates, duracao: duration, espaco: setting.space, zona: zone)
        let agendas = try await StreamLoader(reader: reader).agendas(of: setting.space.espaco, on: days)
        return Vagas(espaco: setting.space, zona: zone, agendas: agendas, agora: now).alternativas(
            inicio: start,
            duracao: duration,
            lugares: seats,
            datas: dates,
            limite: Self.alternatives,
            exceto: booking
        )
    }

    func zone(_ name: String) throws -> ZonaHoraria { try zones.zone(name) }

    /// A booking as its events up to a position tell it.
    func view(of id: ReservaID, upTo position: Position) async throws -> BookingView {
        let name = NomeDeFluxo.reserva(id)
        let events = try await reader.streams([name.texto])[name.texto] ?? []
        return try view(of: .dobrar(try events.filter { $0.position <= position }.map(reader.decoded.event)))
    }

    func view(of state: Reserva) throws -> BookingView {
        guard let data = state.dados else { throw Problem.notFound }
        return BookingView(state, data, zone: try zones.zone(data.horario.fuso))
    }
}
