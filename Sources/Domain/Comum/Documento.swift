/// A person's number in the register of taxpayers (CPF). Personal data: it enters events sealed only.
package struct CPF: Hashable, Sendable {
    /// Eleven digits.
    package let digitos: String

    /// Reads eleven digits with or without the usual punctuation (`529.982.247-25`); `nil` where the check digits are wrong or all
    /// digits are the same.
    package init?(_ texto: some StringProtocol) {
        guard let letras = Documento.letras(de: texto, mascara: "###.###.###-##", admiteLetras: false) else { return nil }
        guard Set(letras).count > 1 else { return nil }
        let base = letras.prefix(9).map(Documento.valor)
        let primeiro = Documento.digito(base, pesos: Array((2...10).reversed()))
        let segundo = Documento.digito(base + [primeiro], pesos: Array((2...11).reversed()))
        guard letras.suffix(2).map(Documento.valor) == [primeiro, segundo] else { return nil }
        digitos = String(decoding: letras, as: UTF8.self)
    }

    /// As people write it.
    package var formatado: String { Documento.formatar(digitos, mascara: "###.###.###-##") }
}

/// A company's number in the register of legal entities (CNPJ), which has letters too since July 2026 (RFB 2229/2024).
package struct CNPJ: Hashable, Sendable {
    /// Fourteen: letters and digits, the last two digits.
    package let caracteres: String

    /// Reads fourteen characters with or without the usual punctuation (`12.ABC.345/01DE-35`), small letters too; `nil` where the
    /// check digits are wrong or all characters are the same.
    package init?(_ texto: some StringProtocol) {
        guard let letras = Documento.letras(de: texto, mascara: "##.###.###/####-##", admiteLetras: true) else { return nil }
        guard Set(letras).count > 1 else { return nil }
        let base = letras.prefix(12).map(Documento.valor)
        let primeiro = Documento.digito(base, pesos: [5, 4, 3, 2, 9, 8, 7, 6, 5, 4, 3, 2])
        let segundo = Documento.digito(base + [primeiro], pesos: [6, 5, 4, 3, 2, 9, 8, 7, 6, 5, 4, 3, 2])
        guard letras.suffix(2).map(Documento.valor) == [primeiro, segundo] else { return nil }
        caracteres = String(decoding: letras, as: UTF8.self)
    }

    /// As people write it.
    package var formatado: String { Documento.formatar(caracteres, mascara: "##.###.###/####-##") }
}

private enum Documento {
    /// The characters that count, in upper case: the text is all of them in a row, or punctuated as the mask says.
    static func letras(de texto: some StringProtocol, mascara: String, admiteLetras: Bool) -> [UInt8]? {
        let bytes = Array(texto.utf8)
        let mascara = Array(mascara.utf8)
        let contadas = mascara.filter { $0 == UInt8(ascii: "#") }.count
        guard bytes.count == contadas || bytes.count == mascara.count else { return nil }
        var letras: [UInt8] = []
        for (posicao, byte) in bytes.enumerated() {
            if bytes.count == mascara.count, mascara[posicao] != UInt8(ascii: "#") {
                guard byte == mascara[posicao] else { return nil }
                continue
            }
            switch byte {
            case UInt8(ascii: "0")...UInt8(ascii: "9"): letras.append(byte)
            case UInt8(ascii: "A")...UInt8(ascii: "Z") where admiteLetras: letras.append(byte)
            case UInt8(ascii: "a")...UInt8(ascii: "z") where admiteLetras: letras.append(byte - 32)
            default: return nil
            }
        }
        // The check digits are digits.
        guard letras.suffix(2).allSatisfy({ $0 <= UInt8(ascii: "9") }) else { return nil }
        return letras
    }

    static func valor(_ letra: UInt8) -> Int { Int(letra) - 48 }

    static func digito(_ valores: [Int], pesos: [Int]) -> Int {
        let resto = zip(valores, pesos).reduce(0) { $0 + $1.0 * $1.1 } % 11
        return resto < 2 ? 0 : 11 - resto
    }

    static func formatar(_ caracteres: String, mascara: String) -> String {
        var restantes = caracteres[...]
        return String(mascara.map { $0 == "#" ? restantes.removeFirst() : $0 })
    }
}
