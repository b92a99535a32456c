/// What is known of a series: the stream `serie-{id}`. What became of each occurrence is in the stream of its booking.
package enum Serie: EstadoDeFluxo {
    case inexistente
    case criada(DadosDaSerie)

    package static let inicial = Serie.inexistente

    package func evoluindo(com evento: EventoDeReservas) -> Serie {
        switch evento {
        case .serieCriada(let criacao):
            return .criada(
                DadosDaSerie(
                    serie: criacao.serie,
                    usuario: criacao.usuario,
                    espaco: criacao.espaco,
                    unidade: criacao.unidade,
                    fuso: criacao.fuso,
                    regra: criacao.regra,
                    lugares: criacao.lugares,
                    ocorrencias: criacao.ocorrencias
                )
            )
        case .serieAlterada(let alteracao):
            // One that is moved alone is an exception, and the plan of the series stays what it was.
            if alteracao.alcance == .esta { return self }
            let movidas = Dictionary(alteracao.movidas.map { ($0.reserva, $0) }) { _, ultima in ultima }
            return mudando { dados in dados.ocorrencias = dados.ocorrencias.map { movidas[$0.reserva] ?? $0 } }
        case .serieEncerrada, .reservaSolicitada, .reservaConfirmada, .reservaExpirada, .reservaRemarcada, .reservaCancelada,
            .reservaConcluida, .reservaRetomada, .reservaNaoComparecida, .horarioOcupado, .horarioLiberado, .reservaAprovada,
            .convidadosDefinidos, .esperaInscrita,
            .esperaOferecida, .esperaAtendida, .esperaVencida, .esperaRetirada:
            return self
        }
    }

    private func mudando(_ mudar: (inout DadosDaSerie) -> Void) -> Serie {
        guard case .criada(var dados) = self else { return self }
        mudar(&dados)
        return .criada(dados)
    }

    /// The series, when this person may know of it: their own, or any of an operator's unit.
    package func exigirVisivel(para ator: Ator) throws(RecusaDeReservas) -> DadosDaSerie {
        guard case .criada(let dados) = self, ator.alcanca(dados.usuario, em: dados.unidade) else {
            throw .serie(.naoEncontrada)
        }
        return dados
    }
}

/// What a series is.
package struct DadosDaSerie: Hashable, Sendable {
    package let serie: SerieID
    package let usuario: UsuarioID
    package let espaco: EspacoID
    package let unidade: UnidadeID
    package let fuso: String
    package let regra: RegraDeRecorrencia
    package let lugares: Int
    /// Those that were booked, in the order of the rule, given up or not.
    package fileprivate(set) var ocorrencias: [OcorrenciaDaSerie]

    /// The occurrences that a change is for, in order, whatever became of them.
    /// - Parameter referencia: The occurrence that was named.
    package func escolhidas(_ alcance: AlcanceDaSerie, desde referencia: ReservaID?) throws(RecusaDeReservas) -> [OcorrenciaDaSerie] {
        if alcance == .todas && referencia == nil { return ocorrencias }
        guard let marco = ocorrencias.first(where: { $0.reserva == referencia }) else { throw .serie(.ocorrenciaNaoEncontrada) }
        return switch alcance {
        case .esta: [marco]
        case .seguintes: ocorrencias.filter { $0.original >= marco.original }
        case .todas: ocorrencias
        }
    }
}
