/// What is known of a plan: the stream `plano-{id}`.
package enum Plano: EstadoDeFluxo {
    case naoPublicado
    case publicado(DadosDoPlano)

    package static let inicial = Plano.naoPublicado

    package func evoluindo(com evento: EventoDePrecos) -> Plano {
        switch evento {
        case .planoPublicado(let publicacao):
            .publicado(
                DadosDoPlano(
                    plano: publicacao.plano,
                    versao: publicacao.versao,
                    nome: publicacao.nome,
                    desconto: publicacao.desconto,
                    mensalidade: publicacao.mensalidade,
                    creditosMensais: publicacao.creditosMensais ?? .zero,
                    mesesDeValidade: publicacao.mesesDeValidade ?? 1
                )
            )
        case .tarifarioPublicado, .cupomCriado, .cupomUsado, .cupomDevolvido, .cupomDesativado, .assinaturaIniciada,
            .assinaturaRenovada, .planoTrocado, .trocaDePlanoMarcada, .trocaDePlanoDesfeita, .assinaturaCancelada, .creditosConcedidos,
            .creditosConsumidos, .creditosDevolvidos:
            self
        }
    }
}

/// The version of a plan in force.
package struct DadosDoPlano: Hashable, Sendable {
    package let plano: PlanoID
    package let versao: VersaoDeRegra
    package let nome: String
    package let desconto: Percentual
    package let mensalidade: Dinheiro
    /// Minutes that each month includes; zero where none.
    package let creditosMensais: Minutos
    /// For how many months the minutes of a month can be used, that month included.
    package let mesesDeValidade: Int
}
