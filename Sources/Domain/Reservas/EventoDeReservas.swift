/// All that can happen in `reservas`: bookings, the agenda days they occupy, series of them, and who waits for one.
package enum EventoDeReservas: EventoDeContexto {
    case reservaSolicitada(ReservaSolicitada)
    case reservaConfirmada(ReservaConfirmada)
    case reservaExpirada(ReservaExpirada)
    case reservaRemarcada(ReservaRemarcada)
    case reservaCancelada(ReservaCancelada)
    case reservaConcluida(ReservaConcluida)
    case reservaRetomada(ReservaRetomada)
    case reservaNaoComparecida(ReservaNaoComparecida)
    case horarioOcupado(HorarioOcupado)
    case horarioLiberado(HorarioLiberado)
    case reservaAprovada(ReservaAprovada)
    case convidadosDefinidos(ConvidadosDefinidos)
    case serieCriada(SerieCriada)
    case serieAlterada(SerieAlterada)
    case serieEncerrada(SerieEncerrada)
    case esperaInscrita(EsperaInscrita)
    case esperaOferecida(EsperaOferecida)
    case esperaAtendida(EsperaAtendida)
    case esperaVencida(EsperaVencida)
    case esperaRetirada(EsperaRetirada)

    package static let leitores: [LeitorDeEvento<EventoDeReservas>] = [
        LeitorDeEvento(ReservaSolicitada.self, EventoDeReservas.reservaSolicitada),
        LeitorDeEvento(ReservaConfirmada.self, EventoDeReservas.reservaConfirmada),
        LeitorDeEvento(ReservaExpirada.self, EventoDeReservas.reservaExpirada),
        LeitorDeEvento(ReservaRemarcada.self, EventoDeReservas.reservaRemarcada),
        LeitorDeEvento(ReservaCancelada.self, EventoDeReservas.reservaCancelada),
        LeitorDeEvento(ReservaConcluida.self, EventoDeReservas.reservaConcluida),
        LeitorDeEvento(ReservaRetomada.self, EventoDeReservas.reservaRetomada),
        LeitorDeEvento(ReservaNaoComparecida.self, EventoDeReservas.reservaNaoComparecida),
        LeitorDeEvento(HorarioOcupado.self, EventoDeReservas.horarioOcupado),
        LeitorDeEvento(HorarioLiberado.self, EventoDeReservas.horarioLiberado),
        LeitorDeEvento(ReservaAprovada.self, EventoDeReservas.reservaAprovada),
        LeitorDeEvento(ConvidadosDefinidos.self, EventoDeReservas.convidadosDefinidos),
        LeitorDeEvento(SerieCriada.self, EventoDeReservas.serieCriada),
        LeitorDeEvento(SerieAlterada.self, EventoDeReservas.serieAlterada),
        LeitorDeEvento(SerieEncerrada.self, EventoDeReservas.serieEncerrada),
        LeitorDeEvento(EsperaInscrita.self, EventoDeReservas.esperaInscrita),
        LeitorDeEvento(EsperaOferecida.self, EventoDeReservas.esperaOferecida),
        LeitorDeEvento(EsperaAtendida.self, EventoDeReservas.esperaAtendida),
        LeitorDeEvento(EsperaVencida.self, EventoDeReservas.esperaVencida),
        LeitorDeEvento(EsperaRetirada.self, EventoDeReservas.esperaRetirada),
    ]

    package var evento: any Evento {
        switch self {
        case .reservaSolicitada(let evento): evento
        case .reservaConfirmada(let evento): evento
        case .reservaExpirada(let evento): evento
        case .reservaRemarcada(let evento): evento
        case .reservaCancelada(let evento): evento
        case .reservaConcluida(let evento): evento
        case .reservaRetomada(let evento): evento
        case .reservaNaoComparecida(let evento): evento
        case .horarioOcupado(let evento): evento
        case .horarioLiberado(let evento): evento
        case .reservaAprovada(let evento): evento
        case .convidadosDefinidos(let evento): evento
        case .serieCriada(let evento): evento
        case .serieAlterada(let evento): evento
        case .serieEncerrada(let evento): evento
        case .esperaInscrita(let evento): evento
        case .esperaOferecida(let evento): evento
        case .esperaAtendida(let evento): evento
        case .esperaVencida(let evento): evento
        case .esperaRetirada(let evento): evento
        }
    }

    package init?(_ evento: EventoDoDominio) {
        guard case .reservas(let meu) = evento else { return nil }
        self = meu
    }
}
