/// What is known of a unit: the stream `unidade-{id}`.
package enum Unidade: EstadoDeFluxo {
    case inexistente
    case criada(DadosDaUnidade)

    package static let inicial = Unidade.inexistente

    package func evoluindo(com evento: EventoDeEspacos) -> Unidade {
        switch evento {
        case .unidadeCriada(let criacao):
            .criada(
                DadosDaUnidade(
                    unidade: criacao.unidade,
                    nome: criacao.nome,
                    fuso: criacao.fuso,
                    endereco: criacao.endereco
                )
            )
        case .unidadeAtualizada(let atualizacao):
            .criada(
                DadosDaUnidade(
                    unidade: atualizacao.unidade,
                    nome: atualizacao.nome,
                    fuso: atualizacao.fuso,
                    endereco: atualizacao.endereco
                )
            )
        case .espacoCriado, .espacoAtualizado, .horarioDefinido, .fechamentoDefinido, .fechamentoRemovido,
            .regrasDeReservaDefinidas, .espacoDesativado, .espacoReativado:
            self
        }
    }
}

/// What a unit is.
package struct DadosDaUnidade: Hashable, Sendable {
    package let unidade: UnidadeID
    package let nome: String
    /// IANA name of the zone of its wall clocks.
    package let fuso: String
    package let endereco: String
}

extension DadosDaUnidade {
    func validar() throws(RecusaDeEspacos) {
        guard nome.temConteudo(ate: 120) else { throw .campoInvalido(.nome) }
        guard fuso.temConteudo(ate: 64) else { throw .campoInvalido(.fuso) }
        guard endereco.temConteudo(ate: 300) else { throw .campoInvalido(.endereco) }
    }
}
