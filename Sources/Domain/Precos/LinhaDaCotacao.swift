/// One line of a quote, rounded once. Stored flat, with its kind under `tipo`.
package enum LinhaDaCotacao: Hashable, Sendable {
    case tempo(LinhaDeTempo)
    case desconto(LinhaDeDesconto)
    case creditos(LinhaDeCreditos)
    case cupom(LinhaDeCupom)
    case teto(LinhaDeTeto)

    /// What this line adds to the total; discounts, credits, coupons and caps are negative.
    package var valor: Dinheiro {
        switch self {
        case .tempo(let linha): linha.valor
        case .desconto(let linha): linha.valor
        case .creditos(let linha): linha.valor
        case .cupom(let linha): linha.valor
        case .teto(let linha): linha.valor
        }
    }
}

extension LinhaDaCotacao: Codable {
    private enum Especie: String, Codable, LidoDaForma {
        case tempo
        case desconto = "desconto_do_plano"
        case creditos
        case cupom
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
        case .creditos: self = .creditos(try LinhaDeCreditos(from: decoder))
        case .cupom: self = .cupom(try LinhaDeCupom(from: decoder))
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
        case .creditos(let linha):
            try caixa.encode(Especie.creditos, forKey: .tipo)
            try linha.encode(to: encoder)
        case .cupom(let linha):
            try caixa.encode(Especie.cupom, forKey: .tipo)
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
        case .creditos: self = .creditos(try LinhaDeCreditos(ficha, de: carga))
        case .cupom: self = .cupom(try LinhaDeCupom(ficha, de: carga))
        case .teto: self = .teto(try LinhaDeTeto(ficha, de: carga))
        }
    }
}
