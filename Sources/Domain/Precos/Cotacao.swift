/// A price with everything it was computed from. The lines add up to the total exactly.
package struct Cotacao: Hashable, Sendable, Codable {
    package let tarifarioVersao: VersaoDeRegra
    package let plano: PlanoID
    package let planoVersao: VersaoDeRegra
    package let linhas: [LinhaDaCotacao]
    package let total: Dinheiro

    package init(
        tarifarioVersao: VersaoDeRegra,
        plano: PlanoID,
        planoVersao: VersaoDeRegra,
        linhas: [LinhaDaCotacao],
        total: Dinheiro
    ) {
        self.tarifarioVersao = tarifarioVersao
        self.plano = plano
        self.planoVersao = planoVersao
        self.linhas = linhas
        self.total = total
    }

    private enum CodingKeys: String, CodingKey {
        case tarifarioVersao = "tarifario_versao"
        case plano
        case planoVersao = "plano_versao"
        case linhas
        case total
    }
}
