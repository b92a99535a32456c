/// Publishes a plan, or its next version.
package struct PublicarPlano: Hashable, Sendable {
    package let plano: PlanoID
    package let nome: String
    package let desconto: Percentual
    package let mensalidade: Dinheiro
    /// Minutes that each month includes; zero for none.
    package let creditosMensais: Minutos
    /// For how many months the minutes of a month can be used: 1 for that month only.
    package let mesesDeValidade: Int
    package let por: Autoridade
    package let agora: Instante

    package init(
        plano: PlanoID,
        nome: String,
        desconto: Percentual,
        mensalidade: Dinheiro,
        creditosMensais: Minutos = .zero,
        mesesDeValidade: Int = 1,
        por: Autoridade,
        agora: Instante
    ) {
        self.plano = plano
        self.nome = nome
        self.desconto = desconto
        self.mensalidade = mensalidade
        self.creditosMensais = creditosMensais
        self.mesesDeValidade = mesesDeValidade
        self.por = por
        self.agora = agora
    }

    package func decidir(plano estado: Plano) throws(RecusaDePrecos) -> [EventosDoFluxo] {
        guard por.gere else { throw .soGestor }
        guard por.respondePorTudo else { throw .outraUnidade }
        guard nome.temConteudo(ate: 60) else { throw .campoInvalido(.nome) }
        guard mensalidade >= .zero else { throw .campoInvalido(.mensalidade) }
        guard creditosMensais.valor <= CarteiraDeCreditos.maiorLote else { throw .campoInvalido(.creditosMensais) }
        guard (1...12).contains(mesesDeValidade) else { throw .campoInvalido(.mesesDeValidade) }
        // Everybody has the basic plan, and nobody subscribes to it: there is no month that it could include anything in.
        guard plano != .basic || creditosMensais == .zero else { throw .campoInvalido(.creditosMensais) }
        var versao = VersaoDeRegra.nenhuma
        if case .publicado(let dados) = estado {
            if diz(o: dados) { return [] }
            versao = dados.versao
        }
        let publicacao = PlanoPublicado(
            plano: plano,
            versao: versao.seguinte,
            nome: nome,
            desconto: desconto,
            mensalidade: mensalidade,
            creditosMensais: creditosMensais > .zero ? creditosMensais : nil,
            mesesDeValidade: creditosMensais > .zero ? mesesDeValidade : nil,
            em: agora
        )
        return [EventosDoFluxo(.plano(plano), precos: .planoPublicado(publicacao))]
    }

    /// Whether the plan is as it is to be already.
    private func diz(o dados: DadosDoPlano) -> Bool {
        dados.nome == nome && dados.desconto == desconto && dados.mensalidade == mensalidade
            && dados.creditosMensais == creditosMensais && (creditosMensais == .zero || dados.mesesDeValidade == mesesDeValidade)
    }
}
