/// Moves a booking to another time in its space, with the same seats: frees the old slot and takes the new one at once.
package struct RemarcarReserva: Hashable, Sendable {
    package let reserva: ReservaID
    package let ator: Ator
    package let inicio: Instante
    package let fim: Instante
    package let agora: Instante

    package init(
        reserva: ReservaID,
        ator: Ator,
        inicio: Instante,
        fim: Instante,
        agora: Instante
    ) {
        self.reserva = reserva
        self.ator = ator
        self.inicio = inicio
        self.fim = fim
        self.agora = agora
    }

    /// First half: every rule but the seats, and the new price; `nil` when the booking is at that time already.
    /// - Parameter presenca: Whoever has come to the booking is there, and cannot be there at another time.
    package func preparar(
        _ contexto: ContextoDaReserva,
        reserva estado: Reserva,
        presenca: Presenca
    ) throws(RecusaDeReservas) -> PreparoDaReserva? {
        let dados = try exigirRemarcavel(estado)
        if case .presente = presenca { throw .jaComecou }
        if dados.horario.intervalo == Intervalo(inicio: inicio, fim: fim) { return nil }
        let preparo = try contexto.preparar(inicio: inicio, fim: fim, lugares: dados.horario.lugares, movendo: reserva, agora: agora)
        // An approval is for the time that was asked for.
        if preparo.prazoDeAprovacao != nil, dados.aprovacaoAte == nil, ator.papel(em: dados.unidade) < DecidirAprovacao.papel {
            throw .atendimento(.mudancaPedeGestor)
        }
        return preparo
    }

    /// Second half: the seats. The days that the booking leaves are written to as well: `DadosDaReserva.diasDaAgenda`; so are its charges,
    /// that nobody pays the old price once it is moved. Where that was paid already, and nobody has come to it yet, the booking stands
    /// first: what was paid counts, and the difference is settled as that of any booking which stands.
    /// - Parameters:
    ///   - agendas: At least the days that `preparo.diasDaAgenda` names.
    ///   - pagamentos: The streams of `DadosDaReserva.pagamentos`, in that order.
    package func decidir(
        reserva carregada: Reserva,
        preparo: PreparoDaReserva,
        agendas: Agendas,
        pagamentos: [Pagamento] = []
    ) throws(RecusaDeReservas) -> [EventosDoFluxo] {
        let dados = try exigirRemarcavel(carregada)
        let paga = ConfirmarPaga(agora: agora).confirmacao(de: carregada, pagamentos: pagamentos)
        let estado = paga.map(carregada.evoluindo) ?? carregada
        try preparo.conferirLugares(agendas, exceto: reserva)
        let acerto = try acerto(de: estado, dados, para: preparo)
        let remarcacao = ReservaRemarcada(
            reserva: reserva,
            de: dados.horario,
            para: preparo.horario,
            regras: preparo.regras,
            cotacao: preparo.cotacao,
            diferenca: acerto.diferenca,
            por: ator.usuario,
            em: agora,
            aPagar: acerto.aPagar,
            pagarAte: acerto.pagarAte,
            aDevolver: acerto.aDevolver,
            retido: acerto.retido,
            devolveAte: acerto.devolveAte,
            expiraEm: acerto.expiraEm,
            aprovacaoAte: dados.aprovacaoAte == nil ? nil : acerto.expiraEm,
            usuario: dados.usuario
        )
        var eventos: [EventoDeReservas] = (paga.map { [$0] } ?? []) + [.reservaRemarcada(remarcacao)]
        if let motivo = acerto.confirma {
            let por = motivo == .operador ? ator.usuario : nil
            let confirmacao = ReservaConfirmada(reserva: reserva, motivo: motivo, por: por, em: agora)
            eventos.append(.reservaConfirmada(confirmacao))
        }
        let ajuste = preparo.beneficios.ajuste(
            de: reserva, para: preparo.cotacao, devolvendo: percentual(dados), em: agora
        )
        let remarcada = eventos.reduce(carregada) { $0.evoluindo(com: $1) }
        return [EventosDoFluxo(.reserva(reserva), eventos.map(EventoDoDominio.reservas))] + agenda(de: dados, para: preparo) + ajuste
            + cobrancas(de: remarcada, antes: zip(dados.cobrancas, pagamentos))
    }

    /// What becomes of the charges that were open before: they change with the price, or close.
    private func cobrancas(
        de remarcada: Reserva,
        antes: some Sequence<(CausaDaCobranca, Pagamento)>
    ) -> [EventosDoFluxo] {
        antes.flatMap { causa, pagamento -> [EventosDoFluxo] in
            guard case .aberto = pagamento else { return [] }
            return AcompanharReserva(agora: agora).decidir(reserva: remarcada, causa: causa, pagamento: pagamento)
        }
    }

    private func exigirRemarcavel(_ estado: Reserva) throws(RecusaDeReservas) -> DadosDaReserva {
        let dados = try estado.exigirVisivel(para: ator)
        switch estado {
        case .inexistente:
            throw .reservaNaoEncontrada
        case .expirada, .cancelada, .concluida, .ausente:
            throw .encerrada
        case .pendente(_, let expiraEm):
            guard agora < expiraEm else { throw .retencaoVencida }
        case .confirmada:
            break
        }
        guard agora < dados.horario.intervalo.inicio else { throw .jaComecou }
        return dados
    }

    private func agenda(de dados: DadosDaReserva, para preparo: PreparoDaReserva) -> [EventosDoFluxo] {
        let antigos = Set(dados.diasDaAgenda)
        let novos = Set(preparo.diasDaAgenda)
        return antigos.union(novos).sorted().map { dia in
            var eventos: [EventoDoDominio] = []
            if antigos.contains(dia) { eventos.append(.reservas(.horarioLiberado(dados.liberado(dia, em: agora)))) }
            if novos.contains(dia) { eventos.append(.reservas(.horarioOcupado(preparo.ocupado(dia, por: reserva, em: agora)))) }
            return EventosDoFluxo(.agenda(dados.espaco, dia), eventos)
        }
    }
}
