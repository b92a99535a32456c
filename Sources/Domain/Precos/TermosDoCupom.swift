/// What a coupon takes off, for whom and until when.
package struct TermosDoCupom: Hashable, Sendable, Codable {
    package let desconto: DescontoDoCupom
    /// The first and last dates of the unit on which bookings may be made with it; open where absent.
    package let validoDe: DataCivil?
    package let validoAte: DataCivil?
    /// How many bookings may use it altogether.
    package let limiteDeUsos: Int
    /// How many bookings of one member; absent where only the whole counts.
    package let limitePorMembro: Int?
    /// The least that is left to pay, after plan and credits, for the coupon to apply.
    package let valorMinimo: Dinheiro?
    /// The spaces and the types of space that it is for; for all where both are empty.
    package let espacos: [EspacoID]
    package let tipos: [TipoDeEspaco]

    package init(
        desconto: DescontoDoCupom,
        validoDe: DataCivil? = nil,
        validoAte: DataCivil? = nil,
        limiteDeUsos: Int,
        limitePorMembro: Int? = nil,
        valorMinimo: Dinheiro? = nil,
        espacos: [EspacoID] = [],
        tipos: [TipoDeEspaco] = []
    ) {
        self.desconto = desconto
        self.validoDe = validoDe
        self.validoAte = validoAte
        self.limiteDeUsos = limiteDeUsos
        self.limitePorMembro = limitePorMembro
        self.valorMinimo = valorMinimo
        self.espacos = espacos
        self.tipos = tipos
    }

    /// Whether it is for this space.
    func serve(_ espaco: EspacoID, tipo: TipoDeEspaco) -> Bool {
        (espacos.isEmpty && tipos.isEmpty) || espacos.contains(espaco) || tipos.contains(tipo)
    }

    private enum CodingKeys: String, CodingKey {
        case desconto
        case validoDe = "valido_de"
        case validoAte = "valido_ate"
        case limiteDeUsos = "limite_de_usos"
        case limitePorMembro = "limite_por_membro"
        case valorMinimo = "valor_minimo"
        case espacos
        case tipos
    }
}

/// How much a coupon takes off. Stored as `{"percentual":…}` or `{"valor":…}`.
package enum DescontoDoCupom: Hashable, Sendable {
    case percentual(Percentual)
    /// Of a booking's whole price, and never more than it.
    case valor(Dinheiro)
}

extension DescontoDoCupom: Codable {
    private enum CodingKeys: String, CodingKey {
        case percentual
        case valor
    }

    package init(from decoder: any Decoder) throws {
        let caixa = try decoder.container(keyedBy: CodingKeys.self)
        if let percentual = try caixa.decodeIfPresent(Percentual.self, forKey: .percentual) {
            self = .percentual(percentual)
        } else {
            self = .valor(try caixa.decode(Dinheiro.self, forKey: .valor))
        }
    }

    package func encode(to encoder: any Encoder) throws {
        var caixa = encoder.container(keyedBy: CodingKeys.self)
        switch self {
        case .percentual(let percentual): try caixa.encode(percentual, forKey: .percentual)
        case .valor(let valor): try caixa.encode(valor, forKey: .valor)
        }
    }
}
