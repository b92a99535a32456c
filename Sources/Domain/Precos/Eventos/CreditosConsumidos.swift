/// A booking used credits, of the lots that expire first.
package struct CreditosConsumidos: Evento {
    package static let tipo = "precos.CreditosConsumidos"

    package let usuario: UsuarioID
    package let reserva: ReservaID
    package let lotes: [ParcelaDeLote]
    package let em: Instante

    package init(
        usuario: UsuarioID,
        reserva: ReservaID,
        lotes: [ParcelaDeLote],
        em: Instante
    ) {
        self.usuario = usuario
        self.reserva = reserva
        self.lotes = lotes
        self.em = em
    }
}
