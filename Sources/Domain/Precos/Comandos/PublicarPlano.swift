/// Publishes a plan, or its next version.
package struct PublicarPlano: Hashable, Sendable {
    package let plano: PlanoID
    package let nome: String
    package let desconto: Percentual
    package let mensalidade: Dinheiro
    package let por: Autoridade
    package let agora: Instante

    package init(
        plano: PlanoID,
        nome: String,
        desconto: Percentual,
        mensalidade: Dinheiro,
        por: Autoridade,
        agora: Instante
    ) {
        self.plano = plano
        self.nome = nome
        self.desconto = desconto
        self.mensalidade = mensalidade
        self.por = por
        self.agora = agora
    }

    package func decidir(plano estado: Plano) throws(RecusaDePrecos) -> [EventosDoFluxo] {
        guard por.gere else { throw .soGestor }
        guard nome.temConteudo(ate: 60) else { throw .campoInvalido(.nome) }
        guard mensalidade >= .zero else { throw .campoInvalido(.mensalidade) }
        var versao = VersaoDeRegra.nenhuma
        if case .publicado(let dados) = estado {
            if dados.nome == nome && dados.desconto == desconto && dados.mensalidade == mensalidade { return [] }
            versao = dados.versao
        }
        let publicacao = PlanoPublicado(
            plano: plano,
            versao: versao.seguinte,
            nome: nome,
            desconto: desconto,
            mensalidade: mensalidade,
            em: agora
        )
        return [EventosDoFluxo(.plano(plano), precos: .planoPublicado(publicacao))]
    }
}
