/// What a provider keeps a card under. Never stored: it passes through to the provider. Whatever could be a card's number is refused,
/// so that none comes into our memory further than this.
package struct TokenDeCartao: Hashable, Sendable {
    package let texto: String

    package init(_ texto: String) throws(RecusaDePagamentos) {
        guard !Self.pareceNumero(texto) else { throw .numeroDeCartao }
        let permitidos = texto.utf8.allSatisfy { letra in
            switch letra {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"): true
            case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), UInt8(ascii: "-"), UInt8(ascii: "."): true
            default: false
            }
        }
        guard permitidos, (8...200).contains(texto.utf8.count) else { throw .tokenInvalido }
        self.texto = texto
    }

    /// Twelve to nineteen digits that are the whole text but for separators, or a run of thirteen to nineteen in it that passes the
    /// check of card numbers (ISO/IEC 7812).
    package static func pareceNumero(_ texto: String) -> Bool {
        let outros = texto.unicodeScalars.filter { !("0"..."9").contains($0) && !" -./_".unicodeScalars.contains($0) }
        let algarismos = texto.utf8.filter { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
        if outros.isEmpty && algarismos.count >= 12 { return true }
        var corrida: [UInt8] = []
        for letra in Array(texto.utf8) + [0] {
            if (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(letra) {
                corrida.append(letra - UInt8(ascii: "0"))
            } else if ![UInt8(ascii: " "), UInt8(ascii: "-")].contains(letra) {
                if (13...19).contains(corrida.count), passaEmLuhn(corrida) { return true }
                corrida = []
            }
        }
        return false
    }

    private static func passaEmLuhn(_ algarismos: [UInt8]) -> Bool {
        let soma = algarismos.reversed().enumerated().reduce(0) { soma, item in
            let dobro = Int(item.element) * 2
            return soma + (item.offset.isMultiple(of: 2) ? Int(item.element) : dobro > 9 ? dobro - 9 : dobro)
        }
        return soma.isMultiple(of: 10)
    }
}
