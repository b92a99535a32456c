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
}
