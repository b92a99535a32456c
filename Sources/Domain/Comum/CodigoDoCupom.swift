/// A coupon's code as members type it, in capitals: `BEMVINDO10`. It is the coupon's identity, so that finding a coupon needs no index.
package struct CodigoDoCupom: Hashable, Sendable {
    package let texto: String

    /// 3 to 40 of `A`–`Z`, `0`–`9`, `-`, `_`, beginning with a letter or a digit. Small letters are read as capitals.
    package init?(_ texto: String) {
        let letras = texto.utf8.map { (0x61...0x7A).contains($0) ? $0 - 0x20 : $0 }
        guard (3...40).contains(letras.count), Self.letraOuDigito(letras[0]) else { return nil }
        guard letras.allSatisfy({ Self.letraOuDigito($0) || $0 == UInt8(ascii: "-") || $0 == UInt8(ascii: "_") }) else { return nil }
        self.texto = String(decoding: letras, as: UTF8.self)
    }

    private static func letraOuDigito(_ letra: UInt8) -> Bool {
        (0x41...0x5A).contains(letra) || (0x30...0x39).contains(letra)
    }
}

extension CodigoDoCupom: CustomStringConvertible {
    package var description: String { texto }
}

extension CodigoDoCupom: Codable {
    package init(from decoder: any Decoder) throws {
        self = try decoder.lerTexto { CodigoDoCupom($0) }
    }

    package func encode(to encoder: any Encoder) throws {
        try encoder.escreverTexto(texto)
    }
}

extension CodigoDoCupom: LidoDaForma {
    init(_ ficha: Int, de carga: CargaCanonica) throws(ForaDaForma) {
        guard let codigo = CodigoDoCupom(try String(ficha, de: carga)) else { throw ForaDaForma() }
        self = codigo
    }
}
