/// Subscribes a member to a plan: from now on, month by month, until it is cancelled.
package struct AssinarPlano: Hashable, Sendable {
    package let usuario: UsuarioID
    package let plano: PlanoID
    /// The member themself, or an operator.
    package let ator: Ator
    /// The id of the lot of credits, if the plan includes any.
    package let lote: LoteID
    /// The zone whose days the months are counted in.
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

    package func decidir(assinatura: Assinatura, plano estado: Plano) throws(RecusaDePrecos) -> [EventosDoFluxo] {
        guard ator.opera || ator.usuario == usuario else { throw .soEquipe }
        guard case .publicado(let publicado) = estado, publicado.plano == plano else { throw .planoInexistente(plano) }
        guard plano != .basic else { throw .planoSemAssinatura }
        if assinatura.vigora(em: agora), let atual = assinatura.dados {
            switch assinatura.situacao {
            case .ativa where atual.plano == plano: return []
            case .ativa: throw .jaAssina(plano: atual.plano, ate: nil)
            case .cancelada(_, let fim): throw .jaAssina(plano: atual.plano, ate: zona.data(de: fim))
            case .nenhuma: break
            }
        }
        let periodo = PeriodoDaAssinatura.primeiro(em: agora, zona: zona)
        let inicio = AssinaturaIniciada(
            usuario: usuario,
            plano: plano,
            planoVersao: publicado.versao,
            mensalidade: publicado.mensalidade,
            periodo: periodo,
            venceEm: periodo.inicio + DadosDaAssinatura.prazoDoPagamento,
            por: ator.usuario,
            em: agora
        )
        let creditos = publicado.concessao(a: usuario, lote: lote, periodo: periodo, zona: zona, em: agora)
        return [EventosDoFluxo(.assinatura(usuario), ([.assinaturaIniciada(inicio)] + creditos).map(EventoDoDominio.precos))]
    }
}

extension DadosDoPlano {
    /// What a period of the plan includes; empty where it includes no credits.
    func concessao(
        a usuario: UsuarioID,
        lote: LoteID,
        periodo: PeriodoDaAssinatura,
        zona: ZonaHoraria,
        em agora: Instante
    ) -> [EventoDePrecos] {
        guard creditosMensais > .zero else { return [] }
        let concessao = CreditosConcedidos(
            usuario: usuario,
            lote: lote,
            minutos: creditosMensais,
            expiraEm: periodo.validade(meses: mesesDeValidade, zona: zona),
            origem: .plano,
            em: agora
        )
        return [.creditosConcedidos(concessao)]
    }
}
