/// A period of a subscription is over: the next begins, by the plan as it is published now. What no longer applies is ignored.
package struct RenovarAssinatura: Hashable, Sendable {
    package let usuario: UsuarioID
    package let lote: LoteID
    /// The rules of the zone that the subscription names.
    package let zona: ZonaHoraria
    package let agora: Instante

    package init(usuario: UsuarioID, lote: LoteID, zona: ZonaHoraria, agora: Instante) {
        self.usuario = usuario
        self.lote = lote
        self.zona = zona
        self.agora = agora
    }

    /// - Parameters:
    ///   - plano: The state of the plan's stream.
    ///   - conta: The account of the subscriber.
    package func decidir(assinatura: Assinatura, plano: Plano, conta: Conta) -> [EventosDoFluxo] {
        guard case .ativa(let dados) = assinatura.situacao, agora >= dados.periodo.fim else { return [] }
        guard case .publicado(let publicado) = plano else { return [] }
        switch conta {
        case .ativa: break
        case .bloqueada: return fim(dados, .contaBloqueada)
        case .apagada, .inexistente: return fim(dados, .contaApagada)
        }
        let periodo = dados.periodo.seguinte(zona: zona)
        let renovacao = AssinaturaRenovada(
            usuario: usuario,
            plano: publicado.plano,
            planoVersao: publicado.versao,
            mensalidade: publicado.mensalidade,
            periodo: periodo,
            venceEm: periodo.inicio + DadosDaAssinatura.prazoDoPagamento,
            em: agora
        )
        let creditos = publicado.concessao(a: usuario, lote: lote, periodo: periodo, zona: zona, em: agora)
        return [EventosDoFluxo(.assinatura(usuario), ([.assinaturaRenovada(renovacao)] + creditos).map(EventoDoDominio.precos))]
    }

    private func fim(_ dados: DadosDaAssinatura, _ motivo: MotivoDoFimDaAssinatura) -> [EventosDoFluxo] {
        let fim = AssinaturaCancelada(usuario: usuario, plano: dados.plano, motivo: motivo, terminaEm: dados.periodo.fim, em: agora)
        return [EventosDoFluxo(.assinatura(usuario), precos: .assinaturaCancelada(fim))]
    }
}
