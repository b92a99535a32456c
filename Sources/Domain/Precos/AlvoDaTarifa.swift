/// What a rate applies to; a rate for one space beats the rate for its type.
/// Stored as `{"espaco":"…"}` or `{"tipo":"…"}`.
package enum AlvoDaTarifa: Hashable, Sendable {
    case espaco(EspacoID)
    case tipo(TipoDeEspaco)
}

extension AlvoDaTarifa: Codable {
    private enum CodingKeys: String, CodingKey {
        case espaco
        case tipo
    }

    package init(from decoder: any Decoder) throws {
        let caixa = try decoder.container(keyedBy: CodingKeys.self)
        if let espaco = try caixa.decodeIfPresent(EspacoID.self, forKey: .espaco) {
            self = .espaco(espaco)
        } else {
            self = .tipo(try caixa.decode(TipoDeEspaco.self, forKey: .tipo))
        }
    }

    package func encode(to encoder: any Encoder) throws {
        var caixa = encoder.container(keyedBy: CodingKeys.self)
        switch self {
        case .espaco(let espaco): try caixa.encode(espaco, forKey: .espaco)
        case .tipo(let tipo): try caixa.encode(tipo, forKey: .tipo)
        }
    }
}
