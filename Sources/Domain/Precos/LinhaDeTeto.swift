/// What the daily cap takes off one local day.
package struct LinhaDeTeto: Hashable, Sendable, Codable {
    package let dia: DataCivil
    /// What the day would have cost.
    package let base: Dinheiro
    package let teto: Dinheiro
    /// Negative.
    package let valor: Dinheiro

    package init(
        dia: DataCivil,
        base: Dinheiro,
        teto: Dinheiro,
        valor: Dinheiro
    ) {
        self.dia = dia
        self.base = base
        self.teto = teto
        self.valor = valor
    }
}

extension LinhaDeTeto: LidoDaForma {
    init(_ ficha: Int, de carga: CargaCanonica) throws(ForaDaForma) {
        dia = try carga.valor(CodingKeys.dia, de: ficha)
        base = try carga.valor(CodingKeys.base, de: ficha)
        teto = try carga.valor(CodingKeys.teto, de: ficha)
        valor = try carga.valor(CodingKeys.valor, de: ficha)
    }
}
