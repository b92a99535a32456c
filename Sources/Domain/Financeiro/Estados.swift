/// What is known of an entry: the stream `lancamento-{id}`.
package enum Lancamento: EstadoDeFluxo {
    case inexistente
    case registrado(LancamentoRegistrado)

    package static let inicial = Lancamento.inexistente

    package func evoluindo(com evento: EventoDeFinanceiro) -> Lancamento {
        switch evento {
        case .lancamentoRegistrado(let registro): .registrado(registro)
        case .periodoFechado, .despesaRegistrada, .despesaEstornada, .prazoDosLivrosProrrogado, .prazoDosLivrosEncerrado: self
        }
    }
}

/// What is known of a month: the stream `periodo-{yyyy-mm}`. A month is open until it is closed.
package enum Periodo: EstadoDeFluxo {
    case aberto
    case fechado(em: Instante)

    package static let inicial = Periodo.aberto

    package func evoluindo(com evento: EventoDeFinanceiro) -> Periodo {
        switch evento {
        case .periodoFechado(let fechamento): .fechado(em: fechamento.em)
        case .lancamentoRegistrado, .despesaRegistrada, .despesaEstornada, .prazoDosLivrosProrrogado, .prazoDosLivrosEncerrado: self
        }
    }
}

/// What is known of an expense: the stream `despesa-{id}`.
package enum Despesa: EstadoDeFluxo {
    case inexistente
    case registrada(DespesaRegistrada)
    case estornada(DespesaRegistrada)

    package static let inicial = Despesa.inexistente

    package func evoluindo(com evento: EventoDeFinanceiro) -> Despesa {
        switch evento {
        case .despesaRegistrada(let registro): .registrada(registro)
        case .despesaEstornada: registro.map(Despesa.estornada) ?? self
        case .lancamentoRegistrado, .periodoFechado, .prazoDosLivrosProrrogado, .prazoDosLivrosEncerrado: self
        }
    }

    private var registro: DespesaRegistrada? {
        switch self {
        case .inexistente: nil
        case .registrada(let registro), .estornada(let registro): registro
        }
    }
}
