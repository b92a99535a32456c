/// All that can happen in `precos`: tariffs and plans.
package enum EventoDePrecos: EventoDeContexto {
    case tarifarioPublicado(TarifarioPublicado)
    case planoPublicado(PlanoPublicado)

    package static let leitores: [LeitorDeEvento<EventoDePrecos>] = [
        LeitorDeEvento(TarifarioPublicado.self, EventoDePrecos.tarifarioPublicado),
        LeitorDeEvento(PlanoPublicado.self, EventoDePrecos.planoPublicado),
    ]

    package var evento: any Evento {
        switch self {
        case .tarifarioPublicado(let evento): evento
        case .planoPublicado(let evento): evento
        }
    }

    package init?(_ evento: EventoDoDominio) {
        guard case .precos(let meu) = evento else { return nil }
        self = meu
    }
}
