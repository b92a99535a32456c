/// A booking gave credits back, each to the lot it came from, which expires when it did before.
package struct CreditosDevolvidos: Evento {
    package static let tipo = "precos.CreditosDevolvidos"

    package let usuario: UsuarioID
    package let reserva: ReservaID
    package let lotes: [ParcelaDeLote]
    /// Of what the booking had used, where it was given up; rounded down to whole minutes. Absent where the booking moved and needs less.
    package let percentual: Percentual?
    package let em: Instante

    package init(
        usuario: UsuarioID,
        reserva: ReservaID,
        lotes: [ParcelaDeLote],
        percentual: Percentual? = nil,
        em: Instante
    ) {
        self.usuario = usuario
        self.reserva = reserva
        self.lotes = lotes
        self.percentual = percentual
        self.em = em
    }
}
