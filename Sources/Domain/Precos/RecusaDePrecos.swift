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
        case creditosMensais = "included_minutes"
        case mesesDeValidade = "credit_months"
        case percentual = "percent"
        case valor = "amount_cents"
        case validoAte = "valid_to"
        case limiteDeUsos = "max_uses"
        case limitePorMembro = "max_uses_per_member"
        case valorMinimo = "minimum_cents"
        case espacos = "space_ids"
        case minutos = "minutes"
        case expiraEm = "expires_at"
    }

    /// The unit has no rate for this space on that date.
    case tarifaInexistente(data: DataCivil)
    case planoInexistente(PlanoID)
    case soGestor
    case soEquipe
    /// It holds for units that they do not work for.
    case outraUnidade
    case campoInvalido(Campo)
    /// Longer than any space may be booked.
    case periodoLongoDemais
    /// The amount is beyond what can be counted.
    case valorForaDosLimites
    case cupomInexistente(CodigoDoCupom)
    case cupomJaExiste(CodigoDoCupom)
    case cupomDesativado
    case cupomAindaNaoVale(desde: DataCivil)
    case cupomVencido(ate: DataCivil)
    case cupomDeOutroEspaco
    /// As many bookings use it as may.
    case cupomEsgotado
    /// As many bookings of this member use it as may.
    case cupomJaUsado(vezes: Int)
    case cupomAbaixoDoMinimo(Dinheiro)
    /// What a booking used was given back, and used for something else since.
    case creditosInsuficientes
    /// Everybody has it.
    case planoSemAssinatura
    /// - Parameter ate: the local date on which it ends; `nil` where it goes on.
    case jaAssina(plano: PlanoID, ate: DataCivil?)
    case semAssinatura
    /// The period is over, and the next has not begun yet.
    case renovando

    package var codigo: String {
        switch self {
        case .tarifaInexistente: "no_tariff"
        case .planoInexistente: "plan_not_found"
        case .soGestor: "manager_only"
        case .soEquipe: "staff_only"
        case .outraUnidade: "other_unit"
        case .campoInvalido: "invalid_field"
        case .periodoLongoDemais: "period_too_long"
        case .valorForaDosLimites: "amount_out_of_range"
        case .cupomInexistente: "coupon_not_found"
        case .cupomJaExiste: "coupon_exists"
        case .cupomDesativado: "coupon_inactive"
        case .cupomAindaNaoVale: "coupon_not_yet_valid"
        case .cupomVencido: "coupon_expired"
        case .cupomDeOutroEspaco: "coupon_not_for_space"
        case .cupomEsgotado: "coupon_used_up"
        case .cupomJaUsado: "coupon_already_used"
        case .cupomAbaixoDoMinimo: "coupon_minimum"
        case .creditosInsuficientes: "not_enough_credits"
        case .planoSemAssinatura: "plan_not_subscribable"
        case .jaAssina: "already_subscribed"
        case .semAssinatura: "not_subscribed"
        case .renovando: "subscription_renewing"
        }
    }

    package var especie: EspecieDeRecusa {
        switch self {
        case .soGestor, .soEquipe, .outraUnidade: .proibido
        case .cupomJaExiste, .cupomEsgotado, .cupomJaUsado, .creditosInsuficientes, .jaAssina, .renovando: .conflito
        case .semAssinatura: .naoEncontrado
        case .tarifaInexistente, .planoInexistente, .campoInvalido, .periodoLongoDemais, .valorForaDosLimites, .cupomInexistente,
            .cupomDesativado, .cupomAindaNaoVale, .cupomVencido, .cupomDeOutroEspaco, .cupomAbaixoDoMinimo, .planoSemAssinatura:
            .regra
        }
    }
}
