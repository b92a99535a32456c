/// Somebody comes: the member says so, or the desk does, with a code or without.
package struct FazerCheckin: Hashable, Sendable {
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

    /// Whoever is in is in: a repeat, with the same code or another, records nothing.
    package func decidir(reserva estado: Reserva, presenca: Presenca) throws(RecusaDeCheckin) -> [EventosDoFluxo] {
        let dados = try estado.exigirPresenciavel(para: ator)
        guard codigo == nil || ator.opera(em: dados.unidade) else { throw .soEquipe }
        switch presenca {
        case .aguardada: break
        case .presente: return []
        case .ausente: throw .naoCompareceu
        case .encerrada(let entrada, let saida):
            if let codigo, codigo.id == entrada.codigo || codigo.id == saida.codigo { return [] }
            // A booking that was moved after they had been there is to be come to again.
            if entrada.intervalo == dados.horario.intervalo { throw .jaSaiu }
        }
        try codigo?.exigirValido(em: agora)
        try exigirAberto(estado, dados)
        let entrada = CheckinRealizado(
            reserva: reserva,
            usuario: dados.usuario,
            espaco: dados.espaco,
            unidade: dados.unidade,
            intervalo: dados.horario.intervalo,
            por: ator.usuario,
            meio: codigo != nil ? .codigo : ator.usuario == dados.usuario ? .membro : .recepcao,
            codigo: codigo?.id,
            encerraEm: dados.encerramentoDaPresenca,
            em: agora
        )
        return [EventosDoFluxo(.presenca(reserva), checkin: [.checkinRealizado(entrada)])]
    }

    private func exigirAberto(_ estado: Reserva, _ dados: DadosDaReserva) throws(RecusaDeCheckin) {
        let fim = dados.horario.intervalo.fim
        switch estado {
        case .inexistente: throw .reservaNaoEncontrada
        case .pendente: throw .naoConfirmada
        case .expirada, .cancelada: throw .encerrada
        case .ausente: throw .naoCompareceu
        case .concluida: throw .tarde(fim: dados.local(fim))
        case .confirmada:
            guard agora >= dados.aberturaDoCheckin else { throw .cedo(abre: dados.local(dados.aberturaDoCheckin)) }
            guard agora < fim else { throw .tarde(fim: dados.local(fim)) }
        }
    }
}
