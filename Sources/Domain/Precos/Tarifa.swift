/// What an hour costs.
package struct Tarifa: Hashable, Sendable, Codable {
    package let alvo: AlvoDaTarifa
    /// For one seat, before multipliers. Zero means free.
    package let valorHora: Dinheiro
    /// The most that one seat of one booking costs on one local day.
    package let tetoDiario: Dinheiro?

    package init(
        alvo: AlvoDaTarifa,
        valorHora: Dinheiro,
        tetoDiario: Dinheiro? = nil
    ) {
        self.alvo = alvo
        self.valorHora = valorHora
        self.tetoDiario = tetoDiario
    }

    private enum CodingKeys: String, CodingKey {
        case alvo
        case valorHora = "valor_hora"
        case tetoDiario = "teto_diario"
    }
}
