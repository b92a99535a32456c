/// Takes a space out of use.
package struct DesativarEspaco: Hashable, Sendable {
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

    /// - Parameter reservasAdiante: How many bookings have not ended yet. It is a fact about agenda streams, worth guarding.
    package func decidir(espaco estado: Espaco, reservasAdiante: Int) throws(RecusaDeEspacos) -> [EventosDoFluxo] {
        guard por.administra else { throw .soAdministrador }
        switch estado {
        case .inexistente:
            throw .espacoNaoEncontrado
        case .desativado:
            return []
        case .ativo:
            guard reservasAdiante == 0 else { throw .reservasAdiante(reservasAdiante) }
            return [EventosDoFluxo(.espaco(espaco), espacos: .espacoDesativado(EspacoDesativado(espaco: espaco, em: agora)))]
        }
    }
}
