/// Somebody leaves. Before the end this gives the rest of the slot back; after the end and its tolerance it costs.
package struct FazerCheckout: Hashable, Sendable {
    package let reserva: ReservaID
    package let ator: Ator
    /// What was shown at the desk.
    package let codigo: CodigoApresentado?
    package let agora: Instante

    package init(
        reserva: ReservaID,
        ator: Ator,
        codigo: CodigoApresentado? = nil,
        agora: Instante
    ) {
        self.reserva = reserva
        self.ator = ator
        self.codigo = codigo
        self.agora = agora
    }

    /// The agenda days of the booking may be written to as well: `DadosDaReserva.diasDaAgenda`.
    package func decidir(reserva estado: Reserva, presenca: Presenca) throws(RecusaDeCheckin) -> [EventosDoFluxo] {
        let dados = try estado.exigirPresenciavel(para: ator)
        guard codigo == nil || ator.opera(em: dados.unidade) else { throw .soEquipe }
        switch presenca {
        case .aguardada: throw .semEntrada
        case .ausente: throw .naoCompareceu
        case .encerrada: return []
        case .presente(let entrada):
            if let codigo, codigo.id == entrada.codigo { throw .codigoUsado }
            try codigo?.exigirValido(em: agora)
            let meio: MeioDePresenca = codigo != nil ? .codigo : ator.usuario == dados.usuario ? .membro : .recepcao
            return try sair(dados, estado, entrada, meio)
        }
    }

    private func sair(
        _ dados: DadosDaReserva,
        _ estado: Reserva,
        _ entrada: CheckinRealizado,
        _ meio: MeioDePresenca
    ) throws(RecusaDeCheckin) -> [EventosDoFluxo] {
        // Only a booking that stands still holds its slot, and that only if it is the one they came to.
        let mesmoHorario = entrada.intervalo == dados.horario.intervalo
        let resto =
            if case .confirmada = estado, mesmoHorario { dados.liberacaoDoResto(em: agora) } else { nil as (Instante, [EventosDoFluxo])? }
        let saida = CheckoutRealizado(
            reserva: reserva,
            usuario: dados.usuario,
            espaco: dados.espaco,
            unidade: dados.unidade,
            intervalo: dados.horario.intervalo,
            entrada: entrada.em,
            por: ator.usuario,
            meio: meio,
            codigo: codigo?.id,
            liberadoDesde: resto?.0,
            em: agora
        )
        var eventos: [EventoDeCheckin] = [.checkoutRealizado(saida)]
        if let excedente = try dados.excedente(ate: agora) { eventos.append(.excedenteApurado(excedente)) }
        return [EventosDoFluxo(.presenca(reserva), checkin: eventos)] + (resto?.1 ?? [])
    }
}
