/// A factor on the hourly rate at certain local times: above 1000 for peak hours, below for off-peak.
package struct Multiplicador: Hashable, Sendable, Codable {
    /// Shown in the quote.
    package let nome: String
    package let dias: [DiaDaSemana]
    package let faixa: FaixaHoraria
    /// Thousandths: 1500 is one and a half times.
    package let milesimos: Int

    package init(
        nome: String,
        dias: [DiaDaSemana],
        faixa: FaixaHoraria,
        milesimos: Int
    ) {
        self.nome = nome
        self.dias = dias
        self.faixa = faixa
        self.milesimos = milesimos
    }
}

extension Multiplicador {
    /// Thousandths of the plain rate.
    package static let neutro = 1_000

    /// Whether two multipliers would hold at one moment.
    func colide(com outro: Multiplicador) -> Bool {
        faixa.sobrepoe(outro.faixa) && !Set(dias).isDisjoint(with: outro.dias)
    }
}
