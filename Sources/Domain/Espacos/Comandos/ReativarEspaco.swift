/// Takes a space into use again.
package struct ReativarEspaco: Hashable, Sendable {
    package let espaco: EspacoID
    package let por: Autoridade
    package let agora: Instante

    package init(
        espaco: EspacoID,
        por: Autoridade,
        agora: Instante
    ) {
        self.espaco = espaco
        self.por = por
        self.agora = agora
    }

    package func decidir(espaco estado: Espaco) throws(RecusaDeEspacos) -> [EventosDoFluxo] {
        guard por.administra else { throw .soAdministrador }
        switch estado {
        case .inexistente:
            throw .espacoNaoEncontrado
        case .ativo:
            return []
        case .desativado:
            return [EventosDoFluxo(.espaco(espaco), espacos: .espacoReativado(EspacoReativado(espaco: espaco, em: agora)))]
        }
    }
}
