/// A gestor lets a booking through, or does not.
package struct DecidirAprovacao: Hashable, Sendable {
    /// The least role of who may.
    package static let papel = Papel.gestor

    package let reserva: ReservaID
    package let ator: Ator
    package let aprova: Bool
    /// Why not; a refusal needs it.
    package let justificativa: Selado?
    package let agora: Instante

    package init(reserva: ReservaID, ator: Ator, aprova: Bool, justificativa: Selado? = nil, agora: Instante) {
        self.reserva = reserva
        self.ator = ator
        self.aprova = aprova
        self.justificativa = justificativa
        self.agora = agora
    }

    /// Approved, the booking is held for payment as a new one is. The agenda days of a booking that is refused are written to as well, and
    /// so is what it drew on (`DadosDaReserva.fluxosDosBeneficios`), all of which it gives back.
    /// - Parameter regras: Of the space, as they are now: they say how long the hold is.
    package func decidir(
        reserva estado: Reserva,
        regras: RegrasDeReserva,
        beneficios: BeneficiosDoMembro
    ) throws(RecusaDeReservas) -> [EventosDoFluxo] {
        let visivel = try estado.exigirVisivel(para: ator)
        guard ator.papel(em: visivel.unidade) >= Self.papel else { throw .atendimento(.soGestor) }
        guard case .pendente(let dados, let expiraEm) = estado, dados.aprovacaoAte != nil else {
            throw .atendimento(.naoAguardaAprovacao)
        }
        guard agora < expiraEm else { throw .retencaoVencida }
        return aprova ? aprovar(dados, regras) : try recusar(dados, beneficios)
    }

    private func aprovar(_ dados: DadosDaReserva, _ regras: RegrasDeReserva) -> [EventosDoFluxo] {
        let motivo: MotivoDaConfirmacao? =
            if dados.cotacao.total == .zero { .precoZero } else if dados.origem?.pagamento == .balcao { .operador } else { nil }
        let aprovada = ReservaAprovada(
            reserva: reserva,
            por: ator.usuario,
            expiraEm: motivo == nil ? pagarAte(dados, regras) : nil,
            em: agora
        )
        var eventos: [EventoDoDominio] = [.reservas(.reservaAprovada(aprovada))]
        if let motivo {
            let por = motivo == .operador ? ator.usuario : nil
            eventos.append(.reservas(.reservaConfirmada(ReservaConfirmada(reserva: reserva, motivo: motivo, por: por, em: agora))))
        }
        return [EventosDoFluxo(.reserva(reserva), eventos)]
    }

    /// As long as a booking would be held that needs no approval.
    private func pagarAte(_ dados: DadosDaReserva, _ regras: RegrasDeReserva) -> Instante {
        let comum = agora + regras.retencao.duracao
        guard dados.origem?.serie != nil, let antecedencia = dados.regras.cancelamento.antecedenciaSemCusto else { return comum }
        return max(comum, dados.horario.intervalo.inicio - antecedencia.duracao)
    }

    private func recusar(_ dados: DadosDaReserva, _ beneficios: BeneficiosDoMembro) throws(RecusaDeReservas) -> [EventosDoFluxo] {
        guard let justificativa else { throw .atendimento(.semJustificativa) }
        let cancelada = ReservaCancelada(
            reserva: reserva,
            motivo: .naoAprovada,
            por: ator.usuario,
            justificativa: justificativa,
            // Nothing is to be paid before the approval.
            reembolso: try dados.reembolso(de: .zero, em: agora),
            em: agora
        )
        return [EventosDoFluxo(.reserva(reserva), reservas: .reservaCancelada(cancelada))] + dados.liberacao(em: agora)
            + beneficios.devolucao(de: reserva, .todo, em: agora)
    }
}
