/// The plan's discount on one local day.
package struct LinhaDeDesconto: Hashable, Sendable, Codable {
    package let dia: DataCivil
    /// What the discount is taken from.
    package let base: Dinheiro
    package let percentual: Percentual
    /// Zero or negative.
    package let valor: Dinheiro

    package init(
        dia: DataCivil,
        base: Dinheiro,
        percentual: Percentual,
        valor: Dinheiro
    ) {
        self.dia = dia
        self.base = base
        self.percentual = percentual
        self.valor = valor
    }
}

extension LinhaDeDesconto: LidoDaForma {
    init(_ ficha: Int, de carga: CargaCanonica) throws(ForaDaForma) {
        dia = try carga.valor(CodingKeys.dia, de: ficha)
        base = try carga.valor(CodingKeys.base, de: ficha)
        percentual = try carga.valor(CodingKeys.percentual, de: ficha)
        valor = try carga.valor(CodingKeys.valor, de: ficha)
    }
}
