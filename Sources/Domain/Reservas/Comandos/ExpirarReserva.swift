/// The timer of a hold went off. What no longer applies is ignored.
package struct ExpirarReserva: Hashable, Sendable {
    package let reserva: ReservaID
    package let agora: Instante

    package init(
        reserva: ReservaID,
        agora: Instante
    ) {
        self.reserva = reserva
        self.agora = agora
    }

    /// The agenda days of the booking are written to as well: `DadosDaReserva.diasDaAgenda`; so is what it drew on, which it gives back as
    /// a cancellation would: `DadosDaReserva.fluxosDosBeneficios`.
    package func decidir(reserva estado: Reserva, beneficios: BeneficiosDoMembro = .nenhum) -> [EventosDoFluxo] {
        switch estado {
        case .inexistente, .confirmada, .expirada, .cancelada, .concluida, .ausente:
            return []
        case .pendente(let dados, let expiraEm):
            guard agora >= expiraEm else { return [] }
            let expiracao = ReservaExpirada(
                reserva: reserva, expiraEm: expiraEm, em: agora, reembolso: dados.reembolsoSemDiferenca(em: agora))
            return [EventosDoFluxo(.reserva(reserva), reservas: .reservaExpirada(expiracao))] + dados.liberacao(em: agora)
                + estado.devolucao(beneficios, como: expiracao.reembolso, em: agora)
        }
    }
}
