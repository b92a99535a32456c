/// Books a space: holds the slot, or confirms at once where there is nothing to pay.
package struct SolicitarReserva: Hashable, Sendable {
    package let reserva: ReservaID
    /// For whom; somebody else than `ator` only when `ator` is an operator.
    package let usuario: UsuarioID
    package let ator: Ator
    package let inicio: Instante
    package let fim: Instante
    package let lugares: Int
    package let notas: Selado?
    package let agora: Instante
    package let origem: OrigemDaReserva?

    package init(
        reserva: ReservaID,
        usuario: UsuarioID,
        ator: Ator,
        inicio: Instante,
        fim: Instante,
        lugares: Int,
        notas: Selado? = nil,
        agora: Instante,
        origem: OrigemDaReserva? = nil
    ) {
        self.reserva = reserva
        self.usuario = usuario
        self.ator = ator
        self.inicio = inicio
        self.fim = fim
        self.lugares = lugares
        self.notas = notas
        self.agora = agora
        self.origem = origem
    }

    /// First half: every rule but the seats, and the price.
    package func preparar(_ contexto: ContextoDaReserva) throws(RecusaDeReservas) -> PreparoDaReserva {
        try contexto.exigirPedido(de: ator, para: usuario)
        try conferirOrigem(contexto)
        return try contexto.preparar(inicio: inicio, fim: fim, lugares: lugares, agora: agora, dispensa: origem?.dispensa != nil)
    }

    /// Second half: the seats.
    /// - Parameter agendas: The days that `preparo.diasDaAgenda` names.
    package func decidir(
        reserva estado: Reserva,
        preparo: PreparoDaReserva,
        agendas: Agendas
    ) throws(RecusaDeReservas) -> [EventosDoFluxo] {
        if estado != .inexistente { return [] }
        try preparo.conferirLugares(agendas, exceto: nil)
        let prazo = prazo(preparo)
        let solicitacao = ReservaSolicitada(
            reserva: reserva,
            usuario: usuario,
            espaco: preparo.espaco,
            unidade: preparo.unidade,
            horario: preparo.horario,
            regras: preparo.regras,
            cotacao: preparo.cotacao,
            notas: notas,
            expiraEm: prazo.expiraEm,
            criadaPor: ator.usuario,
            em: agora,
            origem: origem,
            aprovacaoAte: prazo.aprovacaoAte
        )
        var eventos: [EventoDoDominio] = [.reservas(.reservaSolicitada(solicitacao))]
        if let motivo = prazo.motivo {
            let por = motivo == .operador ? ator.usuario : nil
            let confirmacao = ReservaConfirmada(reserva: reserva, motivo: motivo, por: por, em: agora)
            eventos.append(.reservas(.reservaConfirmada(confirmacao)))
        }
        let ocupacoes = preparo.diasDaAgenda.map { dia in
            EventosDoFluxo(
                .agenda(preparo.espaco, dia),
                reservas: .horarioOcupado(preparo.ocupado(dia, por: reserva, em: agora))
            )
        }
        let consumo = preparo.beneficios.ajuste(de: reserva, para: preparo.cotacao, em: agora)
        return [EventosDoFluxo(.reserva(reserva), eventos)] + ocupacoes + consumo
    }
}
