/// A gestor let a booking through that its space takes only with approval.
package struct ReservaAprovada: Evento {
    package static let tipo = "reservas.ReservaAprovada"

    package let reserva: ReservaID
    /// The gestor.
    package let por: UsuarioID
    /// When the hold that begins now runs out; absent where the booking is confirmed in the same append.
    package let expiraEm: Instante?
    package let em: Instante

    package init(
        reserva: ReservaID,
        por: UsuarioID,
        expiraEm: Instante? = nil,
        em: Instante
    ) {
        self.reserva = reserva
        self.por = por
        self.expiraEm = expiraEm
        self.em = em
    }

    private enum CodingKeys: String, CodingKey {
        case reserva
        case por
        case expiraEm = "expira_em"
        case em
    }
}
