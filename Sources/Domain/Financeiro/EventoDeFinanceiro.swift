/// All that can happen in `financeiro`: the ledger, its months, expenses.
package enum EventoDeFinanceiro: EventoDeContexto {
    case lancamentoRegistrado(LancamentoRegistrado)
    case periodoFechado(PeriodoFechado)
    case despesaRegistrada(DespesaRegistrada)
    case despesaEstornada(DespesaEstornada)
    case prazoDosLivrosProrrogado(PrazoDosLivrosProrrogado)
    case prazoDosLivrosEncerrado(PrazoDosLivrosEncerrado)

    package static let leitores: [LeitorDeEvento<EventoDeFinanceiro>] = [
        LeitorDeEvento(LancamentoRegistrado.self, EventoDeFinanceiro.lancamentoRegistrado),
        LeitorDeEvento(PeriodoFechado.self, EventoDeFinanceiro.periodoFechado),
        LeitorDeEvento(DespesaRegistrada.self, EventoDeFinanceiro.despesaRegistrada),
        LeitorDeEvento(DespesaEstornada.self, EventoDeFinanceiro.despesaEstornada),
        LeitorDeEvento(PrazoDosLivrosProrrogado.self, EventoDeFinanceiro.prazoDosLivrosProrrogado),
        LeitorDeEvento(PrazoDosLivrosEncerrado.self, EventoDeFinanceiro.prazoDosLivrosEncerrado),
    ]

    package var evento: any Evento {
        switch self {
        case .lancamentoRegistrado(let evento): evento
        case .periodoFechado(let evento): evento
        case .despesaRegistrada(let evento): evento
        case .despesaEstornada(let evento): evento
        case .prazoDosLivrosProrrogado(let evento): evento
        case .prazoDosLivrosEncerrado(let evento): evento
        }
    }

    package init?(_ evento: EventoDoDominio) {
        guard case .financeiro(let meu) = evento else { return nil }
        self = meu
    }
}
