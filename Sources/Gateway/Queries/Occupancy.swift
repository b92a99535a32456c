import Domain
import Projections

/// What the read model knows of some spaces' agendas, as the domain's rules want it.
struct Occupancy {
    private let days: [DataCivil]
    private let records: [EspacoID: [BusyRecord]]

    /// Reads the agendas of whole UTC days, which must be consecutive.
    init(_ queries: AgendaQueries, _ spaces: [EspacoID], utcDays days: [DataCivil]) async throws {
        self.days = days
        guard let first = days.first, let last = days.last, !spaces.isEmpty,
            let interval = Intervalo(inicio: ZonaHoraria.utc.inicioDoDia(first), fim: ZonaHoraria.utc.inicioDoDia(last.somandoDias(1)))
        else {
            records = [:]
            return
        }
        records = Dictionary(grouping: try await queries.busy(spaces, during: interval), by: \.space)
    }

    func agendas(of space: EspacoID) -> Agendas {
        var agendas = Dictionary(uniqueKeysWithValues: days.map { ($0, Agenda.inicial) })
        for record in records[space] ?? [] {
            for day in record.occupied.diasUTC {
                agendas[day] = agendas[day]?.evoluindo(
                    com: .horarioOcupado(
                        HorarioOcupado(
                            espaco: space,
                            dia: day,
                            reserva: record.booking,
                            intervalo: record.occupied,
                            lugares: record.seats,
                            em: record.occupied.inicio
                        )
                    )
                )
            }
        }
        return Agendas(agendas)
    }
}
