/// A charge of a booking was paid, its price or the difference of a move: the booking stands. Where it had expired, its slot is taken again
/// if that can be and its time has not begun; where it cannot, or the booking is not to be had any more, all the money of the charge goes
/// back in the same append, which says why.
package struct ConfirmarPaga: Hashable, Sendable {
    /// Tells the giving back for lateness from every other of the same payment.
    private static let numero = 200

    package let agora: Instante

    package init(agora: Instante) {
        self.agora = agora
    }

    /// - Parameters:
    ///   - pagamento: The stream of the charge that was paid.
    ///   - outros: The booking's other charges.
    ///   - espaco: Of the booking.
    ///   - agendas: The days that `DadosDaReserva.diasDaAgenda` names.
    ///   - beneficios: What the booking drew on (`DadosDaReserva.fluxosDosBeneficios`): an expired one gave it back, and stands only
    ///     where all of it can be taken again.
    package func decidir(
        reserva estado: Reserva,
        pagamento: Pagamento,
        outros: [Pagamento] = [],
        espaco: Espaco,
        agendas: Agendas,
        beneficios: BeneficiosDoMembro = .nenhum
    ) -> [EventosDoFluxo] {
        guard case .quitado(let cobranca) = pagamento, let recebimento = cobranca.quitacao,
            cobranca.resto(de: recebimento) == recebimento.valor, !recebimento.metodo.noBalcao
        else { return [] }
        // What it stands by, or stood by, goes by what becomes of the booking.
        if estado.dados?.confirmadaPor.contains(cobranca.pagamento) == true { return [] }
        switch estado {
        case .inexistente, .confirmada, .concluida, .ausente:
            return [devolver(cobranca, recebimento, .semEfeito)]
        case .pendente(let dados, let retencao):
            guard paga(cobranca, recebimento, dados) else { return [devolver(cobranca, recebimento, .outroValor)] }
            // The timer of the hold has not been heard yet; it gives the slot up.
            if recebimento.em >= retencao, agora >= dados.horario.intervalo.inicio {
                return [devolver(cobranca, recebimento, .horarioComecou)]
            }
            return [EventosDoFluxo(.reserva(dados.reserva), reservas: confirmacao(dados, cobranca))]
        case .cancelada(let dados):
            // Cancellations once counted payments that had not confirmed the booking yet.
            let contado =
                cobranca.causa == .reserva(dados.reserva) && dados.confirmadaPor.isEmpty && (dados.reembolso?.pago ?? .zero) > .zero
            return contado ? [] : [devolver(cobranca, recebimento, .cancelada)]
        case .expirada(let dados):
            guard paga(cobranca, recebimento, dados) else { return [devolver(cobranca, recebimento, .outroValor)] }
            if let razao = impedimento(dados, outros, espaco, agendas) { return [devolver(cobranca, recebimento, razao)] }
            guard let tirados = try? beneficios.retomada(por: dados, em: agora) else {
                return [devolver(cobranca, recebimento, .semBeneficios)]
            }
            return retomar(dados, cobranca) + tirados
        }
    }

    /// What a held booking becomes of a payment that is there and that nobody has come to yet; nil where there is none.
    /// - Parameter pagamentos: The streams of `DadosDaReserva.pagamentos`, in that order.
    func confirmacao(de estado: Reserva, pagamentos: [Pagamento]) -> EventoDeReservas? {
        guard case .pendente(let dados, _) = estado,
            case .quitado(let cobranca)? = zip(dados.cobrancas, pagamentos).first(where: { $0.0 == dados.aCobrar.causa })?.1,
            let recebimento = cobranca.quitacao, cobranca.resto(de: recebimento) == recebimento.valor, !recebimento.metodo.noBalcao,
            paga(cobranca, recebimento, dados)
        else { return nil }
        return confirmacao(dados, cobranca)
    }

    /// Whether that is what the booking waits for, or waited for.
    private func paga(_ cobranca: DadosDoPagamento, _ recebimento: Recebimento, _ dados: DadosDaReserva) -> Bool {
        dados.aCobrar == (cobranca.causa, recebimento.valor)
    }

    /// Why the slot of a booking that expired cannot be taken again; nil where it can.
    private func impedimento(
        _ dados: DadosDaReserva,
        _ outros: [Pagamento],
        _ espaco: Espaco,
        _ agendas: Agendas
    ) -> RazaoDoAtraso? {
        if agora >= dados.horario.intervalo.inicio { return .horarioComecou }
        guard case .ativo(let ficha) = espaco else { return .espacoInativo }
        if outros.contains(where: \.devolveOEncerramento) { return .jaDevolvida }
        let ocupados = agendas.maiorOcupacao(em: dados.horario.ocupacao, exceto: dados.reserva)
        return dados.horario.lugares <= ficha.ficha.lugares - ocupados ? nil : .semLugar
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

    private func devolver(_ cobranca: DadosDoPagamento, _ recebimento: Recebimento, _ razao: RazaoDoAtraso) -> EventosDoFluxo {
        let pedido = cobranca.estorno(
            EstornoID(de: cobranca.pagamento, Self.numero),
            de: recebimento,
            valor: recebimento.valor,
            motivo: .atraso,
            razao: razao,
            em: agora
        )
        return EventosDoFluxo(.pagamento(cobranca.pagamento), pagamentos: .estornoSolicitado(pedido))
    }
}
