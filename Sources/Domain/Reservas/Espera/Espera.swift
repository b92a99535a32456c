/// Who waits for spans of a space that begin on one UTC day: the stream `espera-{espaco}-{yyyy-mm-dd}`.
package struct Espera: EstadoDeFluxo {
    package enum Situacao: Hashable, Sendable {
        case aguardando
        case oferecida(ReservaID)
        case atendida
        case vencida
        case retirada
    }

    package struct Inscricao: Hashable, Sendable {
        package let id: EsperaID
        package let usuario: UsuarioID
        package let unidade: UnidadeID
        package let intervalo: Intervalo
        package let lugares: Int
        package let em: Instante
        package internal(set) var situacao: Situacao

        /// Whether the wait goes on.
        package var aberta: Bool {
            switch situacao {
            case .aguardando, .oferecida: true
            case .atendida, .vencida, .retirada: false
            }
        }
    }

    /// The most that wait in one line.
    package static let maximo = 100
    /// The longest span that somebody waits for.
    package static let maiorDuracao = Minutos.umDia

    /// In the order in which they joined, those whose wait is over included.
    package private(set) var inscricoes: [Inscricao] = []

    package static let inicial = Espera()

    package func evoluindo(com evento: EventoDeReservas) -> Espera {
        switch evento {
        case .esperaInscrita(let inscrita):
            var espera = self
            espera.inscricoes.append(
                Inscricao(
                    id: inscrita.inscricao,
                    usuario: inscrita.usuario,
                    unidade: inscrita.unidade,
                    intervalo: inscrita.intervalo,
                    lugares: inscrita.lugares,
                    em: inscrita.em,
                    situacao: .aguardando
                )
            )
            return espera
        case .esperaOferecida(let oferecida): return mudando(oferecida.inscricao, .oferecida(oferecida.reserva))
        case .esperaAtendida(let atendida): return mudando(atendida.inscricao, .atendida)
        case .esperaVencida(let vencida): return mudando(vencida.inscricao, .vencida)
        case .esperaRetirada(let retirada): return mudando(retirada.inscricao, .retirada)
        case .reservaSolicitada, .reservaConfirmada, .reservaExpirada, .reservaRemarcada, .reservaCancelada, .reservaConcluida,
            .reservaRetomada, .reservaNaoComparecida, .horarioOcupado, .horarioLiberado, .reservaAprovada, .convidadosDefinidos,
            .serieCriada, .serieAlterada, .serieEncerrada:
            return self
        }
    }

    private func mudando(_ inscricao: EsperaID, _ situacao: Situacao) -> Espera {
        var espera = self
        for numero in espera.inscricoes.indices where espera.inscricoes[numero].id == inscricao {
            espera.inscricoes[numero].situacao = situacao
        }
        return espera
    }

    package func inscricao(_ id: EsperaID) -> Inscricao? {
        inscricoes.first { $0.id == id }
    }

    /// The place in line, when this person may know of it: their own, or any of an operator's unit.
    package func exigirVisivel(_ id: EsperaID, para ator: Ator) throws(RecusaDeReservas) -> Inscricao {
        guard let inscricao = inscricao(id), ator.alcanca(inscricao.usuario, em: inscricao.unidade) else {
            throw .espera(.naoEncontrada)
        }
        return inscricao
    }

    /// The lines in which somebody may wait for what was freed on a UTC day: a span of a day at most, with buffers of a day at most,
    /// touches that day.
    package static func dias(aoLiberar dia: DataCivil) -> [DataCivil] {
        (-2...1).map(dia.somandoDias)
    }
}
