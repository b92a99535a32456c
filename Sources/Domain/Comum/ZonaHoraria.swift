/// The rules of one IANA zone as a value: they are loaded outside the domain, which reads no files.
package struct ZonaHoraria: Hashable, Sendable {
    /// A moment from which another offset holds.
    package struct Transicao: Hashable, Sendable {
        /// Seconds since 1970 UTC.
        package let segundos: Int64
        /// Seconds east of Greenwich from then on.
        package let deslocamento: Int64

        package init(segundos: Int64, deslocamento: Int64) {
            self.segundos = segundos
            self.deslocamento = deslocamento
        }
    }

    /// A stretch of time with one offset; open ends are `Int64.min` and `Int64.max`.
    struct Regime {
        let inicio: Int64
        let fim: Int64
        let deslocamento: Int64
    }

    /// The IANA name, such as `America/Sao_Paulo`.
    package let nome: String
    private let deslocamentoInicial: Int64
    private let transicoes: [Transicao]
    private let regraFinal: RegraPosix?

    /// - Parameters:
    ///   - deslocamentoInicial: Seconds east of Greenwich before the first transition.
    ///   - transicoes: In order of time.
    ///   - regraFinal: What holds after the last transition; without it the last offset holds for ever.
    package init(nome: String, deslocamentoInicial: Int64, transicoes: [Transicao], regraFinal: RegraPosix?) {
        self.nome = nome
        self.deslocamentoInicial = deslocamentoInicial
        self.transicoes = transicoes
        self.regraFinal = regraFinal
    }

    /// Coordinated universal time.
    package static let utc = ZonaHoraria(nome: "UTC", deslocamentoInicial: 0, transicoes: [], regraFinal: nil)

    /// Seconds east of Greenwich at a moment.
    package func deslocamento(em instante: Instante) -> Int64 {
        regime(em: instante.segundos).deslocamento
    }

    /// What the wall clock shows at a moment.
    package func local(de instante: Instante) -> DataHoraLocal {
        DataHoraLocal(microssegundos: instante.microssegundos + deslocamento(em: instante) * 1_000_000)
    }

    /// The local date at a moment.
    package func data(de instante: Instante) -> DataCivil {
        local(de: instante).data
    }

    /// The stretch of constant offset that a moment lies in.
    func regime(em segundos: Int64) -> Regime {
        var baixo = 0
        var alto = transicoes.count
        while baixo < alto {
            let meio = (baixo + alto) / 2
            if transicoes[meio].segundos <= segundos { baixo = meio + 1 } else { alto = meio }
        }
        if baixo == transicoes.count, let regraFinal {
            let regime = regraFinal.regime(em: segundos)
            let ultima = transicoes.last?.segundos ?? Int64.min
            return Regime(inicio: max(regime.inicio, ultima), fim: regime.fim, deslocamento: regime.deslocamento)
        }
        return Regime(
            inicio: baixo == 0 ? Int64.min : transicoes[baixo - 1].segundos,
            fim: baixo == transicoes.count ? Int64.max : transicoes[baixo].segundos,
            deslocamento: baixo == 0 ? deslocamentoInicial : transicoes[baixo - 1].deslocamento
        )
    }

    /// The stretches of constant offset that touch the seconds from `inicio` to `fim`, in order.
    func regimes(de inicio: Int64, ate fim: Int64) -> [Regime] {
        var encontrados = [regime(em: inicio)]
        while let ultimo = encontrados.last, ultimo.fim < fim { encontrados.append(regime(em: ultimo.fim)) }
        return encontrados
    }
}
