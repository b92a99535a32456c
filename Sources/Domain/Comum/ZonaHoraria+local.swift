/// The moments at which a wall clock shows a given time.
package enum ResolucaoLocal: Hashable, Sendable {
    case unica(Instante)
    /// Clocks jumped over this time: at `transicao` they went from `antes` straight to `depois`.
    case inexistente(antes: DataHoraLocal, depois: DataHoraLocal, transicao: Instante)
    /// Clocks were set back, so this time happened twice.
    case ambigua(primeira: Instante, segunda: Instante)
}

extension ZonaHoraria {
    /// No zone is farther than this from UTC, so what a wall clock shows lies this near in UTC.
    private static let margem: Int64 = 26 * 3_600

    /// When the wall clock shows `local`.
    package func instantes(de local: DataHoraLocal) -> ResolucaoLocal {
        let segundos = local.microssegundos.divididoPorBaixo(1_000_000)
        let proximos = regimes(de: segundos - Self.margem, ate: segundos + Self.margem)
        let encontrados = proximos.filter { regime in
            let candidato = segundos - regime.deslocamento
            return regime.inicio <= candidato && candidato < regime.fim
        }
        let instantes = encontrados.map { Instante(microssegundos: local.microssegundos - $0.deslocamento * 1_000_000) }
        if let primeira = instantes.first, let segunda = instantes.last {
            return primeira == segunda ? .unica(primeira) : .ambigua(primeira: primeira, segunda: segunda)
        }
        let salto = zip(proximos, proximos.dropFirst()).first { antes, depois in
            depois.inicio + antes.deslocamento <= segundos && segundos < depois.inicio + depois.deslocamento
        }
        guard let (antes, depois) = salto else {
            preconditionFailure("a wall clock time is shown by some offset or skipped by some transition")
        }
        return .inexistente(
            antes: DataHoraLocal(microssegundos: (depois.inicio + antes.deslocamento) * 1_000_000),
            depois: DataHoraLocal(microssegundos: (depois.inicio + depois.deslocamento) * 1_000_000),
            transicao: Instante(segundos: depois.inicio)
        )
    }

    /// The first moment of a local date, which is not midnight where clocks jump over it.
    package func inicioDoDia(_ data: DataCivil) -> Instante {
        switch instantes(de: data.meiaNoite) {
        case .unica(let instante): instante
        case .inexistente(_, _, let transicao): transicao
        case .ambigua(let primeira, _): primeira
        }
    }

    /// From the first moment of a local date to the first of the next: 23, 24, 25 or other hours.
    /// `nil` for a date that its zone skipped altogether (Samoa, 2011-12-30).
    package func dia(_ data: DataCivil) -> Intervalo? {
        Intervalo(inicio: inicioDoDia(data), fim: inicioDoDia(data.somandoDias(1)))
    }

    /// All moments at which the wall clock shows a time in `[inicio, fim)`: a time that happens twice counts twice,
    /// a skipped time not at all. Ordered and disjoint.
    package func trechos(de inicio: DataHoraLocal, ate fim: DataHoraLocal) -> [Intervalo] {
        let proximos = regimes(
            de: inicio.microssegundos.divididoPorBaixo(1_000_000) - Self.margem,
            ate: fim.microssegundos.divididoPorBaixo(1_000_000) + Self.margem
        )
        return Intervalo.unir(
            proximos.compactMap { regime in
                let deslocamento = regime.deslocamento * 1_000_000
                return Intervalo(
                    inicio: max(regime.comeco, Instante(microssegundos: inicio.microssegundos - deslocamento)),
                    fim: min(regime.termino, Instante(microssegundos: fim.microssegundos - deslocamento))
                )
            }
        )
    }
}

extension ZonaHoraria.Regime {
    /// Bounds as instants; open ends become moments beyond any calendar.
    var comeco: Instante { Instante(segundos: max(inicio, -9_000_000_000_000)) }
    var termino: Instante { Instante(segundos: min(fim, 9_000_000_000_000)) }
}
