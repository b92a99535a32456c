/// The booking rules of the space, replacing those before.
package struct RegrasDeReservaDefinidas: Evento {
    package static let tipo = "espacos.RegrasDeReservaDefinidas"

    package let espaco: EspacoID
    package let versao: VersaoDeRegra
    package let regras: RegrasDeReserva
    package let em: Instante

    package init(
        espaco: EspacoID,
        versao: VersaoDeRegra,
        regras: RegrasDeReserva,
        em: Instante
    ) {
        self.espaco = espaco
        self.versao = versao
        self.regras = regras
        self.em = em
    }
}
