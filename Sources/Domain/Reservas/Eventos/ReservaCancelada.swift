/// The booking was given up.
package struct ReservaCancelada: Evento {
    package static let tipo = "reservas.ReservaCancelada"

    package let reserva: ReservaID
    package let motivo: MotivoDoCancelamento
    package let por: UsuarioID
    package let justificativa: Selado?
    package let reembolso: Reembolso
    package let em: Instante

    package init(
        reserva: ReservaID,
        motivo: MotivoDoCancelamento,
        por: UsuarioID,
        justificativa: Selado? = nil,
        reembolso: Reembolso,
        em: Instante
    ) {
        self.reserva = reserva
        self.motivo = motivo
        self.por = por
        self.justificativa = justificativa
        self.reembolso = reembolso
        self.em = em
    }
}
