/// Describes a unit anew.
package struct AtualizarUnidade: Hashable, Sendable {
    package let unidade: UnidadeID
    package let nome: String
    /// IANA name of the zone; whoever asks has checked that it exists.
    package let fuso: String
    package let endereco: String
    package let por: Autoridade
    package let agora: Instante

    package init(
        unidade: UnidadeID,
        nome: String,
        fuso: String,
        endereco: String,
        por: Autoridade,
        agora: Instante
    ) {
        self.unidade = unidade
        self.nome = nome
        self.fuso = fuso
        self.endereco = endereco
        self.por = por
        self.agora = agora
    }

    package func decidir(unidade estado: Unidade) throws(RecusaDeEspacos) -> [EventosDoFluxo] {
        guard por.administra else { throw .soAdministrador }
        guard case .criada(let dados) = estado else { throw .unidadeNaoEncontrada }
        let novos = DadosDaUnidade(unidade: unidade, nome: nome, fuso: fuso, endereco: endereco)
        if novos == dados { return [] }
        try novos.validar()
        let atualizacao = UnidadeAtualizada(unidade: unidade, nome: nome, fuso: fuso, endereco: endereco, em: agora)
        return [EventosDoFluxo(.unidade(unidade), espacos: .unidadeAtualizada(atualizacao))]
    }
}
