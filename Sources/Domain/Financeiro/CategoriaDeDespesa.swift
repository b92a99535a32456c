/// What an expense is for.
package enum CategoriaDeDespesa: String, Sendable, Codable, CaseIterable {
    case aluguel
    case energia
    case agua
    case internet
    case limpeza
    case manutencao
    case pessoal
    case suprimentos
    case marketing
    case taxas
    case impostos
    case outras

    /// As it is called in the HTTP API.
    package var codigo: String {
        switch self {
        case .aluguel: "rent"
        case .energia: "electricity"
        case .agua: "water"
        case .internet: "internet"
        case .limpeza: "cleaning"
        case .manutencao: "maintenance"
        case .pessoal: "staff"
        case .suprimentos: "supplies"
        case .marketing: "marketing"
        case .taxas: "fees"
        case .impostos: "taxes"
        case .outras: "other"
        }
    }

    package init?(codigo: String) {
        guard let categoria = Self.allCases.first(where: { $0.codigo == codigo }) else { return nil }
        self = categoria
    }

    package func nome(em idioma: Idioma) -> String {
        switch self {
        case .aluguel: idioma.escolher("Aluguel", "Rent")
        case .energia: idioma.escolher("Energia elétrica", "Electricity")
        case .agua: idioma.escolher("Água e esgoto", "Water and sewage")
        case .internet: idioma.escolher("Internet e telefonia", "Internet and telephony")
        case .limpeza: idioma.escolher("Limpeza", "Cleaning")
        case .manutencao: idioma.escolher("Manutenção", "Maintenance")
        case .pessoal: idioma.escolher("Pessoal", "Staff")
        case .suprimentos: idioma.escolher("Suprimentos", "Supplies")
        case .marketing: idioma.escolher("Marketing", "Marketing")
        case .taxas: idioma.escolher("Taxas e tarifas", "Fees")
        case .impostos: idioma.escolher("Impostos", "Taxes")
        case .outras: idioma.escolher("Outras", "Other")
        }
    }
}
