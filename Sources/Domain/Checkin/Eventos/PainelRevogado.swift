/// A display at a door may show nothing any more.
package struct PainelRevogado: Evento {
    package static let tipo = "checkin.PainelRevogado"

    package let painel: CodigoID
    package let espaco: EspacoID
    package let por: UsuarioID
    package let em: Instante

    package init(painel: CodigoID, espaco: EspacoID, por: UsuarioID, em: Instante) {
        self.painel = painel
        self.espaco = espaco
        self.por = por
        self.em = em
    }
}
