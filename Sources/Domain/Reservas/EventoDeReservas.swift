/// All that can happen in `reservas`: bookings and the agenda days they occupy.
package enum EventoDeReservas: EventoDeContexto {
    case reservaSolicitada(ReservaSolicitada)
    case reservaConfirmada(ReservaConfirmada)
    case reservaExpirada(ReservaExpirada)
    case reservaRemarcada(ReservaRemarcada)
    case reservaCancelada(ReservaCancelada)
    case reservaConcluida(ReservaConcluida)
    case horarioOcupado(HorarioOcupado)
    case horarioLiberado(HorarioLiberado)

    package static let leitores: [LeitorDeEvento<EventoDeReservas>] = [
        LeitorDeEvento(ReservaSolicitada.self, EventoDeReservas.reservaSolicitada),
        LeitorDeEvento(ReservaConfirmada.self, EventoDeReservas.reservaConfirmada),
        LeitorDeEvento(ReservaExpirada.self, EventoDeReservas.reservaExpirada),
        LeitorDeEvento(ReservaRemarcada.self, EventoDeReservas.reservaRemarcada),
        LeitorDeEvento(ReservaCancelada.self, EventoDeReservas.reservaCancelada),
        LeitorDeEvento(ReservaConcluida.self, EventoDeReservas.reservaConcluida),
        LeitorDeEvento(HorarioOcupado.self, EventoDeReservas.horarioOcupado),
        LeitorDeEvento(HorarioLiberado.self, EventoDeReservas.horarioLiberado),
    ]

    package var evento: any Evento {
        switch self {
        case .reservaSolicitada(let evento): evento
        case .reservaConfirmada(let evento): evento
        case .reservaExpirada(let evento): evento
        case .reservaRemarcada(let evento): evento
        case .reservaCancelada(let evento): evento
        case .reservaConcluida(let evento): evento
        case .horarioOcupado(let evento): evento
        case .horarioLiberado(let evento): evento
        }
    }

    package init?(_ evento: EventoDoDominio) {
        guard case .reservas(let meu) = evento else { return nil }
        self = meu
    }
}
