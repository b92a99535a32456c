/// Decodes one value of a `CargaCanonica`. It does not say what is wrong: it throws, and Foundation looks again.
struct ValorCanonico: Decoder, SingleValueDecodingContainer {
    let carga: CargaCanonica
    let ficha: Int

    /// Empty: whoever reads the path reads it from Foundation's error.
    var codingPath: [any CodingKey] { [] }
    var userInfo: [CodingUserInfoKey: Any] { [:] }

    func container<Key: CodingKey>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> {
        guard carga.fichas[ficha].especie == .objeto else { throw ForaDaForma() }
        return KeyedDecodingContainer(ObjetoCanonico<Key>(carga: carga, ficha: ficha))
    }

    func unkeyedContainer() throws -> any UnkeyedDecodingContainer {
        try ListaCanonica(carga: carga, ficha: ficha)
    }

    func singleValueContainer() throws -> any SingleValueDecodingContainer { self }

    func decodeNil() -> Bool { carga.fichas[ficha].especie == .nulo }
    func decode(_ type: Bool.Type) throws -> Bool { try carga.booleano(ficha) }
    func decode(_ type: String.Type) throws -> String { try carga.texto(ficha) }
    func decode(_ type: Double.Type) throws -> Double { throw ForaDaForma() }
    func decode(_ type: Float.Type) throws -> Float { throw ForaDaForma() }
    func decode(_ type: Int.Type) throws -> Int { try carga.inteiro(ficha) }
    func decode(_ type: Int8.Type) throws -> Int8 { try carga.inteiro(ficha) }
    func decode(_ type: Int16.Type) throws -> Int16 { try carga.inteiro(ficha) }
    func decode(_ type: Int32.Type) throws -> Int32 { try carga.inteiro(ficha) }
    func decode(_ type: Int64.Type) throws -> Int64 { try carga.inteiro(ficha) }
    func decode(_ type: UInt.Type) throws -> UInt { try carga.inteiro(ficha) }
    func decode(_ type: UInt8.Type) throws -> UInt8 { try carga.inteiro(ficha) }
    func decode(_ type: UInt16.Type) throws -> UInt16 { try carga.inteiro(ficha) }
    func decode(_ type: UInt32.Type) throws -> UInt32 { try carga.inteiro(ficha) }
    func decode(_ type: UInt64.Type) throws -> UInt64 { try carga.inteiro(ficha) }
    func decode<T: Decodable>(_ type: T.Type) throws -> T { try T(from: self) }
}

/// The keyed container.
struct ObjetoCanonico<Key: CodingKey>: KeyedDecodingContainerProtocol {
    let carga: CargaCanonica
    let ficha: Int

    var codingPath: [any CodingKey] { [] }

    var allKeys: [Key] { carga.chaves(ficha).compactMap { Key(stringValue: $0) } }

    func contains(_ key: Key) -> Bool { carga.campo(key.stringValue, de: ficha) != nil }

    private func campo(_ key: Key) throws -> Int {
        guard let campo = carga.campo(key.stringValue, de: ficha) else { throw ForaDaForma() }
        return campo
    }

    func decodeNil(forKey key: Key) throws -> Bool { carga.fichas[try campo(key)].especie == .nulo }
    func decode(_ type: Bool.Type, forKey key: Key) throws -> Bool { try carga.booleano(campo(key)) }
    func decode(_ type: String.Type, forKey key: Key) throws -> String { try carga.texto(campo(key)) }
    func decode(_ type: Double.Type, forKey key: Key) throws -> Double { throw ForaDaForma() }
    func decode(_ type: Float.Type, forKey key: Key) throws -> Float { throw ForaDaForma() }
    func decode(_ type: Int.Type, forKey key: Key) throws -> Int { try carga.inteiro(campo(key)) }
    func decode(_ type: Int8.Type, forKey key: Key) throws -> Int8 { try carga.inteiro(campo(key)) }
    func decode(_ type: Int16.Type, forKey key: Key) throws -> Int16 { try carga.inteiro(campo(key)) }
    func decode(_ type: Int32.Type, forKey key: Key) throws -> Int32 { try carga.inteiro(campo(key)) }
    func decode(_ type: Int64.Type, forKey key: Key) throws -> Int64 { try carga.inteiro(campo(key)) }
    func decode(_ type: UInt.Type, forKey key: Key) throws -> UInt { try carga.inteiro(campo(key)) }
    func decode(_ type: UInt8.Type, forKey key: Key) throws -> UInt8 { try carga.inteiro(campo(key)) }
    func decode(_ type: UInt16.Type, forKey key: Key) throws -> UInt16 { try carga.inteiro(campo(key)) }
    func decode(_ type: UInt32.Type, forKey key: Key) throws -> UInt32 { try carga.inteiro(campo(key)) }
    func decode(_ type: UInt64.Type, forKey key: Key) throws -> UInt64 { try carga.inteiro(campo(key)) }

    func decode<T: Decodable>(_ type: T.Type, forKey key: Key) throws -> T {
        try T(from: ValorCanonico(carga: carga, ficha: campo(key)))
    }

    func decodeIfPresent<T: Decodable>(_ type: T.Type, forKey key: Key) throws -> T? {
        guard let campo = carga.campo(key.stringValue, de: ficha), carga.fichas[campo].especie != .nulo else { return nil }
        return try T(from: ValorCanonico(carga: carga, ficha: campo))
    }

    func nestedContainer<Outra: CodingKey>(keyedBy type: Outra.Type, forKey key: Key) throws -> KeyedDecodingContainer<Outra> {
        try ValorCanonico(carga: carga, ficha: campo(key)).container(keyedBy: type)
    }

    func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer {
        try ListaCanonica(carga: carga, ficha: campo(key))
    }

    func superDecoder() throws -> any Decoder { throw ForaDaForma() }
    func superDecoder(forKey key: Key) throws -> any Decoder { throw ForaDaForma() }
}

/// The unkeyed container.
struct ListaCanonica: UnkeyedDecodingContainer {
    private let carga: CargaCanonica
    private var proxima: Int
    private let fim: Int
    private(set) var currentIndex = 0

    init(carga: CargaCanonica, ficha: Int) throws {
        guard carga.fichas[ficha].especie == .lista else { throw ForaDaForma() }
        self.carga = carga
        proxima = ficha + 1
        fim = Int(carga.fichas[ficha].seguinte)
    }

    var codingPath: [any CodingKey] { [] }
    var count: Int? { nil }
    var isAtEnd: Bool { proxima == fim }

    private mutating func avancar() throws -> Int {
        guard proxima < fim else { throw ForaDaForma() }
        defer {
            proxima = Int(carga.fichas[proxima].seguinte)
            currentIndex += 1
        }
        return proxima
    }

    mutating func decodeNil() throws -> Bool {
        guard proxima < fim, carga.fichas[proxima].especie == .nulo else { return false }
        _ = try avancar()
        return true
    }

    mutating func decode(_ type: Bool.Type) throws -> Bool { try carga.booleano(avancar()) }
    mutating func decode(_ type: String.Type) throws -> String { try carga.texto(avancar()) }
    mutating func decode(_ type: Double.Type) throws -> Double { throw ForaDaForma() }
    mutating func decode(_ type: Float.Type) throws -> Float { throw ForaDaForma() }
    mutating func decode(_ type: Int.Type) throws -> Int { try carga.inteiro(avancar()) }
    mutating func decode(_ type: Int8.Type) throws -> Int8 { try carga.inteiro(avancar()) }
    mutating func decode(_ type: Int16.Type) throws -> Int16 { try carga.inteiro(avancar()) }
    mutating func decode(_ type: Int32.Type) throws -> Int32 { try carga.inteiro(avancar()) }
    mutating func decode(_ type: Int64.Type) throws -> Int64 { try carga.inteiro(avancar()) }
    mutating func decode(_ type: UInt.Type) throws -> UInt { try carga.inteiro(avancar()) }
    mutating func decode(_ type: UInt8.Type) throws -> UInt8 { try carga.inteiro(avancar()) }
    mutating func decode(_ type: UInt16.Type) throws -> UInt16 { try carga.inteiro(avancar()) }
    mutating func decode(_ type: UInt32.Type) throws -> UInt32 { try carga.inteiro(avancar()) }
    mutating func decode(_ type: UInt64.Type) throws -> UInt64 { try carga.inteiro(avancar()) }

    mutating func decode<T: Decodable>(_ type: T.Type) throws -> T {
        try T(from: ValorCanonico(carga: carga, ficha: avancar()))
    }

    mutating func nestedContainer<Key: CodingKey>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> {
        try ValorCanonico(carga: carga, ficha: avancar()).container(keyedBy: type)
    }

    mutating func nestedUnkeyedContainer() throws -> any UnkeyedDecodingContainer {
        try ListaCanonica(carga: carga, ficha: avancar())
    }

    mutating func superDecoder() throws -> any Decoder { throw ForaDaForma() }
}
