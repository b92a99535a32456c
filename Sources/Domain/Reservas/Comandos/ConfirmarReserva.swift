/// An operator confirms a held booking, as when it is paid at the desk.
package struct ConfirmarReserva: Hashable, Sendable {
    package let reserva: ReservaID
    package let ator: Ator
    package let agora: Instante

    package init(
        reserva: ReservaID,
        ator: Ator,
        agora: Instante
    ) {
        self.reserva = reserva
        self.ator = ator
        self.agora = agora
    }

    package func decidir(reserva estado: Reserva) throws(RecusaDeReservas) -> [EventosDoFluxo] {
        let dados = try estado.exigirVisivel(para: ator)
        guard ator.opera(em: dados.unidade) else { throw .proibido }
        switch estado {
        case .inexistente:
            throw .reservaNaoEncontrada
        case .confirmada, .concluida:
            return []
        case .expirada, .cancelada, .ausente:
            throw .encerrada
        case .pendente(let dados, let expiraEm):
            if dados.aprovacaoAte != nil { throw .atendimento(.aguardaAprovacao) }
            guard agora < expiraEm else { throw .retencaoVencida }
            let confirmacao = ReservaConfirmada(reserva: reserva, motivo: .operador, por: ator.usuario, em: agora)
            return [EventosDoFluxo(.reserva(reserva), reservas: .reservaConfirmada(confirmacao))]
        }
    }
}
