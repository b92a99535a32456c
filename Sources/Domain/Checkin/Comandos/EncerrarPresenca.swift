/// The timer that closes what nobody checked out of went off. What no longer applies is ignored.
package struct EncerrarPresenca: Hashable, Sendable {
    package let reserva: ReservaID
    package let agora: Instante

    package init(
        reserva: ReservaID,
        agora: Instante
    ) {
        self.reserva = reserva
        self.agora = agora
    }

    /// Nothing is charged: nobody knows when they left.
    package func decidir(reserva estado: Reserva, presenca: Presenca) -> [EventosDoFluxo] {
        switch presenca {
        case .aguardada, .encerrada, .ausente:
            return []
        case .presente(let entrada):
            guard let dados = estado.dados, agora >= dados.encerramentoDaPresenca else { return [] }
            let saida = CheckoutRealizado(
                reserva: reserva,
                usuario: dados.usuario,
                espaco: dados.espaco,
                unidade: dados.unidade,
                intervalo: dados.horario.intervalo,
                entrada: entrada.em,
                meio: .prazo,
                em: agora
            )
            return [EventosDoFluxo(.presenca(reserva), checkin: [.checkoutRealizado(saida)])]
        }
    }
}
