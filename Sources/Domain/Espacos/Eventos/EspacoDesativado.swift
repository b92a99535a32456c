/// The space takes no bookings any more.
package struct EspacoDesativado: Evento {
    package static let tipo = "espacos.EspacoDesativado"

    package let espaco: EspacoID
    package let em: Instante

    package init(
        espaco: EspacoID,
        em: Instante
    ) {
        self.espaco = espaco
        self.em = em
    }
}
