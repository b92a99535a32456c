/// An account of the ledger.
package enum ContaContabil: Hashable, Sendable {
    /// Money that is there.
    case caixa
    /// What was used and is not paid yet.
    case aReceber
    /// Paid and not used yet: owed to members as service, or as a refund.
    case receitaAntecipada
    case receitaDeReservas
    case receitaDePlanos
    /// Given back of what had been earned: it lessens the revenue.
    case estornos
    case despesas(CategoriaDeDespesa)

    /// Where an account stands in the statements.
    package enum Grupo: String, Sendable, CaseIterable {
        case ativo
        case passivo
        case receita
        case deducao
        case despesa

        /// Whether its accounts grow by debits.
        package var devedor: Bool {
            switch self {
            case .ativo, .deducao, .despesa: true
            case .passivo, .receita: false
            }
        }
    }

    package static let todas: [ContaContabil] =
        [.caixa, .aReceber, .receitaAntecipada, .receitaDeReservas, .receitaDePlanos, .estornos]
        + CategoriaDeDespesa.allCases.map(ContaContabil.despesas)

    package var grupo: Grupo {
        switch self {
        case .caixa, .aReceber: .ativo
        case .receitaAntecipada: .passivo
        case .receitaDeReservas, .receitaDePlanos: .receita
        case .estornos: .deducao
        case .despesas: .despesa
        }
    }

    /// As it is stored.
    package var texto: String {
        switch self {
        case .caixa: "caixa"
        case .aReceber: "a_receber"
        case .receitaAntecipada: "receita_antecipada"
        case .receitaDeReservas: "receita_reservas"
        case .receitaDePlanos: "receita_planos"
        case .estornos: "estornos"
        case .despesas(let categoria): "despesas:\(categoria.rawValue)"
        }
    }

    private static let porTexto = Dictionary(uniqueKeysWithValues: todas.map { ($0.texto, $0) })

    /// Reads what `texto` writes.
    package init?(_ texto: String) {
        guard let conta = Self.porTexto[texto] else { return nil }
        self = conta
    }

    /// As it is called in the HTTP API.
    package var codigo: String {
        switch self {
        case .caixa: "cash"
        case .aReceber: "receivables"
        case .receitaAntecipada: "deferred_revenue"
        case .receitaDeReservas: "booking_revenue"
        case .receitaDePlanos: "plan_revenue"
        case .estornos: "refunds"
        case .despesas(let categoria): "expenses:\(categoria.codigo)"
        }
    }

    private static let porCodigo = Dictionary(uniqueKeysWithValues: todas.map { ($0.codigo, $0) })

    /// Reads what `codigo` writes.
    package init?(codigo: String) {
        guard let conta = Self.porCodigo[codigo] else { return nil }
        self = conta
    }

    package func nome(em idioma: Idioma) -> String {
        switch self {
        case .caixa: idioma.escolher("Caixa", "Cash")
        case .aReceber: idioma.escolher("A receber", "Receivables")
        case .receitaAntecipada: idioma.escolher("Receita antecipada", "Deferred revenue")
        case .receitaDeReservas: idioma.escolher("Receita de reservas", "Booking revenue")
        case .receitaDePlanos: idioma.escolher("Receita de planos", "Plan revenue")
        case .estornos: idioma.escolher("Estornos", "Refunds")
        case .despesas(let categoria): idioma.escolher("Despesas: ", "Expenses: ") + categoria.nome(em: idioma)
        }
    }
}

extension ContaContabil: Codable {
    package init(from decoder: any Decoder) throws {
        self = try decoder.lerTexto { ContaContabil($0) }
    }

    package func encode(to encoder: any Encoder) throws {
        try encoder.escreverTexto(texto)
    }
}
