/// What an entry is about.
package enum AssuntoDoLancamento: Hashable, Sendable {
    case reserva(ReservaID)
    /// A member's subscription.
    case assinatura(UsuarioID)
    case despesa(DespesaID)
}

extension AssuntoDoLancamento: Codable {
    private enum CodingKeys: String, CodingKey, CaseIterable {
        case reserva
        case assinatura
        case despesa
    }

    package init(from decoder: any Decoder) throws {
        let caixa = try decoder.container(keyedBy: CodingKeys.self)
        if let reserva = try caixa.decodeIfPresent(ReservaID.self, forKey: .reserva) {
            self = .reserva(reserva)
        } else if let assinatura = try caixa.decodeIfPresent(UsuarioID.self, forKey: .assinatura) {
            self = .assinatura(assinatura)
        } else {
            self = .despesa(try caixa.decode(DespesaID.self, forKey: .despesa))
        }
    }

    package func encode(to encoder: any Encoder) throws {
        var caixa = encoder.container(keyedBy: CodingKeys.self)
        switch self {
        case .reserva(let reserva): try caixa.encode(reserva, forKey: .reserva)
        case .assinatura(let usuario): try caixa.encode(usuario, forKey: .assinatura)
        case .despesa(let despesa): try caixa.encode(despesa, forKey: .despesa)
        }
    }
}

/// The event that an entry follows from.
package struct CausaDoLancamento: Hashable, Sendable, Codable {
    package let evento: EventoID
    /// `context.NameInThePast`.
    package let tipo: String
    /// The stream that it is in.
    package let fluxo: String

    package init(evento: EventoID, tipo: String, fluxo: String) {
        self.evento = evento
        self.tipo = tipo
        self.fluxo = fluxo
    }
}
