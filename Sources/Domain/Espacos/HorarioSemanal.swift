/// Opening hours by day of the week, on the wall clock of the unit. Days that are absent are closed.
/// A space is open at an instant when the wall clock then reads a time within one of the day's ranges.
/// Stored as `{"segunda":[{"abre":"08:00","fecha":"24:00"}]}`.
package struct HorarioSemanal: Hashable, Sendable {
    /// The ranges of each open day, in order, neither overlapping nor empty.
    package let dias: [DiaDaSemana: [FaixaHoraria]]

    /// `nil` when two ranges of a day overlap.
    package init?(_ dias: [DiaDaSemana: [FaixaHoraria]]) {
        let ordenados = dias.filter { !$0.value.isEmpty }.mapValues { $0.sorted { $0.abre < $1.abre } }
        let disjuntos = ordenados.values.allSatisfy { faixas in
            zip(faixas, faixas.dropFirst()).allSatisfy { $0.fecha <= $1.abre }
        }
        guard disjuntos else { return nil }
        self.dias = ordenados
    }

    private init(certo dias: [DiaDaSemana: [FaixaHoraria]]) {
        self.dias = dias
    }

    /// Never open.
    package static let fechado = HorarioSemanal(certo: [:])
    /// Open day and night.
    package static let vinteQuatroHoras = HorarioSemanal(
        certo: Dictionary(uniqueKeysWithValues: DiaDaSemana.allCases.map { ($0, [.diaInteiro]) })
    )

    package func faixas(de dia: DiaDaSemana) -> [FaixaHoraria] {
        dias[dia] ?? []
    }
}

extension HorarioSemanal: Codable {
    package init(from decoder: any Decoder) throws {
        let caixa = try decoder.singleValueContainer()
        guard let semana = HorarioSemanal(try caixa.decode([DiaDaSemana: [FaixaHoraria]].self)) else {
            throw DecodingError.dataCorruptedError(in: caixa, debugDescription: "opening hours overlap")
        }
        self = semana
    }

    package func encode(to encoder: any Encoder) throws {
        var caixa = encoder.singleValueContainer()
        try caixa.encode(dias)
    }
}
