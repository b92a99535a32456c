/// The hold ran out before the booking was confirmed.
package struct ReservaExpirada: Evento {
    package static let tipo = "reservas.ReservaExpirada"

    package let reserva: ReservaID
    /// When the hold ran out, which is before it was noticed.
    package let expiraEm: Instante
    package let em: Instante

    package init(
        reserva: ReservaID,
        expiraEm: Instante,
        em: Instante
    ) {
        self.reserva = reserva
        self.expiraEm = expiraEm
        self.em = em
    }

    private enum CodingKeys: String, CodingKey {
        case reserva
        case expiraEm = "expira_em"
        case em
    }
}
