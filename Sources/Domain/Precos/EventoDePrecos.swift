/// All that can happen in `precos`: tariffs, plans, coupons, subscriptions and their credits.
package enum EventoDePrecos: EventoDeContexto {
    case tarifarioPublicado(TarifarioPublicado)
    case planoPublicado(PlanoPublicado)
    case cupomCriado(CupomCriado)
    case cupomUsado(CupomUsado)
    case cupomDevolvido(CupomDevolvido)
    case cupomDesativado(CupomDesativado)
    case assinaturaIniciada(AssinaturaIniciada)
    case assinaturaRenovada(AssinaturaRenovada)
    case planoTrocado(PlanoTrocado)
    case trocaDePlanoMarcada(TrocaDePlanoMarcada)
    case trocaDePlanoDesfeita(TrocaDePlanoDesfeita)
    case assinaturaCancelada(AssinaturaCancelada)
    case creditosConcedidos(CreditosConcedidos)
    case creditosConsumidos(CreditosConsumidos)
    case creditosDevolvidos(CreditosDevolvidos)

    package static let leitores: [LeitorDeEvento<EventoDePrecos>] = [
        LeitorDeEvento(TarifarioPublicado.self, EventoDePrecos.tarifarioPublicado),
        LeitorDeEvento(PlanoPublicado.self, EventoDePrecos.planoPublicado),
        LeitorDeEvento(CupomCriado.self, EventoDePrecos.cupomCriado),
        LeitorDeEvento(CupomUsado.self, EventoDePrecos.cupomUsado),
        LeitorDeEvento(CupomDevolvido.self, EventoDePrecos.cupomDevolvido),
        LeitorDeEvento(CupomDesativado.self, EventoDePrecos.cupomDesativado),
        LeitorDeEvento(AssinaturaIniciada.self, EventoDePrecos.assinaturaIniciada),
        LeitorDeEvento(AssinaturaRenovada.self, EventoDePrecos.assinaturaRenovada),
        LeitorDeEvento(PlanoTrocado.self, EventoDePrecos.planoTrocado),
        LeitorDeEvento(TrocaDePlanoMarcada.self, EventoDePrecos.trocaDePlanoMarcada),
        LeitorDeEvento(TrocaDePlanoDesfeita.self, EventoDePrecos.trocaDePlanoDesfeita),
        LeitorDeEvento(AssinaturaCancelada.self, EventoDePrecos.assinaturaCancelada),
        LeitorDeEvento(CreditosConcedidos.self, EventoDePrecos.creditosConcedidos),
        LeitorDeEvento(CreditosConsumidos.self, EventoDePrecos.creditosConsumidos),
        LeitorDeEvento(CreditosDevolvidos.self, EventoDePrecos.creditosDevolvidos),
    ]

    package var evento: any Evento {
        switch self {
        case .tarifarioPublicado(let evento): evento
        case .planoPublicado(let evento): evento
        case .cupomCriado(let evento): evento
        case .cupomUsado(let evento): evento
        case .cupomDevolvido(let evento): evento
        case .cupomDesativado(let evento): evento
        case .assinaturaIniciada(let evento): evento
        case .assinaturaRenovada(let evento): evento
        case .planoTrocado(let evento): evento
        case .trocaDePlanoMarcada(let evento): evento
        case .trocaDePlanoDesfeita(let evento): evento
        case .assinaturaCancelada(let evento): evento
        case .creditosConcedidos(let evento): evento
        case .creditosConsumidos(let evento): evento
        case .creditosDevolvidos(let evento): evento
        }
    }

    package init?(_ evento: EventoDoDominio) {
        guard case .precos(let meu) = evento else { return nil }
        self = meu
    }
}
