/// Booked time under one rate and one multiplier, within one local day.
package struct LinhaDeTempo: Hashable, Sendable, Codable {
    package let dia: DataCivil
    package let intervalo: Intervalo
    package let lugares: Int
    package let valorHora: Dinheiro
    /// Name of the multiplier in force; absent at the plain rate.
    package let multiplicador: String?
    package let milesimos: Int
    package let valor: Dinheiro

    package init(
        dia: DataCivil,
        intervalo: Intervalo,
        lugares: Int,
        valorHora: Dinheiro,
        multiplicador: String? = nil,
        milesimos: Int,
        valor: Dinheiro
    ) {
        self.dia = dia
        self.intervalo = intervalo
        self.lugares = lugares
        self.valorHora = valorHora
        self.multiplicador = multiplicador
        self.milesimos = milesimos
        self.valor = valor
    }

    private enum CodingKeys: String, CodingKey {
        case dia
        case intervalo
        case lugares
        case valorHora = "valor_hora"
        case multiplicador
        case milesimos
        case valor
    }
}

extension LinhaDeTempo: LidoDaForma {
    init(_ ficha: Int, de carga: CargaCanonica) throws(ForaDaForma) {
        dia = try carga.valor(CodingKeys.dia, de: ficha)
        intervalo = try carga.valor(CodingKeys.intervalo, de: ficha)
        lugares = try carga.valor(CodingKeys.lugares, de: ficha)
        valorHora = try carga.valor(CodingKeys.valorHora, de: ficha)
        multiplicador = try carga.valorSeHouver(CodingKeys.multiplicador, de: ficha)
        milesimos = try carga.valor(CodingKeys.milesimos, de: ficha)
        valor = try carga.valor(CodingKeys.valor, de: ficha)
    }
}
