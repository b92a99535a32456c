import Domain
import EventStore
import HTTP

/// Bookings with who came to them, as the log has them.
struct Visits: Sendable {
    struct Visit: Sendable {
        let state: Reserva
        let data: DadosDaReserva
        let presence: Presenca
        let overtime: ExcedenteApurado?
        let zone: ZonaHoraria
    }

    let reader: LogReader
    let zones: ZoneCatalog

    /// Both streams guard the decision.
    static func load(_ booking: ReservaID, _ loader: StreamLoader) async throws -> (Reserva, Presenca) {
        let streams = try await loader.load([.reserva(booking), .presenca(booking)])
        return (.dobrar(streams[.reserva(booking)] ?? []), .dobrar(streams[.presenca(booking)] ?? []))
    }

    /// As it was at a position.
    func visit(_ booking: ReservaID, upTo position: Position? = nil) async throws -> Visit {
        let names = (booking: NomeDeFluxo.reserva(booking).texto, presence: NomeDeFluxo.presenca(booking).texto)
        let streams = try await reader.streams([names.booking, names.presence]).mapValues { events in
            try events.filter { event in position.map { event.position <= $0 } ?? true }.map(reader.decoded.event)
        }
        let state = Reserva.dobrar(streams[names.booking] ?? [])
        guard let data = state.dados else { throw RecusaDeCheckin.reservaNaoEncontrada }
        let overtime = (streams[names.presence] ?? []).compactMap(\.overtime).last
        return Visit(
            state: state,
            data: data,
            presence: .dobrar(streams[names.presence] ?? []),
            overtime: overtime,
            zone: try zones.zone(data.horario.fuso)
        )
    }

    /// As it is, for its member or the desk; for others it is not there.
    func visit(_ booking: ReservaID, for actor: Ator) async throws -> Visit {
        let visit = try await visit(booking)
        guard actor.alcanca(visit.data.usuario, em: visit.data.unidade) else { throw RecusaDeCheckin.reservaNaoEncontrada }
        return visit
    }

    /// The unit of a space, for those who work there; for others the space is not there.
    func unit(of space: EspacoID, for actor: Ator) async throws -> DadosDaUnidade {
        let loader = StreamLoader(reader: reader)
        guard let data = Espaco.dobrar(try await loader.load(.espaco(space))).dados, actor.opera(em: data.unidade),
            case .criada(let unit) = Unidade.dobrar(try await loader.load(.unidade(data.unidade)))
        else { throw RecusaDeReservas.espacoNaoEncontrado }
        return unit
    }
}

extension EventoDoDominio {
    fileprivate var overtime: ExcedenteApurado? {
        if case .checkin(.excedenteApurado(let event)) = self { return event }
        return nil
    }
}
