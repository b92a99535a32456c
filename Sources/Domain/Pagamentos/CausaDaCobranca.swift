/// What a charge is for. Stored as an object with one field, named after what it is.
package enum CausaDaCobranca: Hashable, Sendable {
    /// A booking's price: `{"reserva":"…"}`.
    case reserva(ReservaID)
    /// What a booking costs more since it was moved for the n-th time, from 1: `{"diferenca":{"remarcacao":n,"reserva":"…"}}`.
    case diferenca(ReservaID, remarcacao: Int)
    /// The time that somebody stayed on after a booking: `{"excedente":"…"}`.
    case excedente(ReservaID)
    /// A subscription's fee for the period that begins then: `{"mensalidade":{"inicio":"…","usuario":"…"}}`.
    case mensalidade(UsuarioID, inicio: Instante)

    /// The booking that it is for; nil where it is for none.
    package var reserva: ReservaID? {
        switch self {
        case .reserva(let reserva), .diferenca(let reserva, _), .excedente(let reserva): reserva
        case .mensalidade: nil
        }
    }

    /// The name of the kind in the HTTP API and in read models.
    package var tipo: String {
        switch self {
        case .reserva: "reservation"
        case .diferenca: "difference"
        case .excedente: "overtime"
        case .mensalidade: "subscription"
        }
    }
}

extension CausaDaCobranca: Codable {
    private enum CodingKeys: String, CodingKey {
        case reserva
        case diferenca
        case excedente
        case mensalidade
    }

    private struct Diferenca: Codable {
        let reserva: ReservaID
        let remarcacao: Int
    }

    private struct Mensalidade: Codable {
        let usuario: UsuarioID
        let inicio: Instante
    }

    package init(from decoder: any Decoder) throws {
        let caixa = try decoder.container(keyedBy: CodingKeys.self)
        if let reserva = try caixa.decodeIfPresent(ReservaID.self, forKey: .reserva) {
            self = .reserva(reserva)
        } else if let diferenca = try caixa.decodeIfPresent(Diferenca.self, forKey: .diferenca) {
            self = .diferenca(diferenca.reserva, remarcacao: diferenca.remarcacao)
        } else if let excedente = try caixa.decodeIfPresent(ReservaID.self, forKey: .excedente) {
            self = .excedente(excedente)
        } else {
            let mensalidade = try caixa.decode(Mensalidade.self, forKey: .mensalidade)
            self = .mensalidade(mensalidade.usuario, inicio: mensalidade.inicio)
        }
    }

    package func encode(to encoder: any Encoder) throws {
        var caixa = encoder.container(keyedBy: CodingKeys.self)
        switch self {
        case .reserva(let reserva): try caixa.encode(reserva, forKey: .reserva)
        case .diferenca(let reserva, let remarcacao):
            try caixa.encode(Diferenca(reserva: reserva, remarcacao: remarcacao), forKey: .diferenca)
        case .excedente(let reserva): try caixa.encode(reserva, forKey: .excedente)
        case .mensalidade(let usuario, let inicio):
            try caixa.encode(Mensalidade(usuario: usuario, inicio: inicio), forKey: .mensalidade)
        }
    }
}

extension CausaDaCobranca {
    /// The charge for this, of which there is one: whoever makes it, and however often, means the same stream.
    package var pagamento: PagamentoID {
        switch self {
        case .reserva(let reserva): PagamentoID(alto: reserva.alto, baixo: reserva.baixo)
        case .diferenca(let reserva, let remarcacao): .derivado(de: reserva, 1 + UInt64(truncatingIfNeeded: remarcacao))
        case .excedente(let reserva): .derivado(de: reserva, 1)
        case .mensalidade(let usuario, let inicio): .derivado(de: usuario, UInt64(bitPattern: inicio.microssegundos))
        }
    }
}

extension Identificador where Marca == MarcaDePagamento {
    /// The id of one of the charges that something may have beside the one that has its own id.
    /// - Parameter numero: More than zero.
    fileprivate static func derivado<Outra>(de outro: Identificador<Outra>, _ numero: UInt64) -> Self {
        // SplitMix64's finaliser, which is one-to-one: numbers that are near each other give bits that are not.
        var mistura = numero
        mistura = (mistura ^ mistura >> 30) &* 0xBF58_476D_1CE4_E5B9
        mistura = (mistura ^ mistura >> 27) &* 0x94D0_49BB_1331_11EB
        mistura ^= mistura >> 31
        // The upper bits of the lower half say which sort of UUID it is, and stay.
        return Self(alto: outro.alto, baixo: outro.baixo ^ (mistura & 0x3FFF_FFFF_FFFF_FFFF))
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
