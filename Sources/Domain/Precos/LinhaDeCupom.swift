/// What a coupon takes off one local day.
package struct LinhaDeCupom: Hashable, Sendable, Codable {
    package let dia: DataCivil
    package let codigo: CodigoDoCupom
    /// What the day costs after the plan's discount and credits.
    package let base: Dinheiro
    /// Absent where the coupon takes off a fixed amount.
    package let percentual: Percentual?
    /// Negative.
    package let valor: Dinheiro

    package init(dia: DataCivil, codigo: CodigoDoCupom, base: Dinheiro, percentual: Percentual? = nil, valor: Dinheiro) {
        self.dia = dia
        self.codigo = codigo
        self.base = base
        self.percentual = percentual
        self.valor = valor
    }
}

extension LinhaDeCupom: LidoDaForma {
    init(_ ficha: Int, de carga: CargaCanonica) throws(ForaDaForma) {
        dia = try carga.valor(CodingKeys.dia, de: ficha)
        codigo = try carga.valor(CodingKeys.codigo, de: ficha)
        base = try carga.valor(CodingKeys.base, de: ficha)
        percentual = try carga.valorSeHouver(CodingKeys.percentual, de: ficha)
        valor = try carga.valor(CodingKeys.valor, de: ficha)
    }
}
