/// Ends a subscription with the period that is paid for.
package struct CancelarAssinatura: Hashable, Sendable {
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
        case .nenhuma: throw .semAssinatura
        case .cancelada: return []
        case .ativa(let dados):
            let fim = AssinaturaCancelada(
                usuario: usuario,
                plano: dados.plano,
                motivo: ator.usuario == usuario ? .membro : .operador,
                terminaEm: max(agora, dados.periodo.fim),
                por: ator.usuario,
                em: agora
            )
            return [EventosDoFluxo(.assinatura(usuario), precos: .assinaturaCancelada(fim))]
        }
    }
}

/// Ends a subscription at once because a rule says so. What no longer applies is ignored.
package struct EncerrarAssinatura: Hashable, Sendable {
    package let usuario: UsuarioID
    package let motivo: MotivoDoFimDaAssinatura
    package let agora: Instante

    package init(usuario: UsuarioID, motivo: MotivoDoFimDaAssinatura, agora: Instante) {
        self.usuario = usuario
        self.motivo = motivo
        self.agora = agora
    }

    package func decidir(assinatura: Assinatura) -> [EventosDoFluxo] {
        guard assinatura.vigora(em: agora), let dados = assinatura.dados else { return [] }
        let fim = AssinaturaCancelada(usuario: usuario, plano: dados.plano, motivo: motivo, terminaEm: agora, em: agora)
        return [EventosDoFluxo(.assinatura(usuario), precos: .assinaturaCancelada(fim))]
    }
}
