import Domain
import EventStore
import FoundationEssentials
import HTTP

/// Goes through the lines of a space when something of it was freed or a span that somebody waits for begins.
struct WaitlistCalls: Sendable {
    static let call = "reservas.chamar_da_espera"

    private let commands: CommandHandling
    private let desk: BookingDesk

    init(_ dependencies: ServiceDependencies) {
        commands = dependencies.commands
        desk = BookingDesk(reader: dependencies.reader, zones: dependencies.zones)
    }

    /// A call about one UTC day of a space.
    /// - Parameter cause: tells calls about one day and time apart: none must be taken for another.
    static func command(_ space: EspacoID, _ day: DataCivil, cause: String, due: Instante) -> ScheduledCommand {
        ScheduledCommand(kind: call, aggregate: "\(space.texto)_\(day.texto)_\(cause)", due: due.microssegundos)
    }

    func answer(_ timer: DueTimer, of policy: String) async throws {
        let parts = timer.aggregate.split(separator: "_")
        guard parts.count == 3, let space = EspacoID(parts[0]), let day = DataCivil(parts[1]) else { throw Problem.notFound }
        _ = try await commands.run(timer, of: policy) { loader in
            let lines = try await loader.lines(of: space, on: Espera.dias(aoLiberar: day))
            let calling = ChamarDaEspera(espaco: space, filas: lines, agora: commands.now)
            let over = calling.encerrar(try await loader.bookings(calling.ofertas))
            return EventosDoFluxo.unir(over + (try await offers(calling, loader)))
        }
    }

    /// A hold for each who waits for what is free, in their order.
    private func offers(_ calling: ChamarDaEspera, _ loader: StreamLoader) async throws -> [EventosDoFluxo] {
        let turns = calling.aVez
        guard let first = turns.first else { return [] }
        let setting: BookingDesk.Setting
        do {
            setting = try await desk.setting(of: calling.espaco, owner: first.inscricao.usuario, at: calling.agora, loader)
        } catch is RecusaDeReservas {
            return []
        }
        var agenda = AgendaDaSerie([:])
        var offered: [EventosDoFluxo] = []
        for turn in turns {
            let request = calling.pedido(turn, reserva: .offer(to: turn.inscricao.id))
            do {
                // Whether it fits is the same for everybody; only then is it asked who they are.
                let seen = try request.preparar(setting.context)
                agenda.incluir(try await loader.agendaDays(of: calling.espaco, on: agenda.faltam(seen.diasDaAgenda)))
                guard !seen.semLugar(agenda.agendas(seen.diasDaAgenda)) else { continue }
                let own = try await desk.seriesSetting(of: calling.espaco, for: turn.inscricao.usuario, at: calling.agora, loader)
                let prepared = try request.preparar(own.context)
                let agendas = agenda.agendas(prepared.diasDaAgenda)
                offered += try calling.oferecer(turn, request, preparo: prepared, agendas: agendas)
                agenda.ocupar(prepared, por: request.reserva, em: calling.agora)
            } catch is any Recusa {
                // The space is closed then by now, or the account is: nothing for them, but perhaps for the next.
                continue
            }
        }
        return offered
    }
}

extension StreamLoader {
    /// The lines of a space for spans that begin on these UTC days.
    func lines(of space: EspacoID, on days: [DataCivil]) async throws -> [DataCivil: Espera] {
        let streams = try await load(days.map { .espera(space, $0) })
        return Dictionary(days.map { ($0, Espera.dobrar(streams[.espera(space, $0)] ?? [])) }) { first, _ in first }
    }

    /// What the end of an offer means for whoever it was made to.
    func endOfOffer(_ state: Reserva, at now: Instante) async throws -> [EventosDoFluxo] {
        guard let data = state.dados, data.origem?.espera != nil else { return [] }
        let day = data.horario.intervalo.inicio.diaUTC
        let calling = ChamarDaEspera(espaco: data.espaco, filas: try await lines(of: data.espaco, on: [day]), agora: now)
        return calling.encerrar([data.reserva: state])
    }
}

extension ReservaID {
    /// The id of the booking that is offered to a place in the line: there is one at most.
    static func offer(to entry: EsperaID) -> ReservaID {
        // The text of an id is always one.
        let namespace = UUID(uuidString: entry.texto) ?? UUID(uuid: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0))
        return ReservaID(UUID.v5(namespace: namespace, name: "offer".utf8))
    }
}
