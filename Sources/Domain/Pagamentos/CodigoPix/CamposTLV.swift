/// The fields of an EMV QR code: two digits that name the field, two that say how many characters it has, and these.
struct CamposTLV: Hashable, Sendable {
    struct Campo: Hashable, Sendable {
        let id: String
        let valor: String
    }

    private(set) var campos: [Campo] = []

    init() {}

    /// - Throws: for what is cut off, and for a field that comes twice.
    init(_ texto: String) throws(ErroDoCodigoPix) {
        // Lengths count characters (EMV QRCPS-MPM 4.1); of those that consist of several scalars, the scalars.
        let letras = Array(texto.unicodeScalars)
        var posicao = 0
        while posicao < letras.count {
            guard posicao + 4 <= letras.count, let id = Self.doisDigitos(letras[posicao..<(posicao + 2)]),
                let tamanho = Self.doisDigitos(letras[(posicao + 2)..<(posicao + 4)])
            else { throw .campoInterrompido }
            let fim = posicao + 4 + tamanho
            guard fim <= letras.count else { throw .campoInterrompido }
            let nome = id.doisDigitos
            guard self[nome] == nil else { throw .campoRepetido(nome) }
            var valor = ""
            valor.unicodeScalars.append(contentsOf: letras[(posicao + 4)..<fim])
            campos.append(Campo(id: nome, valor: valor))
            posicao = fim
        }
    }

    subscript(_ id: String) -> String? {
        campos.first { $0.id == id }?.valor
    }

    /// - Throws: `invalido` for a value of no characters, or more than 99.
    mutating func acrescentar(_ id: String, _ valor: String) throws(ErroDoCodigoPix) {
        guard (1...99).contains(valor.unicodeScalars.count) else { throw .invalido(id) }
        campos.append(Campo(id: id, valor: valor))
    }

    var texto: String {
        campos.map { $0.id + $0.valor.unicodeScalars.count.doisDigitos + $0.valor }.joined()
    }

    private static func doisDigitos(_ letras: ArraySlice<Unicode.Scalar>) -> Int? {
        letras.reduce(0) { numero, letra in
            guard let numero, ("0"..."9").contains(letra) else { return nil }
            return numero * 10 + Int(letra.value - 48)
        }
    }
}

extension Int {
    /// At least two digits.
    fileprivate var doisDigitos: String { self < 10 ? "0\(self)" : "\(self)" }
}
