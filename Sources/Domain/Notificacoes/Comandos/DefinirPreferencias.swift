/// Somebody says how they want to be told things.
package struct DefinirPreferencias: Equatable, Sendable {
    package let definicao: PreferenciasDefinidas

    package init(_ definicao: PreferenciasDefinidas) {
        self.definicao = definicao
    }

    /// - Parameter conta: The person's account.
    package func decidir(conta: Conta) throws(RecusaDeUsuarios) -> [EventosDoFluxo] {
        _ = try conta.exigirAtiva()
        return [EventosDoFluxo(.preferencias(definicao.usuario), notificacoes: .preferenciasDefinidas(definicao))]
    }
}
