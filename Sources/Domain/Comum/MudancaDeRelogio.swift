/// Clocks were set: from `em` on, the wall clock has another distance from UTC. Stored as `{"deslocamento_s":-7200,"em":"…"}`.
package struct MudancaDeRelogio: Hashable, Sendable, Codable {
    package let em: Instante
    /// Seconds east of Greenwich from then on.
    package let deslocamento: Int64

    package init(em: Instante, deslocamento: Int64) {
        self.em = em
        self.deslocamento = deslocamento
    }

    private enum CodingKeys: String, CodingKey {
        case em
        case deslocamento = "deslocamento_s"
    }
}

extension MudancaDeRelogio: LidoDaForma {
    init(_ ficha: Int, de carga: CargaCanonica) throws(ForaDaForma) {
        em = try carga.valor(CodingKeys.em, de: ficha)
        deslocamento = try carga.valor(CodingKeys.deslocamento, de: ficha)
    }
}

extension ZonaHoraria {
    /// The changes of the clocks strictly within an interval, in order.
    package func mudancas(em intervalo: Intervalo) -> [MudancaDeRelogio] {
        // Regimes know whole seconds, and changes fall on them.
        let regimes = regimes(de: intervalo.inicio.segundos, ate: intervalo.fim.segundos)
        return zip(regimes, regimes.dropFirst()).compactMap { antes, depois in
            guard antes.deslocamento != depois.deslocamento, intervalo.inicio < depois.comeco, depois.comeco < intervalo.fim else {
                return nil
            }
            return MudancaDeRelogio(em: depois.comeco, deslocamento: depois.deslocamento)
        }
    }
}
