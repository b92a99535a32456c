/// All that can happen in `checkin`: who came, who left, who did not.
package enum EventoDeCheckin: EventoDeContexto {
    case checkinRealizado(CheckinRealizado)
    case checkoutRealizado(CheckoutRealizado)
    case naoComparecimentoRegistrado(NaoComparecimentoRegistrado)
    case excedenteApurado(ExcedenteApurado)

    package static let leitores: [LeitorDeEvento<EventoDeCheckin>] = [
        LeitorDeEvento(CheckinRealizado.self, EventoDeCheckin.checkinRealizado),
        LeitorDeEvento(CheckoutRealizado.self, EventoDeCheckin.checkoutRealizado),
        LeitorDeEvento(NaoComparecimentoRegistrado.self, EventoDeCheckin.naoComparecimentoRegistrado),
        LeitorDeEvento(ExcedenteApurado.self, EventoDeCheckin.excedenteApurado),
    ]

    package var evento: any Evento {
        switch self {
        case .checkinRealizado(let evento): evento
        case .checkoutRealizado(let evento): evento
        case .naoComparecimentoRegistrado(let evento): evento
        case .excedenteApurado(let evento): evento
        }
    }

    package init?(_ evento: EventoDoDominio) {
        guard case .checkin(let meu) = evento else { return nil }
        self = meu
    }
}
