/// Gives up what an erased person had still booked. The refund follows the policy that the booking was made under.
package struct CancelarPorApagamento: Hashable, Sendable {
    package let reserva: ReservaID
    /// What was paid for it so far.
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

    /// Nothing for a booking that has begun or is over, or whose owner was not erased.
    /// - Parameter dono: The account of the person whose booking it is.
    package func decidir(
        reserva estado: Reserva,
        dono: Conta,
        beneficios: BeneficiosDoMembro = .nenhum
    ) throws(RecusaDeReservas) -> [EventosDoFluxo] {
        guard dono == .apagada else { return [] }
        switch estado {
        case .inexistente, .cancelada, .expirada, .concluida, .ausente:
            return []
        case .pendente(let dados, _), .confirmada(let dados):
            guard agora < dados.horario.intervalo.inicio else { return [] }
            let cancelamento = ReservaCancelada(
                reserva: reserva,
                motivo: .contaApagada,
                por: dados.usuario,
                reembolso: try dados.reembolso(de: pago, em: agora),
                em: agora
            )
            let primeiro = EventosDoFluxo(.reserva(reserva), reservas: .reservaCancelada(cancelamento))
            return [primeiro] + dados.liberacao(em: agora) + estado.devolucao(beneficios, como: cancelamento.reembolso, em: agora)
        }
    }
}
