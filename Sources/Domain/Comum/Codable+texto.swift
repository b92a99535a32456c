extension Decoder {
    /// Reads a single string and turns it into a value; text that `ler` refuses is corrupted data.
    /// The error names no value: it may end in a log.
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
}
