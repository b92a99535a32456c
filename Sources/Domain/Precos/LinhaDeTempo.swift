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
