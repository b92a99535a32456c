/// The booked time is over.
package struct ReservaConcluida: Evento {
    package static let tipo = "reservas.ReservaConcluida"

    package let reserva: ReservaID
    package let em: Instante

    package init(
        reserva: ReservaID,
        em: Instante
    ) {
        self.reserva = reserva
        self.em = em
    }
}
