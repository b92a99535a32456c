/// The timer of the end of a booking went off. What no longer applies is ignored.
package struct ConcluirReserva: Hashable, Sendable {
    package let reserva: ReservaID
    package let agora: Instante

    package init(
        reserva: ReservaID,
        agora: Instante
    ) {
        self.reserva = reserva
        self.agora = agora
    }

    package func decidir(reserva estado: Reserva) -> [EventosDoFluxo] {
        switch estado {
        case .inexistente, .pendente, .expirada, .cancelada, .concluida:
            return []
        case .confirmada(let dados):
            guard agora >= dados.horario.intervalo.fim else { return [] }
            let conclusao = ReservaConcluida(reserva: reserva, em: agora)
            return [EventosDoFluxo(.reserva(reserva), reservas: .reservaConcluida(conclusao))]
        }
    }
}
