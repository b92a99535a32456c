/// What is known of a space: the stream `espaco-{id}`.
package enum Espaco: EstadoDeFluxo {
    case inexistente
    case ativo(DadosDoEspaco)
    case desativado(DadosDoEspaco)

    package static let inicial = Espaco.inexistente

    package func evoluindo(com evento: EventoDeEspacos) -> Espaco {
        switch evento {
        case .espacoCriado(let criacao):
            .ativo(DadosDoEspaco(espaco: criacao.espaco, unidade: criacao.unidade, ficha: criacao.ficha))
        case .espacoAtualizado(let atualizacao):
            alterando { $0.ficha = atualizacao.ficha }
        case .horarioDefinido(let horario):
            alterando { dados in
                dados.semana = horario.semana
                dados.fechaEmFeriados = horario.fechaEmFeriados
            }
        case .fechamentoDefinido(let definicao):
            alterando { dados in
                dados.fechamentos.removeAll { $0.id == definicao.fechamento.id }
                dados.fechamentos.append(definicao.fechamento)
            }
        case .fechamentoRemovido(let remocao):
            alterando { dados in dados.fechamentos.removeAll { $0.id == remocao.fechamento } }
        case .regrasDeReservaDefinidas(let definicao):
            alterando { dados in
                dados.versaoDasRegras = definicao.versao
                dados.regras = definicao.regras
            }
        case .espacoDesativado: dados.map(Espaco.desativado) ?? self
        case .espacoReativado: dados.map(Espaco.ativo) ?? self
        case .unidadeCriada, .unidadeAtualizada: self
        }
    }

    /// What the space is, active or not; `nil` when there is none.
    package var dados: DadosDoEspaco? {
        switch self {
        case .inexistente: nil
        case .ativo(let dados), .desativado(let dados): dados
        }
    }

    private func alterando(_ alterar: (inout DadosDoEspaco) -> Void) -> Espaco {
        switch self {
        case .inexistente:
            return self
        case .ativo(var dados):
            alterar(&dados)
            return .ativo(dados)
        case .desativado(var dados):
            alterar(&dados)
            return .desativado(dados)
        }
    }
}

extension Espaco {
    /// The space, when who asks works for its unit.
    func exigirOperado(por autoridade: Autoridade) throws(RecusaDeEspacos) -> DadosDoEspaco {
        guard autoridade.opera else { throw .soEquipe }
        guard let dados, autoridade.opera(em: dados.unidade) else { throw .espacoNaoEncontrado }
        return dados
    }
}

/// What a space is and the rules it is booked by.
package struct DadosDoEspaco: Hashable, Sendable {
    package let espaco: EspacoID
    package let unidade: UnidadeID
    package internal(set) var ficha: FichaDoEspaco
    package internal(set) var semana: HorarioSemanal = .fechado
    /// Whether national holidays are closed.
    package internal(set) var fechaEmFeriados = false
    package internal(set) var fechamentos: [Fechamento] = []
    /// 0 while the rules are those that every space begins with.
    package internal(set) var versaoDasRegras: VersaoDeRegra = .nenhuma
    package internal(set) var regras: RegrasDeReserva = .padrao
}
