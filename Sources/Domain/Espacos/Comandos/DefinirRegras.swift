/// Sets the booking rules of a space, as their next version. Bookings already made keep theirs.
package struct DefinirRegras: Hashable, Sendable {
    package let espaco: EspacoID
    package let regras: RegrasDeReserva
    package let por: Autoridade
    package let agora: Instante

    package init(
        espaco: EspacoID,
        regras: RegrasDeReserva,
        por: Autoridade,
        agora: Instante
    ) {
        self.espaco = espaco
        self.regras = regras
        self.por = por
        self.agora = agora
    }

    package func decidir(espaco estado: Espaco) throws(RecusaDeEspacos) -> [EventosDoFluxo] {
        let dados = try estado.exigirOperado(por: por)
        if dados.regras == regras { return [] }
        try regras.validar()
        let definicao = RegrasDeReservaDefinidas(espaco: espaco, versao: dados.versaoDasRegras.seguinte, regras: regras, em: agora)
        return [EventosDoFluxo(.espaco(espaco), espacos: .regrasDeReservaDefinidas(definicao))]
    }
}
