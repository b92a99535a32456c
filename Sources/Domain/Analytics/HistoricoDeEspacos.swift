/// The events of a unit or a space with the moments at which they hold, so that it can be asked how it was defined back then.
package struct HistoricoDeEspacos: Sendable {
    private let eventos: [EventoDeEspacos]

    /// - Parameter eventos: of one stream, in its order. Clocks of several machines may disagree a little with it.
    package init(_ eventos: [EventoDeEspacos]) {
        self.eventos = eventos.enumerated().sorted { a, b in
            a.element.em == b.element.em ? a.offset < b.offset : a.element.em < b.element.em
        }.map(\.element)
    }

    /// The space as it was before a moment.
    func espaco(antesDe momento: Instante) -> Espaco {
        eventos.prefix { $0.em < momento }.reduce(.inicial) { $0.evoluindo(com: $1) }
    }

    /// The names of the zones that the unit had, each with the moment from which on.
    package var fusos: [(desde: Instante, nome: String)] {
        eventos.compactMap { evento in
            switch evento {
            case .unidadeCriada(let criacao): (criacao.em, criacao.fuso)
            case .unidadeAtualizada(let atualizacao): (atualizacao.em, atualizacao.fuso)
            case .espacoCriado, .espacoAtualizado, .horarioDefinido, .fechamentoDefinido, .fechamentoRemovido, .regrasDeReservaDefinidas,
                .espacoDesativado, .espacoReativado:
                nil
            }
        }
    }

    /// The zone by whose clock a local day ends: the last one that was defined before its own midnight; `nil` where the unit was not
    /// there yet.
    ///
    /// - Parameter zona: the rules of a zone by its name.
    package func fechamento(
        de dia: DataCivil,
        zona: (String) throws -> ZonaHoraria
    ) rethrows -> (zona: ZonaHoraria, fim: Instante)? {
        var atual: (zona: ZonaHoraria, fim: Instante)?
        for fuso in fusos {
            let zona = try zona(fuso.nome)
            let fim = zona.inicioDoDia(dia.somandoDias(1))
            guard fuso.desde < fim else { break }
            atual = (zona, fim)
        }
        return atual
    }
}

extension EventoDeEspacos {
    /// When it happened.
    fileprivate var em: Instante {
        switch self {
        case .unidadeCriada(let evento): evento.em
        case .unidadeAtualizada(let evento): evento.em
        case .espacoCriado(let evento): evento.em
        case .espacoAtualizado(let evento): evento.em
        case .horarioDefinido(let evento): evento.em
        case .fechamentoDefinido(let evento): evento.em
        case .fechamentoRemovido(let evento): evento.em
        case .regrasDeReservaDefinidas(let evento): evento.em
        case .espacoDesativado(let evento): evento.em
        case .espacoReativado(let evento): evento.em
        }
    }
}
