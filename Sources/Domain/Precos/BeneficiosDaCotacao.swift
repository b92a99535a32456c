/// What a price may draw on besides money.
package struct BeneficiosDaCotacao: Hashable, Sendable {
    /// Minutes of one seat.
    package let creditos: Int
    package let cupom: CupomAplicavel?

    package init(creditos: Int = 0, cupom: CupomAplicavel? = nil) {
        self.creditos = creditos
        self.cupom = cupom
    }

    package static let nenhum = BeneficiosDaCotacao()
}
