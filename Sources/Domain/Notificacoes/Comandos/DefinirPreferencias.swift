/// Somebody says how they want to be told things.
package struct DefinirPreferencias: Equatable, Sendable {
    package let definicao: PreferenciasDefinidas

    package init(_ definicao: PreferenciasDefinidas) {
        self.definicao = definicao
    }

    /// Refuses choices that turn off what somebody must be told: it is to come by mail or lie in the app.
    private func conferir() throws(RecusaDeNotificacoes) {
        for escolha in definicao.escolhas where escolha.tipo.obrigatorio {
            guard escolha.canais.contains(.app) || escolha.canais.contains(.email) else { throw .avisoObrigatorio }
        }
    }

    /// - Parameter conta: The person's account.
    /// - Throws: `RecusaDeUsuarios` or `RecusaDeNotificacoes`.
    package func decidir(conta: Conta) throws -> [EventosDoFluxo] {
        _ = try conta.exigirAtiva()
        try conferir()
        return [EventosDoFluxo(.preferencias(definicao.usuario), notificacoes: .preferenciasDefinidas(definicao))]
    }
}
