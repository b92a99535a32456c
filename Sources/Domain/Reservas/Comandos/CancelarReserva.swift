/// Gives a booking up. The refund follows the policy that the booking was made under.
package struct CancelarReserva: Hashable, Sendable {
    package let reserva: ReservaID
    package let ator: Ator
    /// What was paid for it so far.
    package let pago: Dinheiro
    package let justificativa: Selado?
    /// Set against the policy; only by an operator, with a reason in `justificativa`.
    package let percentualExcepcional: Percentual?
    package let agora: Instante

    package init(
        reserva: ReservaID,
        ator: Ator,
        pago: Dinheiro,
        justificativa: Selado? = nil,
        percentualExcepcional: Percentual? = nil,
        agora: Instante
    ) {
        self.reserva = reserva
        self.ator = ator
        self.pago = pago
        self.justificativa = justificativa
        self.percentualExcepcional = percentualExcepcional
        self.agora = agora
    }

    /// The agenda days of the booking are written to as well: `DadosDaReserva.diasDaAgenda`; so is what it drew on
    /// (`DadosDaReserva.fluxosDosBeneficios`), of which it gives back as large a share as of the money, and the coupon where
    /// that is everything. One that was never confirmed gives back all of it.
    package func decidir(
        reserva estado: Reserva,
        beneficios: BeneficiosDoMembro = .nenhum
    ) throws(RecusaDeReservas) -> [EventosDoFluxo] {
        let visivel = try estado.exigirVisivel(para: ator)
        switch estado {
        case .inexistente:
            throw .reservaNaoEncontrada
        case .cancelada:
            return []
        case .expirada, .concluida, .ausente:
            throw .encerrada
        case .pendente, .confirmada:
            let opera = ator.opera(em: visivel.unidade)
            guard opera || agora < visivel.horario.intervalo.inicio else { throw .jaComecou }
            guard percentualExcepcional == nil || (opera && justificativa != nil) else { throw .proibido }
            let cancelamento = ReservaCancelada(
                reserva: reserva,
                motivo: ator.usuario == visivel.usuario ? .membro : .operador,
                por: ator.usuario,
                justificativa: justificativa,
                reembolso: try visivel.reembolso(de: pago, percentualExcepcional: percentualExcepcional, em: agora),
                em: agora
            )
            let primeiro = EventosDoFluxo(.reserva(reserva), reservas: .reservaCancelada(cancelamento))
            return [primeiro] + visivel.liberacao(em: agora) + estado.devolucao(beneficios, como: cancelamento.reembolso, em: agora)
        }
    }
}
