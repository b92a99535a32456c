/// All that can happen in `pagamentos`: what is owed, paid and given back.
package enum EventoDePagamentos: EventoDeContexto {
    case cobrancaCriada(CobrancaCriada)
    case cobrancaAlterada(CobrancaAlterada)
    case pixGerado(PixGerado)
    case pagamentoAprovado(PagamentoAprovado)
    case pagamentoRecusado(PagamentoRecusado)
    case tentativaRespondida(TentativaRespondida)
    case cobrancaExpirada(CobrancaExpirada)
    case estornoSolicitado(EstornoSolicitado)
    case pagamentoEstornado(PagamentoEstornado)
    case estornoRecusado(EstornoRecusado)

    package static let leitores: [LeitorDeEvento<EventoDePagamentos>] = [
        LeitorDeEvento(CobrancaCriada.self, EventoDePagamentos.cobrancaCriada),
        LeitorDeEvento(CobrancaAlterada.self, EventoDePagamentos.cobrancaAlterada),
        LeitorDeEvento(PixGerado.self, EventoDePagamentos.pixGerado),
        LeitorDeEvento(PagamentoAprovado.self, EventoDePagamentos.pagamentoAprovado),
        LeitorDeEvento(PagamentoRecusado.self, EventoDePagamentos.pagamentoRecusado),
        LeitorDeEvento(TentativaRespondida.self, EventoDePagamentos.tentativaRespondida),
        LeitorDeEvento(CobrancaExpirada.self, EventoDePagamentos.cobrancaExpirada),
        LeitorDeEvento(EstornoSolicitado.self, EventoDePagamentos.estornoSolicitado),
        LeitorDeEvento(PagamentoEstornado.self, EventoDePagamentos.pagamentoEstornado),
        LeitorDeEvento(EstornoRecusado.self, EventoDePagamentos.estornoRecusado),
    ]

    package var evento: any Evento {
        switch self {
        case .cobrancaCriada(let evento): evento
        case .cobrancaAlterada(let evento): evento
        case .pixGerado(let evento): evento
        case .pagamentoAprovado(let evento): evento
        case .pagamentoRecusado(let evento): evento
        case .tentativaRespondida(let evento): evento
        case .cobrancaExpirada(let evento): evento
        case .estornoSolicitado(let evento): evento
        case .pagamentoEstornado(let evento): evento
        case .estornoRecusado(let evento): evento
        }
    }

    package init?(_ evento: EventoDoDominio) {
        guard case .pagamentos(let meu) = evento else { return nil }
        self = meu
    }
}
