/// The space is closed for a while. Bookings already made stand.
package struct FechamentoDefinido: Evento {
    package static let tipo = "espacos.FechamentoDefinido"

    package let espaco: EspacoID
    package let fechamento: Fechamento
    package let em: Instante

    package init(
        espaco: EspacoID,
        fechamento: Fechamento,
        em: Instante
    ) {
        self.espaco = espaco
        self.fechamento = fechamento
        self.em = em
    }
}
