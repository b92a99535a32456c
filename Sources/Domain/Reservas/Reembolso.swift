/// What a cancellation gives back, and why that much.
package struct Reembolso: Hashable, Sendable, Codable {
    package let regrasVersao: VersaoDeRegra
    /// Whole minutes between the cancellation and the start of the booking; zero once it began.
    package let antecedencia: Minutos
    /// The tier that decided; absent when none applied.
    package let faixa: FaixaDeReembolso?
    package let percentual: Percentual
    package let pago: Dinheiro
    /// Never more than what was paid.
    package let valor: Dinheiro
    /// Whether an operator set the percentage against the policy.
    package let excepcional: Bool
    /// The largest share that an earlier move at short notice left; absent where none did.
    package let limite: Percentual?

    package init(
        regrasVersao: VersaoDeRegra,
        antecedencia: Minutos,
        faixa: FaixaDeReembolso? = nil,
        percentual: Percentual,
        pago: Dinheiro,
        valor: Dinheiro,
        excepcional: Bool,
        limite: Percentual? = nil
    ) {
        self.regrasVersao = regrasVersao
        self.antecedencia = antecedencia
        self.faixa = faixa
        self.percentual = percentual
        self.pago = pago
        self.valor = valor
        self.excepcional = excepcional
        self.limite = limite
    }

    private enum CodingKeys: String, CodingKey {
        case regrasVersao = "regras_versao"
        case antecedencia = "antecedencia_min"
        case faixa
        case percentual
        case pago
        case valor
        case excepcional
        case limite
    }
}
