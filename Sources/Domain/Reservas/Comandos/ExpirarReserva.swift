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

    /// The agenda days of the booking are written to as well: `DadosDaReserva.diasDaAgenda`.
    package func decidir(reserva estado: Reserva) -> [EventosDoFluxo] {
        switch estado {
        case .inexistente, .confirmada, .expirada, .cancelada, .concluida:
            return []
        case .pendente(let dados, let expiraEm):
            guard agora >= expiraEm else { return [] }
            let expiracao = ReservaExpirada(reserva: reserva, expiraEm: expiraEm, em: agora)
            return [EventosDoFluxo(.reserva(reserva), reservas: .reservaExpirada(expiracao))] + dados.liberacao(em: agora)
        }
    }
}
