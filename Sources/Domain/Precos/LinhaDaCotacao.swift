/// One line of a quote, rounded once. Stored flat, with its kind under `tipo`.
package enum LinhaDaCotacao: Hashable, Sendable {
    case tempo(LinhaDeTempo)
    case desconto(LinhaDeDesconto)
    case teto(LinhaDeTeto)

    /// What this line adds to the total; discounts and caps are negative.
    package var valor: Dinheiro {
        switch self {
        case .tempo(let linha): linha.valor
        case .desconto(let linha): linha.valor
        case .teto(let linha): linha.valor
        }
    }
}

extension LinhaDaCotacao: Codable {
    private enum Especie: String, Codable, LidoDaForma {
        case tempo
        case desconto = "desconto_do_plano"
        case teto = "teto_diario"
    }

    private enum CodingKeys: String, CodingKey {
        case tipo
    }

    package init(from decoder: any Decoder) throws {
        let caixa = try decoder.container(keyedBy: CodingKeys.self)
        switch try caixa.decode(Especie.self, forKey: .tipo) {
        case .tempo: self = .tempo(try LinhaDeTempo(from: decoder))
        case .desconto: self = .desconto(try LinhaDeDesconto(from: decoder))
        case .teto: self = .teto(try LinhaDeTeto(from: decoder))
        }
    }

    package func encode(to encoder: any Encoder) throws {
        var caixa = encoder.container(keyedBy: CodingKeys.self)
        switch self {
        case .tempo(let linha):
            try caixa.encode(Especie.tempo, forKey: .tipo)
            try linha.encode(to: encoder)
        case .desconto(let linha):
            try caixa.encode(Especie.desconto, forKey: .tipo)
            try linha.encode(to: encoder)
        case .teto(let linha):
            try caixa.encode(Especie.teto, forKey: .tipo)
            try linha.encode(to: encoder)
        }
    }
}

extension LinhaDaCotacao: LidoDaForma {
    init(_ ficha: Int, de carga: CargaCanonica) throws(ForaDaForma) {
        let especie: Especie = try carga.valor(CodingKeys.tipo, de: ficha)
        switch especie {
        case .tempo: self = .tempo(try LinhaDeTempo(ficha, de: carga))
        case .desconto: self = .desconto(try LinhaDeDesconto(ficha, de: carga))
        case .teto: self = .teto(try LinhaDeTeto(ficha, de: carga))
        }
    }
}
