/// The rules of `precos` that say no.
package enum RecusaDePrecos: Recusa {
    /// What a command may get wrong; the raw value is the field's name in the HTTP API.
    package enum Campo: String, Sendable {
        case tarifas = "rates"
        case valorHora = "hourly_rate_cents"
        case tetoDiario = "daily_cap_cents"
        case multiplicadores = "multipliers"
        case nome = "name"
        case mensalidade = "monthly_fee_cents"
    }

    /// The unit has no rate for this space on that date.
    case tarifaInexistente(data: DataCivil)
    case planoInexistente(PlanoID)
    case soGestor
    case campoInvalido(Campo)
    /// Longer than any space may be booked.
    case periodoLongoDemais
    /// The amount is beyond what can be counted.
    case valorForaDosLimites

    package var codigo: String {
        switch self {
        case .tarifaInexistente: "no_tariff"
        case .planoInexistente: "plan_not_found"
        case .soGestor: "manager_only"
        case .campoInvalido: "invalid_field"
        case .periodoLongoDemais: "period_too_long"
        case .valorForaDosLimites: "amount_out_of_range"
        }
    }

    package var especie: EspecieDeRecusa {
        switch self {
        case .soGestor: .proibido
        case .tarifaInexistente, .planoInexistente, .campoInvalido, .periodoLongoDemais, .valorForaDosLimites: .regra
        }
    }

    package func frase(em idioma: Idioma) -> String {
        switch self {
        case .tarifaInexistente(let data):
            idioma.escolher("Este espaço não tem preço para \(data).", "This space has no price for \(data).")
        case .planoInexistente(let plano): idioma.escolher("O plano '\(plano)' não existe.", "There is no plan '\(plano)'.")
        case .soGestor: idioma.escolher("Só a gestão pode mudar preços.", "Only management may change prices.")
        case .campoInvalido(let campo):
            idioma.escolher("O valor de '\(campo.rawValue)' não é aceitável.", "The value of '\(campo.rawValue)' is not acceptable.")
        case .periodoLongoDemais: idioma.escolher("O período é longo demais.", "The period is too long.")
        case .valorForaDosLimites: idioma.escolher("O valor está fora dos limites.", "The amount is out of range.")
        }
    }
}
