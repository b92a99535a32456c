/// The agenda days of a space while several bookings of one decision are put into them one after the other.
package struct AgendaDaSerie: Sendable {
    private var dias: [DataCivil: Agenda]

    /// - Parameter dias: Every UTC day that an occurrence touches, or did before it moves.
    package init(_ dias: [DataCivil: Agenda]) {
        self.dias = dias
    }

    /// Further days; one that is known stays as it is.
    package mutating func incluir(_ outros: [DataCivil: Agenda]) {
        dias.merge(outros) { conhecido, _ in conhecido }
    }

    /// Those of these days that are not known yet.
    package func faltam(_ quais: [DataCivil]) -> [DataCivil] {
        quais.filter { dias[$0] == nil }
    }

    /// What a decision about one occurrence looks at.
    package func agendas(_ quais: [DataCivil]) -> Agendas {
        Agendas(dias.filter { quais.contains($0.key) })
    }

    package mutating func ocupar(_ preparo: PreparoDaReserva, por reserva: ReservaID, em agora: Instante) {
        for dia in preparo.diasDaAgenda {
            dias[dia] = (dias[dia] ?? .inicial).evoluindo(com: .horarioOcupado(preparo.ocupado(dia, por: reserva, em: agora)))
        }
    }

    mutating func liberar(_ dados: DadosDaReserva, em agora: Instante) {
        for dia in dados.diasDaAgenda {
            dias[dia] = (dias[dia] ?? .inicial).evoluindo(com: .horarioLiberado(dados.liberado(dia, em: agora)))
        }
    }
}

extension EventosDoFluxo {
    /// Several decisions as one: an append names each stream once. On an agenda day what is freed comes before what is taken, so that at
    /// no event there are more seats taken than there are.
    package static func unir(_ partes: [EventosDoFluxo]) -> [EventosDoFluxo] {
        var ordem: [NomeDeFluxo] = []
        var eventos: [NomeDeFluxo: [EventoDoDominio]] = [:]
        for parte in partes {
            if eventos[parte.fluxo] == nil { ordem.append(parte.fluxo) }
            eventos[parte.fluxo, default: []] += parte.eventos
        }
        return ordem.map { fluxo in
            let todos = eventos[fluxo] ?? []
            return EventosDoFluxo(fluxo, todos.filter(\.libera) + todos.filter { !$0.libera })
        }
    }
}

extension EventoDoDominio {
    fileprivate var libera: Bool {
        if case .reservas(.horarioLiberado) = self { return true }
        return false
    }
}
