/// Changes the plan of a subscription: to a dearer one at once, for the days of the period that are left; to any other when it renews.
package struct TrocarPlano: Hashable, Sendable {
    package let usuario: UsuarioID
    package let plano: PlanoID
    /// The member themself, or an operator.
    package let ator: Ator
    /// The id of the lot of credits, if the dearer plan includes more.
    package let lote: LoteID
    /// The rules of the zone that the subscription names.
    package let zona: ZonaHoraria
    package let agora: Instante

    package init(usuario: UsuarioID, plano: PlanoID, ator: Ator, lote: LoteID, zona: ZonaHoraria, agora: Instante) {
        self.usuario = usuario
        self.plano = plano
        self.ator = ator
        self.lote = lote
        self.zona = zona
        self.agora = agora
    }

    /// - Parameters:
    ///   - atual: The stream of the plan that the subscription has.
    ///   - novo: The stream of `plano`.
    package func decidir(assinatura: Assinatura, atual: Plano, novo: Plano) throws(RecusaDePrecos) -> [EventosDoFluxo] {
        guard ator.opera || ator.usuario == usuario else { throw .soEquipe }
        guard case .publicado(let publicado) = novo, publicado.plano == plano else { throw .planoInexistente(plano) }
        guard plano != .basic else { throw .planoSemAssinatura }
        let dados: DadosDaAssinatura
        switch assinatura.situacao {
        case .ativa(let ativa): dados = ativa
        case .cancelada(let cancelada, let fim) where agora < fim:
            throw .jaAssina(plano: cancelada.plano, ate: zona.data(de: fim))
        case .nenhuma, .cancelada: throw .semAssinatura
        }
        if plano == (dados.seguinte ?? dados.plano) { return [] }
        // The timer of the renewal has not been heard yet: which period this is in, it decides.
        guard agora < dados.periodo.fim else { throw .renovando }
        if plano == dados.plano { return DesfazerTroca(usuario: usuario, ator: ator, agora: agora).desfeita(dados) }
        return publicado.mensalidade > dados.mensalidade ? try jaAgora(dados, atual, publicado) : depois(dados)
    }

    private func depois(_ dados: DadosDaAssinatura) -> [EventosDoFluxo] {
        let marcada = TrocaDePlanoMarcada(
            usuario: usuario, de: dados.plano, para: plano, valeDesde: dados.periodo.fim, por: ator.usuario, em: agora
        )
        return [EventosDoFluxo(.assinatura(usuario), precos: .trocaDePlanoMarcada(marcada))]
    }

    private func jaAgora(_ dados: DadosDaAssinatura, _ atual: Plano, _ novo: DadosDoPlano) throws(RecusaDePrecos) -> [EventosDoFluxo] {
        let fim = zona.data(de: dados.periodo.fim).diasDesde1970
        let (dias, restantes) = (fim - zona.data(de: dados.periodo.inicio).diasDesde1970, fim - zona.data(de: agora).diasDesde1970)
        guard dias > 0, (1...dias).contains(restantes) else { throw .renovando }
        let diferenca: Dinheiro
        do {
            diferenca = try novo.mensalidade.subtraindo(dados.mensalidade).vezes([Int64(restantes)], sobre: [Int64(dias)])
        } catch {
            throw .valorForaDosLimites
        }
        let periodo = PeriodoDaAssinatura(
            numero: dados.periodo.numero,
            // The charge is known by this: what is paid for at one instant must not be taken for one another.
            inicio: max(agora, (dados.trocadaEm ?? dados.periodo.inicio) + Duracao(microssegundos: 1)),
            fim: dados.periodo.fim,
            fuso: dados.periodo.fuso,
            diaDoMes: dados.periodo.diaDoMes
        )
        let trocado = PlanoTrocado(
            usuario: usuario,
            de: dados.plano,
            deVersao: dados.planoVersao,
            deMensalidade: dados.mensalidade,
            para: novo.plano,
            paraVersao: novo.versao,
            paraMensalidade: novo.mensalidade,
            periodo: periodo,
            dias: Int(dias),
            diasRestantes: Int(restantes),
            diferenca: diferenca,
            venceEm: agora + DadosDaAssinatura.prazoDoPagamento,
            por: ator.usuario,
            em: agora
        )
        let creditos = concessao(atual, novo, periodo, Int(restantes), de: Int(dias))
        return [EventosDoFluxo(.assinatura(usuario), ([.planoTrocado(trocado)] + creditos).map(EventoDoDominio.precos))]
    }

    /// The minutes that the new plan includes more, for the days that are left, in whole minutes, rounded down.
    private func concessao(
        _ atual: Plano,
        _ novo: DadosDoPlano,
        _ periodo: PeriodoDaAssinatura,
        _ restantes: Int,
        de dias: Int
    ) -> [EventoDePrecos] {
        var antes = 0
        if case .publicado(let publicado) = atual { antes = publicado.creditosMensais.valor }
        guard let minutos = Minutos(max(0, novo.creditosMensais.valor - antes) * restantes / dias), minutos > .zero else { return [] }
        let concessao = CreditosConcedidos(
            usuario: usuario,
            lote: lote,
            minutos: minutos,
            expiraEm: periodo.validade(meses: novo.mesesDeValidade, zona: zona),
            origem: .plano,
            em: agora
        )
        return [.creditosConcedidos(concessao)]
    }
}

/// Takes back a change of plan that has not come into effect.
package struct DesfazerTroca: Hashable, Sendable {
    package let usuario: UsuarioID
    package let ator: Ator
    package let agora: Instante

    package init(usuario: UsuarioID, ator: Ator, agora: Instante) {
        self.usuario = usuario
        self.ator = ator
        self.agora = agora
    }

    package func decidir(assinatura: Assinatura) throws(RecusaDePrecos) -> [EventosDoFluxo] {
        guard ator.opera || ator.usuario == usuario else { throw .soEquipe }
        switch assinatura.situacao {
        case .nenhuma, .cancelada: throw .semAssinatura
        case .ativa(let dados): return desfeita(dados)
        }
    }

    /// Nothing where nothing is to be taken back.
    func desfeita(_ dados: DadosDaAssinatura) -> [EventosDoFluxo] {
        guard let seguinte = dados.seguinte else { return [] }
        let desfeita = TrocaDePlanoDesfeita(usuario: usuario, para: seguinte, por: ator.usuario, em: agora)
        return [EventosDoFluxo(.assinatura(usuario), precos: .trocaDePlanoDesfeita(desfeita))]
    }
}
