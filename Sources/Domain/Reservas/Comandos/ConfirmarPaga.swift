/// A booking's charge was paid: the booking stands. Where it had expired, its slot is taken again if that can be; where it cannot, or the
/// booking is not to be had any more, all the money goes back in the same append.
package struct ConfirmarPaga: Hashable, Sendable {
    /// Tells the giving back for lateness from every other of the same payment.
    private static let numero = 200

    package let agora: Instante

    package init(agora: Instante) {
        self.agora = agora
    }

    /// - Parameters:
    ///   - pagamento: The stream of the booking's charge.
    ///   - espaco: Of the booking.
    ///   - agendas: The days that `DadosDaReserva.diasDaAgenda` names.
    ///   - beneficios: What the booking drew on (`DadosDaReserva.fluxosDosBeneficios`): an expired one gave it back, and stands only
    ///     where all of it can be taken again.
    package func decidir(
        reserva estado: Reserva,
        pagamento: Pagamento,
        espaco: Espaco,
        agendas: Agendas,
        beneficios: BeneficiosDoMembro = .nenhum
    ) -> [EventosDoFluxo] {
        guard case .quitado(let cobranca) = pagamento, let recebimento = cobranca.recebimentos.first(where: \.quita),
            cobranca.resto(de: recebimento) == recebimento.valor
        else { return [] }
        switch estado {
        case .inexistente:
            return [devolver(cobranca, recebimento)]
        case .pendente(let dados, _):
            guard dados.cotacao.total == recebimento.valor else { return [devolver(cobranca, recebimento)] }
            return [EventosDoFluxo(.reserva(dados.reserva), reservas: confirmacao(dados, cobranca))]
        case .confirmada(let dados), .concluida(let dados), .ausente(let dados):
            // It stands without this payment, unless this is what it stands by.
            return dados.confirmadaPor == cobranca.pagamento ? [] : [devolver(cobranca, recebimento)]
        case .cancelada(let dados):
            // What was paid by the time of the cancellation goes by its policy.
            return (dados.reembolso?.pago ?? .zero) > .zero ? [] : [devolver(cobranca, recebimento)]
        case .expirada(let dados):
            guard podeRetomar(dados, espaco, agendas, pago: recebimento.valor),
                let tirados = try? beneficios.retomada(por: dados, em: agora)
            else { return [devolver(cobranca, recebimento)] }
            return retomar(dados, cobranca) + tirados
        }
    }

    private func podeRetomar(_ dados: DadosDaReserva, _ espaco: Espaco, _ agendas: Agendas, pago: Dinheiro) -> Bool {
        guard case .ativo(let ficha) = espaco, agora < dados.horario.intervalo.inicio, dados.cotacao.total == pago else { return false }
        let ocupados = agendas.maiorOcupacao(em: dados.horario.ocupacao, exceto: dados.reserva)
        return dados.horario.lugares <= ficha.ficha.lugares - ocupados
    }

    private func retomar(_ dados: DadosDaReserva, _ cobranca: DadosDoPagamento) -> [EventosDoFluxo] {
        let retomada = ReservaRetomada(
            reserva: dados.reserva,
            espaco: dados.espaco,
            unidade: dados.unidade,
            horario: dados.horario,
            pagamento: cobranca.pagamento,
            em: agora
        )
        let ocupacoes = dados.diasDaAgenda.map { dia in
            let ocupado = HorarioOcupado(
                espaco: dados.espaco,
                dia: dia,
                reserva: dados.reserva,
                intervalo: dados.horario.ocupacao,
                lugares: dados.horario.lugares,
                em: agora
            )
            return EventosDoFluxo(.agenda(dados.espaco, dia), reservas: .horarioOcupado(ocupado))
        }
        return [EventosDoFluxo(.reserva(dados.reserva), reservas: .reservaRetomada(retomada), confirmacao(dados, cobranca))] + ocupacoes
    }

    private func confirmacao(_ dados: DadosDaReserva, _ cobranca: DadosDoPagamento) -> EventoDeReservas {
        .reservaConfirmada(
            ReservaConfirmada(reserva: dados.reserva, motivo: .pagamento, por: nil, pagamento: cobranca.pagamento, em: agora)
        )
    }

    private func devolver(_ cobranca: DadosDoPagamento, _ recebimento: Recebimento) -> EventosDoFluxo {
        let pedido = cobranca.estorno(
            EstornoID(de: cobranca.pagamento, Self.numero), de: recebimento, valor: recebimento.valor, motivo: .atraso, em: agora
        )
        return EventosDoFluxo(.pagamento(cobranca.pagamento), pagamentos: .estornoSolicitado(pedido))
    }
}
