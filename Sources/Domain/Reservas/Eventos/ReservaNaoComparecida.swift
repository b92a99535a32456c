/// Nobody came to a booking. Recorded together with `NaoComparecimentoRegistrado`, which says the same to those who look after presence.
package struct ReservaNaoComparecida: Evento {
    package static let tipo = "reservas.ReservaNaoComparecida"

    package let reserva: ReservaID
    /// Until when somebody was waited for.
    package let limite: Instante
    /// What comes back all the same, by the rules that the booking was made under.
    package let reembolso: Reembolso
    package let em: Instante

    package init(
        reserva: ReservaID,
        limite: Instante,
        reembolso: Reembolso,
        em: Instante
    ) {
        self.reserva = reserva
        self.limite = limite
        self.reembolso = reembolso
        self.em = em
    }
}
