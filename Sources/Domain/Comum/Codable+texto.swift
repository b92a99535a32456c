/// A value whose text is made of digits and plain signs only, which can be written as bytes without a `String` in between.
protocol EscritoEmTexto {
    var texto: String { get }
    func escrever(em bytes: inout [UInt8])
}

extension EscritoEmTexto {
    /// As `escrever` writes it.
    var escrito: String {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(36)
        escrever(em: &bytes)
        return String(decoding: bytes, as: UTF8.self)
    }
}

extension [UInt8] {
    /// Appends a number with as many digits as are asked for, or more when it has more.
    mutating func acrescentar(_ numero: Int, digitos: Int) {
        var escala = 10
        for _ in 1..<digitos { escala *= 10 }
        guard (0..<escala).contains(numero) else { return append(contentsOf: String(numero).utf8) }
        while escala > 1 {
            escala /= 10
            append(UInt8(ascii: "0") + UInt8(numero / escala % 10))
        }
    }
}

extension Decoder {
    /// Reads a single string and turns it into a value; text that it refuses is corrupted data.
    /// The error names no value: it may end in a log.
    func lerTexto<Valor: LidoDeTexto>() throws -> Valor {
        if let canonico = self as? ValorCanonico { return try Valor(canonico.ficha, de: canonico.carga) }
        let caixa = try singleValueContainer()
        guard let valor = Valor(letras: Array(try caixa.decode(String.self).utf8).span) else {
            throw DecodingError.dataCorruptedError(in: caixa, debugDescription: "text is not a valid \(Valor.self)")
        }
        return valor
    }

    /// The same for values that keep the text.
    func lerTexto<Valor>(_ ler: (String) -> Valor?) throws -> Valor {
        let caixa = try singleValueContainer()
        guard let valor = ler(try caixa.decode(String.self)) else {
            throw DecodingError.dataCorruptedError(in: caixa, debugDescription: "text is not a valid \(Valor.self)")
        }
        return valor
    }
}

extension Encoder {
    func escreverTexto(_ texto: String) throws {
        var caixa = singleValueContainer()
        try caixa.encode(texto)
    }

    /// Writes a value as its text.
    func escreverTexto(de valor: some EscritoEmTexto) throws {
        if let canonico = self as? CodificadorCanonico {
            canonico.escritor.rascunho.escrever(TextoSimples(valor: valor))
        } else {
            try escreverTexto(valor.texto)
        }
    }
}
