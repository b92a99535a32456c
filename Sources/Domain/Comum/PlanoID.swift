/// A plan's code, as the price list and the API name it: `basic`, `premium`, `enterprise`.
/// It is the plan's identity, so that finding a plan by its code needs no index.
package struct PlanoID: Hashable, Sendable {
    package let texto: String

    /// 1 to 40 of `a`–`z`, `0`–`9`, `_`, beginning with a letter.
    package init?(_ texto: String) {
        let letras = Array(texto.utf8)
        guard (1...40).contains(letras.count), (0x61...0x7A).contains(letras[0]) else { return nil }
        guard letras.allSatisfy({ (0x61...0x7A).contains($0) || (0x30...0x39).contains($0) || $0 == 0x5F }) else { return nil }
        self.texto = texto
    }

    private init(certo texto: String) {
        self.texto = texto
    }

    /// What everyone has who subscribed to nothing.
    package static let basic = PlanoID(certo: "basic")
    package static let premium = PlanoID(certo: "premium")
    package static let enterprise = PlanoID(certo: "enterprise")
}

extension PlanoID: CustomStringConvertible {
    package var description: String { texto }
}

extension PlanoID: Codable {
    package init(from decoder: any Decoder) throws {
        self = try decoder.lerTexto { PlanoID($0) }
    }

    package func encode(to encoder: any Encoder) throws {
        try encoder.escreverTexto(texto)
    }
}

extension PlanoID: LidoDaForma {
    init(_ ficha: Int, de carga: CargaCanonica) throws(ForaDaForma) {
        guard let plano = PlanoID(try String(ficha, de: carga)) else { throw ForaDaForma() }
        self = plano
    }
}
