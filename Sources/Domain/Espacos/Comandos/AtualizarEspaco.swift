/// Describes a space anew.
package struct AtualizarEspaco: Hashable, Sendable {
    package let espaco: EspacoID
    package let ficha: FichaDoEspaco
    package let por: Autoridade
    package let agora: Instante

    package init(
        espaco: EspacoID,
        ficha: FichaDoEspaco,
        por: Autoridade,
        agora: Instante
    ) {
        self.espaco = espaco
        self.ficha = ficha
        self.por = por
        self.agora = agora
    }

    /// - Parameter ocupacaoAdiante: The most seats that bookings take at once from now on. It is a fact about agenda streams:
    ///   looked at only when seats become fewer, and then worth guarding.
    package func decidir(espaco estado: Espaco, ocupacaoAdiante: Int) throws(RecusaDeEspacos) -> [EventosDoFluxo] {
        guard por.administra else { throw .soAdministrador }
        guard let dados = estado.dados else { throw .espacoNaoEncontrado }
        if ficha == dados.ficha { return [] }
        try ficha.validar()
        if ficha.lugares < dados.ficha.lugares && ficha.lugares < ocupacaoAdiante { throw .lugaresJaReservados(ocupacaoAdiante) }
        let atualizacao = EspacoAtualizado(espaco: espaco, ficha: ficha, em: agora)
        return [EventosDoFluxo(.espaco(espaco), espacos: .espacoAtualizado(atualizacao))]
    }
}
