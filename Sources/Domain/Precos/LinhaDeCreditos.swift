/// What credits pay of one local day.
package struct LinhaDeCreditos: Hashable, Sendable, Codable {
    package let dia: DataCivil
    /// Minutes of one seat.
    package let minutos: Minutos
    /// What the day costs after the plan's discount.
    package let base: Dinheiro
    /// Zero or negative.
    package let valor: Dinheiro

    package init(dia: DataCivil, minutos: Minutos, base: Dinheiro, valor: Dinheiro) {
        self.dia = dia
        self.minutos = minutos
        self.base = base
        self.valor = valor
    }
}

extension LinhaDeCreditos: LidoDaForma {
    init(_ ficha: Int, de carga: CargaCanonica) throws(ForaDaForma) {
        dia = try carga.valor(CodingKeys.dia, de: ficha)
        minutos = try carga.valor(CodingKeys.minutos, de: ficha)
        base = try carga.valor(CodingKeys.base, de: ficha)
        valor = try carga.valor(CodingKeys.valor, de: ficha)
    }
}
