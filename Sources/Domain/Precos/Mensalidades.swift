/// The fees of a member's subscriptions, a period each, and what the rest of a period costs more since its plan was changed: the stream
/// `assinatura-{usuario}`. What costs nothing is left out.
package struct Mensalidades: EstadoDeFluxo {
    /// The oldest first.
    package private(set) var todas: [Mensalidade]

    package static let inicial = Mensalidades(todas: [])

    package func evoluindo(com evento: EventoDePrecos) -> Mensalidades {
        var novas = self
        switch evento {
        case .assinaturaIniciada(let inicio): novas.cobrar(inicio.usuario, inicio.mensalidade, inicio.periodo, inicio.venceEm)
        case .assinaturaRenovada(let nova): novas.cobrar(nova.usuario, nova.mensalidade, nova.periodo, nova.venceEm)
        case .planoTrocado(let troca): novas.cobrar(troca.usuario, troca.diferenca, troca.periodo, troca.venceEm)
        case .assinaturaCancelada(let fim):
            // One that lasts to the end of its period is owed as before.
            guard fim.terminaEm <= fim.em else { return self }
            for posicao in novas.todas.indices where novas.todas[posicao].fim == nil {
                novas.todas[posicao].fim = Mensalidade.Fim(motivo: fim.motivo, em: fim.em)
            }
        case .tarifarioPublicado, .planoPublicado, .cupomCriado, .cupomUsado, .cupomDevolvido, .cupomDesativado, .creditosConcedidos,
            .creditosConsumidos, .creditosDevolvidos, .trocaDePlanoMarcada, .trocaDePlanoDesfeita:
            break
        }
        return novas
    }

    package func da(_ causa: CausaDaCobranca) -> Mensalidade? {
        todas.first { $0.causa == causa }
    }

    private mutating func cobrar(_ usuario: UsuarioID, _ valor: Dinheiro, _ periodo: PeriodoDaAssinatura, _ venceEm: Instante) {
        guard valor > .zero else { return }
        todas.append(Mensalidade(usuario: usuario, valor: valor, inicio: periodo.inicio, venceEm: venceEm))
    }
}

/// The fee of one period of a subscription, or the difference of a dearer plan for the rest of it.
package struct Mensalidade: Hashable, Sendable {
    /// How its subscription ended at once, while the period lasted or after it.
    package struct Fim: Hashable, Sendable {
        package let motivo: MotivoDoFimDaAssinatura
        package let em: Instante
    }

    /// How long after a fee was due the subscription still goes on unpaid.
    package static let tolerancia = Duracao.horas(5 * 24)

    package let usuario: UsuarioID
    /// More than zero.
    package let valor: Dinheiro
    /// When the period began.
    package let inicio: Instante
    package let venceEm: Instante
    package fileprivate(set) var fim: Fim?

    package var causa: CausaDaCobranca { .mensalidade(usuario, inicio: inicio) }
}
