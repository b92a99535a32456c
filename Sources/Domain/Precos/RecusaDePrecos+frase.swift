extension RecusaDePrecos {
    package func frase(em idioma: Idioma) -> String {
        switch self {
        case .tarifaInexistente(let data):
            idioma.escolher("Este espaço não tem preço para \(data).", "This space has no price for \(data).")
        case .planoInexistente(let plano): idioma.escolher("O plano '\(plano)' não existe.", "There is no plan '\(plano)'.")
        case .soGestor: idioma.escolher("Só a gestão pode mudar preços.", "Only management may change prices.")
        case .soEquipe: idioma.escolher("Só a equipe pode fazer isto.", "Only staff may do this.")
        case .outraUnidade:
            idioma.escolher(
                "Isto vale também onde você não trabalha: peça a quem gere todas as unidades.",
                "This holds where you do not work, too: ask somebody who manages all units."
            )
        case .campoInvalido(let campo):
            idioma.escolher("O valor de '\(campo.rawValue)' não é aceitável.", "The value of '\(campo.rawValue)' is not acceptable.")
        case .periodoLongoDemais: idioma.escolher("O período é longo demais.", "The period is too long.")
        case .valorForaDosLimites: idioma.escolher("O valor está fora dos limites.", "The amount is out of range.")
        case .cupomInexistente(let codigo): idioma.escolher("O cupom \(codigo) não existe.", "There is no coupon \(codigo).")
        case .cupomJaExiste(let codigo): idioma.escolher("O cupom \(codigo) já existe.", "Coupon \(codigo) exists already.")
        case .cupomDesativado: idioma.escolher("Este cupom foi desativado.", "This coupon has been deactivated.")
        case .cupomAindaNaoVale(let desde):
            idioma.escolher("Este cupom vale a partir de \(desde).", "This coupon is valid from \(desde).")
        case .cupomVencido(let ate): idioma.escolher("Este cupom valeu até \(ate).", "This coupon was valid until \(ate).")
        case .cupomDeOutroEspaco: idioma.escolher("Este cupom não vale para este espaço.", "This coupon is not for this space.")
        case .cupomEsgotado: idioma.escolher("Este cupom já foi usado por completo.", "This coupon is used up.")
        case .cupomJaUsado(1): idioma.escolher("Você já usou este cupom.", "You have used this coupon already.")
        case .cupomJaUsado(let vezes):
            idioma.escolher("Você já usou este cupom \(vezes) vezes.", "You have used this coupon \(vezes) times already.")
        case .cupomAbaixoDoMinimo(let minimo):
            idioma.escolher("Este cupom vale para valores a partir de \(minimo).", "This coupon is for amounts from \(minimo).")
        case .creditosInsuficientes: idioma.escolher("Os créditos não bastam.", "There are not enough credits.")
        case .planoSemAssinatura:
            idioma.escolher("Este plano é de todos: não é preciso assinar.", "Everybody has this plan: there is nothing to subscribe to.")
        case .jaAssina(let plano, nil):
            idioma.escolher("Já há uma assinatura do plano '\(plano)'.", "There is a subscription to the plan '\(plano)' already.")
        case .jaAssina(let plano, let ate?):
            idioma.escolher(
                "A assinatura do plano '\(plano)' foi cancelada e vale até \(ate).",
                "The subscription to the plan '\(plano)' was cancelled and lasts until \(ate)."
            )
        case .semAssinatura: idioma.escolher("Não há assinatura.", "There is no subscription.")
        case .renovando:
            idioma.escolher(
                "A assinatura está sendo renovada. Tente de novo em instantes.", "The subscription is being renewed. Try again in a moment."
            )
        }
    }
}
