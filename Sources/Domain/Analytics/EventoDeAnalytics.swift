/// All that can happen in `analytics`.
package enum EventoDeAnalytics: EventoDeContexto {
    case ocupacaoDiariaApurada(OcupacaoDiariaApurada)

    package static let leitores: [LeitorDeEvento<EventoDeAnalytics>] = [
        LeitorDeEvento(OcupacaoDiariaApurada.self, EventoDeAnalytics.ocupacaoDiariaApurada)
    ]

    package var evento: any Evento {
        switch self {
        case .ocupacaoDiariaApurada(let evento): evento
        }
    }

    package init?(_ evento: EventoDoDominio) {
        guard case .analytics(let meu) = evento else { return nil }
        self = meu
    }
}
