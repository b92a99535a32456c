/// One tier of a refund policy: cancelled at least this long before the start, this share comes back.
package struct FaixaDeReembolso: Hashable, Sendable, Codable {
    package let antecedencia: Minutos
    package let percentual: Percentual

    package init(antecedencia: Minutos, percentual: Percentual) {
        self.antecedencia = antecedencia
        self.percentual = percentual
    }

    private enum CodingKeys: String, CodingKey {
        case antecedencia = "antecedencia_min"
        case percentual
    }
}

/// How much of what was paid comes back on cancellation, by notice given. Without a tier that applies: nothing.
package struct PoliticaDeCancelamento: Hashable, Sendable {
    /// Longest notice first, no two alike; more notice never gives back less.
    package let faixas: [FaixaDeReembolso]

    /// `nil` when two tiers have the same notice, or a longer notice gives back less than a shorter.
    package init?(_ faixas: [FaixaDeReembolso]) {
        let ordenadas = faixas.sorted { $0.antecedencia > $1.antecedencia }
        let decrescentes = zip(ordenadas, ordenadas.dropFirst()).allSatisfy { maior, menor in
            maior.antecedencia > menor.antecedencia && maior.percentual >= menor.percentual
        }
        guard decrescentes else { return nil }
        self.faixas = ordenadas
    }

    private init(certo faixas: [FaixaDeReembolso]) {
        self.faixas = faixas
    }

    /// As shipped: 100 % with a day's notice, 50 % with four hours', otherwise nothing.
    package static let padrao = PoliticaDeCancelamento(certo: [
        FaixaDeReembolso(antecedencia: .umDia, percentual: .todo),
        FaixaDeReembolso(antecedencia: .quatroHoras, percentual: .metade),
    ])

    /// The tier that decides for this notice, `nil` when none does.
    package func faixa(para antecedencia: Duracao) -> FaixaDeReembolso? {
        faixas.first { antecedencia >= $0.antecedencia.duracao }
    }
}

extension PoliticaDeCancelamento: Codable {
    package init(from decoder: any Decoder) throws {
        let caixa = try decoder.singleValueContainer()
        guard let politica = PoliticaDeCancelamento(try caixa.decode([FaixaDeReembolso].self)) else {
            throw DecodingError.dataCorruptedError(in: caixa, debugDescription: "refund tiers contradict each other")
        }
        self = politica
    }

    package func encode(to encoder: any Encoder) throws {
        var caixa = encoder.singleValueContainer()
        try caixa.encode(faixas)
    }
}

extension FaixaDeReembolso: LidoDaForma {
    init(_ ficha: Int, de carga: CargaCanonica) throws(ForaDaForma) {
        antecedencia = try carga.valor(CodingKeys.antecedencia, de: ficha)
        percentual = try carga.valor(CodingKeys.percentual, de: ficha)
    }
}

extension PoliticaDeCancelamento: LidoDaForma {
    init(_ ficha: Int, de carga: CargaCanonica) throws(ForaDaForma) {
        guard let politica = PoliticaDeCancelamento(try [FaixaDeReembolso](ficha, de: carga)) else { throw ForaDaForma() }
        self = politica
    }
}
