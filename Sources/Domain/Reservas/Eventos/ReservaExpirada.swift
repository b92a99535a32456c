/// The hold ran out before the booking was confirmed.
package struct ReservaExpirada: Evento {
    package static let tipo = "reservas.ReservaExpirada"

    package let reserva: ReservaID
    /// When the hold ran out, which is before it was noticed.
    package let expiraEm: Instante
    package let em: Instante
    /// What is to be given back, where the booking had been paid and waited for the difference of a move.
    package let reembolso: Reembolso?

    package init(
        reserva: ReservaID,
        expiraEm: Instante,
        em: Instante,
        reembolso: Reembolso? = nil
    ) {
        self.reserva = reserva
        self.expiraEm = expiraEm
        self.em = em
        self.reembolso = reembolso
    }

    private enum CodingKeys: String, CodingKey {
        case reserva
        case expiraEm = "expira_em"
        case em
        case reembolso
    }
}
