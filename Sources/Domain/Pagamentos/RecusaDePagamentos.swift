/// The rules of `pagamentos` that say no.
package enum RecusaDePagamentos: Recusa {
    case pagamentoNaoEncontrado
    /// Nothing is owed for it.
    case nadaAPagar
    case jaPago
    /// Its time ran out, or what it was for was given up.
    case cobrancaEncerrada
    case tentativasDemais
    case soEquipe
    /// Nothing was paid that could be given back.
    case naoPago
    case valorInvalido
    /// Asked back is more than what is left of what was paid.
    case acimaDoPago(resto: Dinheiro)
    /// Card numbers are no business of ours: the provider's form turns them into a token.
    case numeroDeCartao
    case tokenInvalido
    case metodoIndisponivel(MetodoDePagamento)
    case justificativaObrigatoria
    /// What was taken at the desk is not what is owed.
    case valorDiferente(devido: Dinheiro)
    /// The provider gives it back, not the desk.
    case estornoDoProvedor

    package var codigo: String {
        switch self {
        case .pagamentoNaoEncontrado: "payment_not_found"
        case .nadaAPagar: "nothing_to_pay"
        case .jaPago: "already_paid"
        case .cobrancaEncerrada: "charge_closed"
        case .tentativasDemais: "too_many_attempts"
        case .soEquipe: "staff_only"
        case .naoPago: "not_paid"
        case .valorInvalido: "invalid_amount"
        case .acimaDoPago: "refund_exceeds_payment"
        case .numeroDeCartao: "card_number_refused"
        case .tokenInvalido: "invalid_card_token"
        case .metodoIndisponivel: "method_unavailable"
        case .justificativaObrigatoria: "reason_required"
        case .valorDiferente: "amount_differs"
        case .estornoDoProvedor: "refund_by_provider"
        }
    }

    package var especie: EspecieDeRecusa {
        switch self {
        case .pagamentoNaoEncontrado: .naoEncontrado
        case .soEquipe: .proibido
        case .jaPago, .cobrancaEncerrada, .acimaDoPago, .naoPago, .valorDiferente, .estornoDoProvedor: .conflito
        case .nadaAPagar, .tentativasDemais, .valorInvalido, .numeroDeCartao, .tokenInvalido, .metodoIndisponivel,
            .justificativaObrigatoria:
            .regra
        }
    }

    package func frase(em idioma: Idioma) -> String {
        switch self {
        case .pagamentoNaoEncontrado: idioma.escolher("Pagamento não encontrado.", "Payment not found.")
        case .nadaAPagar: idioma.escolher("Não há nada a pagar.", "There is nothing to pay.")
        case .jaPago: idioma.escolher("Esta cobrança já foi paga.", "This charge has already been paid.")
        case .cobrancaEncerrada:
            idioma.escolher("O prazo para pagar esta cobrança acabou.", "The time to pay this charge has run out.")
        case .tentativasDemais:
            idioma.escolher("Houve tentativas demais de pagar esta cobrança.", "There were too many tries to pay this charge.")
        case .soEquipe: idioma.escolher("Só a equipe pode fazer isso.", "Only staff may do that.")
        case .naoPago: idioma.escolher("Este pagamento não foi recebido.", "This payment has not been received.")
        case .valorInvalido: idioma.escolher("O valor deve ser maior que zero.", "The amount must be more than zero.")
        case .acimaDoPago(let resto):
            idioma.escolher("Só restam \(resto) deste pagamento.", "Only \(resto) is left of this payment.")
        case .numeroDeCartao:
            idioma.escolher(
                "Envie o token do provedor, nunca o número do cartão.",
                "Send the provider's token, never a card's number."
            )
        case .tokenInvalido:
            idioma.escolher("O token do cartão não é válido.", "The card's token is not valid.")
        case .metodoIndisponivel(.dinheiro), .metodoIndisponivel(.maquininha):
            idioma.escolher("O pagamento no balcão não está disponível.", "Payment at the desk is not available.")
        case .metodoIndisponivel(.pix): idioma.escolher("O PIX não está disponível.", "PIX is not available.")
        case .metodoIndisponivel(.cartao):
            idioma.escolher("O pagamento com cartão não está disponível.", "Payment by card is not available.")
        case .valorDiferente(let devido): idioma.escolher("O valor devido é \(devido).", "What is owed is \(devido).")
        case .estornoDoProvedor:
            idioma.escolher("Quem devolve este valor é o provedor.", "The provider gives this money back.")
        case .justificativaObrigatoria: idioma.escolher("Diga por que o valor volta.", "Say why the money goes back.")
        }
    }
}
