/// The timer of the end of a booking went off. What no longer applies is ignored, and a booking that nobody came to and that waited
/// for somebody is missed, not completed, whichever of its timers goes off first.
package struct ConcluirReserva: Hashable, Sendable {
    package let reserva: ReservaID
    /// What was paid for it so far: some of it may go back to whom it waited for in vain.
    package let pago: Dinheiro
    package let agora: Instante

    package init(
        reserva: ReservaID,
        pago: Dinheiro,
        agora: Instante
    ) {
        self.reserva = reserva
        self.pago = pago
        self.agora = agora
    }

    /// The agenda days of the booking may be written to as well: `DadosDaReserva.diasDaAgenda`.
    /// - Parameters:
    ///   - presenca: Of the same booking.
    ///   - beneficios: What the booking drew on.
    package func decidir(
        reserva estado: Reserva,
        presenca: Presenca,
        beneficios: BeneficiosDoMembro = .nenhum
    ) throws(RecusaDeReservas) -> [EventosDoFluxo] {
        switch estado {
        case .inexistente, .pendente, .expirada, .cancelada, .concluida, .ausente:
            return []
        case .confirmada(let dados):
            guard agora >= dados.horario.intervalo.fim else { return [] }
            let ausencia = try RegistrarAusencia(reserva: reserva, pago: pago, agora: agora)
                .decidir(reserva: estado, presenca: presenca, beneficios: beneficios)
            guard ausencia.isEmpty else { return ausencia }
            let conclusao = ReservaConcluida(reserva: reserva, em: agora)
            return [EventosDoFluxo(.reserva(reserva), reservas: .reservaConcluida(conclusao))]
        }
    }
}
