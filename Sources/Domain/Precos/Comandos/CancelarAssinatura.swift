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

/// The time to pay a fee has run out: the subscription ends at once, and the minutes that the unpaid periods included can be used no more.
/// What no longer applies is ignored.
package struct EncerrarPorFaltaDePagamento: Hashable, Sendable {
    /// How long after the charge closed: a payment that was under way is known by then.
    package static let espera = Duracao.minutos(15)

    package let causa: CausaDaCobranca
    package let agora: Instante

    package init(causa: CausaDaCobranca, agora: Instante) {
        self.causa = causa
        self.agora = agora
    }

    /// - Parameters:
    ///   - mensalidades: Folded from the same stream as `assinatura`.
    ///   - pagamento: The stream of the charge of `causa`.
    package func decidir(assinatura: Assinatura, mensalidades: Mensalidades, pagamento: Pagamento) -> [EventosDoFluxo] {
        guard case .encerrado = pagamento, let devida = mensalidades.da(causa), devida.fim == nil, assinatura.vigora(em: agora),
            let dados = assinatura.dados, devida.inicio >= dados.desde
        else { return [] }
        let fim = AssinaturaCancelada(
            usuario: dados.usuario,
            plano: dados.plano,
            motivo: .faltaDePagamento,
            terminaEm: agora,
            lotesEncerrados: assinatura.carteira.incluidos(desde: devida.inicio, em: agora),
            em: agora
        )
        return [EventosDoFluxo(.assinatura(dados.usuario), precos: .assinaturaCancelada(fim))]
    }
}
