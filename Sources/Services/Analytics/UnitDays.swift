import Domain
import EventStore
import HTTP

/// Brings together what a unit's local day is computed from.
///
/// It is read beside the decision's loader and guards nothing: what is recorded meanwhile asks for a correction of its own.
struct UnitDays: Sendable {
    /// How many bookings are read at a time.
    private static let stretch = 500

    let reader: LogReader
    let zones: ZoneCatalog

    /// What there is to record of the day: nothing where it has not ended by the unit's clock, or where nothing changed.
    func decide(_ unit: UnidadeID, _ day: DataCivil, _ state: OcupacaoDoDia, at now: Instante) async throws -> [EventosDoFluxo] {
        let name = NomeDeFluxo.unidade(unit).texto
        let own = HistoricoDeEspacos(try await events([name])[name] ?? [])
        guard let closing = try own.fechamento(de: day, zona: zones.zone), now >= closing.fim else { return [] }
        let spaces = try await spaces(of: unit)
        return try ApurarOcupacao(unidade: unit, dia: day, fechamento: closing, agora: now).decidir(
            dia: state,
            espacos: spaces,
            reservas: try await bookings(of: spaces.keys.sorted(), around: day)
        )
    }

    /// The days of a booking that are closed already, each anew.
    func correct(_ booking: DadosDaReserva, _ loader: StreamLoader, at now: Instante) async throws -> [EventosDoFluxo] {
        var decided: [EventosDoFluxo] = []
        for day in Set(booking.horario.trechosLocais.map(\.dia)).sorted() {
            let state = OcupacaoDoDia.dobrar(try await loader.load(.ocupacao(booking.unidade, day)))
            guard case .apurada = state else { continue }
            decided += try await decide(booking.unidade, day, state, at: now)
        }
        return decided
    }

    private func spaces(of unit: UnidadeID) async throws -> [EspacoID: HistoricoDeEspacos] {
        var spaces: [EspacoID: HistoricoDeEspacos] = [:]
        for (_, events) in try await events(try await reader.streams(beginningWith: NomeDeFluxo.inicioDeEspaco)) {
            guard let data = Espaco.dobrar(events.map(EventoDoDominio.espacos)).dados, data.unidade == unit else { continue }
            spaces[data.espaco] = HistoricoDeEspacos(events)
        }
        return spaces
    }

    private func events(_ names: [String]) async throws -> [String: [EventoDeEspacos]] {
        try await reader.streams(names).mapValues { try $0.map(reader.decoded.event).compactMap(EventoDeEspacos.init) }
    }

    /// Every booking that ever took one of the spaces around the day. A local date lies within the UTC day before, its own and the one
    /// after.
    private func bookings(of spaces: [EspacoID], around day: DataCivil) async throws -> [Reserva] {
        let names = spaces.flatMap { space in (-1...1).map { NomeDeFluxo.agenda(space, day.somandoDias($0)).texto } }
        var taken: Set<ReservaID> = []
        for events in try await reader.streams(names).values {
            for case .reservas(.horarioOcupado(let event)) in try events.map(reader.decoded.event) { taken.insert(event.reserva) }
        }
        var bookings: [Reserva] = []
        var waiting = taken.sorted()[...]
        while !waiting.isEmpty {
            let streams = try await reader.streams(waiting.prefix(Self.stretch).map { NomeDeFluxo.reserva($0).texto })
            waiting = waiting.dropFirst(Self.stretch)
            bookings += try streams.values.map { Reserva.dobrar(try $0.map(reader.decoded.event)) }
        }
        return bookings
    }
}
