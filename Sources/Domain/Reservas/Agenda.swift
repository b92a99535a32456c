/// What one UTC day of a space holds: the stream `agenda-{espaco}-{yyyy-mm-dd}`.
package struct Agenda: EstadoDeFluxo {
    /// What a booking takes: its whole interval with buffers, also where that leaves the day.
    package struct Ocupacao: Hashable, Sendable {
        package let intervalo: Intervalo
        package let lugares: Int

        package init(intervalo: Intervalo, lugares: Int) {
            self.intervalo = intervalo
            self.lugares = lugares
        }
    }

    package private(set) var ocupacoes: [ReservaID: Ocupacao] = [:]

    package static let inicial = Agenda()

    package func evoluindo(com evento: EventoDeReservas) -> Agenda {
        var agenda = self
        switch evento {
        case .horarioOcupado(let ocupado):
            agenda.ocupacoes[ocupado.reserva] = Ocupacao(intervalo: ocupado.intervalo, lugares: ocupado.lugares)
        case .horarioLiberado(let liberado):
            agenda.ocupacoes[liberado.reserva] = nil
        case .reservaSolicitada, .reservaConfirmada, .reservaExpirada, .reservaRemarcada, .reservaCancelada, .reservaConcluida,
            .reservaRetomada, .reservaNaoComparecida, .reservaAprovada, .convidadosDefinidos, .serieCriada, .serieAlterada, .serieEncerrada,
            .esperaInscrita, .esperaOferecida, .esperaAtendida, .esperaVencida, .esperaRetirada:
            break
        }
        return agenda
    }
}
