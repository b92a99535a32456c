/// All that can happen in `checkin`: who came, who left, who did not, and which displays at doors show it.
package enum EventoDeCheckin: EventoDeContexto {
    case checkinRealizado(CheckinRealizado)
    case checkoutRealizado(CheckoutRealizado)
    case naoComparecimentoRegistrado(NaoComparecimentoRegistrado)
    case excedenteApurado(ExcedenteApurado)
    case painelAutorizado(PainelAutorizado)
    case painelRevogado(PainelRevogado)

    package static let leitores: [LeitorDeEvento<EventoDeCheckin>] = [
        LeitorDeEvento(CheckinRealizado.self, EventoDeCheckin.checkinRealizado),
        LeitorDeEvento(CheckoutRealizado.self, EventoDeCheckin.checkoutRealizado),
        LeitorDeEvento(NaoComparecimentoRegistrado.self, EventoDeCheckin.naoComparecimentoRegistrado),
        LeitorDeEvento(ExcedenteApurado.self, EventoDeCheckin.excedenteApurado),
        LeitorDeEvento(PainelAutorizado.self, EventoDeCheckin.painelAutorizado),
        LeitorDeEvento(PainelRevogado.self, EventoDeCheckin.painelRevogado),
    ]

    package var evento: any Evento {
        switch self {
        case .checkinRealizado(let evento): evento
        case .checkoutRealizado(let evento): evento
        case .naoComparecimentoRegistrado(let evento): evento
        case .excedenteApurado(let evento): evento
        case .painelAutorizado(let evento): evento
        case .painelRevogado(let evento): evento
        }
    }

    package init?(_ evento: EventoDoDominio) {
        guard case .checkin(let meu) = evento else { return nil }
        self = meu
    }
}
