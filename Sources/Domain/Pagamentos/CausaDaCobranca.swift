/// What a charge is for. Stored as an object with one field, named after what it is.
package enum CausaDaCobranca: Hashable, Sendable {
    /// A booking's price: `{"reserva":"…"}`.
    case reserva(ReservaID)

    /// The booking that it is for; nil where it is for none.
    package var reserva: ReservaID? {
        switch self {
        case .reserva(let reserva): reserva
        }
    }

    /// The name of the kind in the HTTP API and in read models.
    package var tipo: String {
        switch self {
        case .reserva: "reservation"
        }
    }
}

extension CausaDaCobranca: Codable {
    private enum CodingKeys: String, CodingKey {
        case reserva
    }

    package init(from decoder: any Decoder) throws {
        let caixa = try decoder.container(keyedBy: CodingKeys.self)
        self = .reserva(try caixa.decode(ReservaID.self, forKey: .reserva))
    }

    package func encode(to encoder: any Encoder) throws {
        var caixa = encoder.container(keyedBy: CodingKeys.self)
        switch self {
        case .reserva(let reserva): try caixa.encode(reserva, forKey: .reserva)
        }
    }
}

extension CausaDaCobranca {
    /// The charge for this, of which there is one: whoever makes it, and however often, means the same stream.
    package var pagamento: PagamentoID {
        switch self {
        case .reserva(let reserva): PagamentoID(alto: reserva.alto, baixo: reserva.baixo)
        }
    }
}

extension Identificador where Marca == MarcaDeEstorno {
    /// What gives money of a charge back for one cause, so that it does so once. Charges and causes that differ have different ones.
    /// - Parameter numero: The cause's.
    package init(de causa: PagamentoID, _ numero: Int) {
        // The upper bits of the lower half say which sort of UUID it is, and stay.
        let mistura = UInt64(truncatingIfNeeded: numero) &* 0x9E37_79B9_7F4A_7C15 & 0x3FFF_FFFF_FFFF_FFFF
        self.init(alto: causa.alto, baixo: causa.baixo ^ mistura)
    }
}
