/// Management sets a display up at the door of a space.
package struct AutorizarPainel: Hashable, Sendable {
    /// How long a display may show its space's day before it has to be set up anew.
    package static let validade = Duracao.horas(24 * 90)

    package let painel: CodigoID
    package let espaco: EspacoID
    /// The space's.
    package let unidade: UnidadeID
    package let ator: Ator
    package let agora: Instante

    package init(painel: CodigoID, espaco: EspacoID, unidade: UnidadeID, ator: Ator, agora: Instante) {
        self.painel = painel
        self.espaco = espaco
        self.unidade = unidade
        self.ator = ator
        self.agora = agora
    }

    package func decidir(painel estado: Painel) throws(RecusaDeCheckin) -> [EventosDoFluxo] {
        guard ator.papel(em: unidade) >= .gestor else { throw .soEquipe }
        guard case .inexistente = estado else { return [] }
        let autorizado = PainelAutorizado(
            painel: painel, espaco: espaco, venceEm: agora + Self.validade, por: ator.usuario, em: agora
        )
        return [EventosDoFluxo(.painel(painel), checkin: [.painelAutorizado(autorizado)])]
    }
}

/// Management takes a display's token back: it shows nothing any more. The others of the space go on.
package struct RevogarPainel: Hashable, Sendable {
    package let painel: CodigoID
    package let espaco: EspacoID
    /// The space's.
    package let unidade: UnidadeID
    package let ator: Ator
    package let agora: Instante

    package init(painel: CodigoID, espaco: EspacoID, unidade: UnidadeID, ator: Ator, agora: Instante) {
        self.painel = painel
        self.espaco = espaco
        self.unidade = unidade
        self.ator = ator
        self.agora = agora
    }

    package func decidir(painel estado: Painel) throws(RecusaDeCheckin) -> [EventosDoFluxo] {
        guard ator.papel(em: unidade) >= .gestor else { throw .soEquipe }
        guard let autorizacao = estado.autorizacao, autorizacao.espaco == espaco else { throw .painelNaoEncontrado }
        guard case .autorizado = estado else { return [] }
        let revogado = PainelRevogado(painel: painel, espaco: espaco, por: ator.usuario, em: agora)
        return [EventosDoFluxo(.painel(painel), checkin: [.painelRevogado(revogado)])]
    }
}
