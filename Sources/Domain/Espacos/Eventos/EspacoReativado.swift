/// The space takes bookings again.
package struct EspacoReativado: Evento {
    package static let tipo = "espacos.EspacoReativado"

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
