/// A type that a `CargaCanonica` gives without the containers of `Codable`, whose allocations and look-ups of generic types are most of
/// what those cost. For the types inside the most frequent events; all others go through `Decodable`. An initialiser assigns
/// every property, so the compiler finds a field that it forgets, and takes names from `CodingKeys`, so both ways read the same fields.
protocol LidoDaForma {
    init(_ ficha: Int, de carga: CargaCanonica) throws(ForaDaForma)
}

/// A value that is stored as one text and read from the text's UTF-8, without a `String` in between.
protocol LidoDeTexto: LidoDaForma {
    /// `nil` when the text is not a valid value.
    init?(letras: Span<UInt8>)
}

extension LidoDeTexto {
    init(_ ficha: Int, de carga: CargaCanonica) throws(ForaDaForma) {
        self = try carga.lido(ficha)
    }
}

extension LidoDaForma where Self: RawRepresentable, RawValue == String {
    init(_ ficha: Int, de carga: CargaCanonica) throws(ForaDaForma) {
        guard let lido = Self(rawValue: try carga.texto(ficha)) else { throw ForaDaForma() }
        self = lido
    }
}

extension String: LidoDaForma {
    init(_ ficha: Int, de carga: CargaCanonica) throws(ForaDaForma) { self = try carga.texto(ficha) }
}

extension Int: LidoDaForma {
    init(_ ficha: Int, de carga: CargaCanonica) throws(ForaDaForma) { self = try carga.inteiro(ficha) }
}

extension Int64: LidoDaForma {
    init(_ ficha: Int, de carga: CargaCanonica) throws(ForaDaForma) { self = try carga.inteiro(ficha) }
}

extension Array: LidoDaForma where Element: LidoDaForma {
    init(_ ficha: Int, de carga: CargaCanonica) throws(ForaDaForma) {
        guard carga.fichas[ficha].especie == .lista else { throw ForaDaForma() }
        self = []
        let fim = Int(carga.fichas[ficha].seguinte)
        var elemento = ficha + 1
        while elemento < fim {
            append(try Element(elemento, de: carga))
            elemento = Int(carga.fichas[elemento].seguinte)
        }
    }
}

extension CargaCanonica {
    func valor<Valor: LidoDaForma>(_ chave: some CodingKey, de objeto: Int) throws(ForaDaForma) -> Valor {
        guard fichas[objeto].especie == .objeto, let campo = campo(chave.stringValue, de: objeto) else { throw ForaDaForma() }
        return try Valor(campo, de: self)
    }

    /// `nil` when the field is absent or `null`.
    func valorSeHouver<Valor: LidoDaForma>(_ chave: some CodingKey, de objeto: Int) throws(ForaDaForma) -> Valor? {
        guard fichas[objeto].especie == .objeto else { throw ForaDaForma() }
        guard let campo = campo(chave.stringValue, de: objeto), fichas[campo].especie != .nulo else { return nil }
        return try Valor(campo, de: self)
    }
}
