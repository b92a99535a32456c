/// Encodes one value with an `EscritorCanonico`.
struct CodificadorCanonico: Encoder, SingleValueEncodingContainer {
    let escritor: EscritorCanonico

    /// Empty: whoever reads the path reads it from Foundation's error.
    var codingPath: [any CodingKey] { [] }
    var userInfo: [CodingUserInfoKey: Any] { [:] }

    func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
        escritor.rascunho.abrir(lista: false)
        return KeyedEncodingContainer(ObjetoEscrito<Key>(escritor: escritor))
    }

    func unkeyedContainer() -> any UnkeyedEncodingContainer {
        escritor.rascunho.abrir(lista: true)
        return ListaEscrita(escritor: escritor)
    }

    func singleValueContainer() -> any SingleValueEncodingContainer { self }

    func encodeNil() { escritor.rascunho.escrever(Nulo()) }
    func encode(_ value: Bool) { escritor.rascunho.escrever(value) }
    func encode(_ value: String) { escritor.rascunho.escrever(value) }
    func encode(_ value: Double) { escritor.rascunho.desistir() }
    func encode(_ value: Float) { escritor.rascunho.desistir() }
    func encode(_ value: Int) { escritor.rascunho.escrever(value) }
    func encode(_ value: Int8) { escritor.rascunho.escrever(value) }
    func encode(_ value: Int16) { escritor.rascunho.escrever(value) }
    func encode(_ value: Int32) { escritor.rascunho.escrever(value) }
    func encode(_ value: Int64) { escritor.rascunho.escrever(value) }
    func encode(_ value: UInt) { escritor.rascunho.escrever(value) }
    func encode(_ value: UInt8) { escritor.rascunho.escrever(value) }
    func encode(_ value: UInt16) { escritor.rascunho.escrever(value) }
    func encode(_ value: UInt32) { escritor.rascunho.escrever(value) }
    func encode(_ value: UInt64) { escritor.rascunho.escrever(value) }
    func encode<T: Encodable>(_ value: T) throws { try value.encode(to: self) }
}

/// The keyed container.
struct ObjetoEscrito<Key: CodingKey>: KeyedEncodingContainerProtocol {
    let escritor: EscritorCanonico

    var codingPath: [any CodingKey] { [] }

    func encodeNil(forKey key: Key) { escritor.rascunho.escrever(Nulo(), membro: key.stringValue) }
    func encode(_ value: Bool, forKey key: Key) { escritor.rascunho.escrever(value, membro: key.stringValue) }
    func encode(_ value: String, forKey key: Key) { escritor.rascunho.escrever(value, membro: key.stringValue) }
    func encode(_ value: Double, forKey key: Key) { escritor.rascunho.desistir() }
    func encode(_ value: Float, forKey key: Key) { escritor.rascunho.desistir() }
    func encode(_ value: Int, forKey key: Key) { escritor.rascunho.escrever(value, membro: key.stringValue) }
    func encode(_ value: Int8, forKey key: Key) { escritor.rascunho.escrever(value, membro: key.stringValue) }
    func encode(_ value: Int16, forKey key: Key) { escritor.rascunho.escrever(value, membro: key.stringValue) }
    func encode(_ value: Int32, forKey key: Key) { escritor.rascunho.escrever(value, membro: key.stringValue) }
    func encode(_ value: Int64, forKey key: Key) { escritor.rascunho.escrever(value, membro: key.stringValue) }
    func encode(_ value: UInt, forKey key: Key) { escritor.rascunho.escrever(value, membro: key.stringValue) }
    func encode(_ value: UInt8, forKey key: Key) { escritor.rascunho.escrever(value, membro: key.stringValue) }
    func encode(_ value: UInt16, forKey key: Key) { escritor.rascunho.escrever(value, membro: key.stringValue) }
    func encode(_ value: UInt32, forKey key: Key) { escritor.rascunho.escrever(value, membro: key.stringValue) }
    func encode(_ value: UInt64, forKey key: Key) { escritor.rascunho.escrever(value, membro: key.stringValue) }
    func encode<T: Encodable>(_ value: T, forKey key: Key) throws { try escritor.escrever(value, membro: key.stringValue) }

    func nestedContainer<Outra: CodingKey>(keyedBy type: Outra.Type, forKey key: Key) -> KeyedEncodingContainer<Outra> {
        escritor.rascunho.desistir()
        return KeyedEncodingContainer(ObjetoEscrito<Outra>(escritor: escritor))
    }

    func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer {
        escritor.rascunho.desistir()
        return ListaEscrita(escritor: escritor)
    }

    func superEncoder() -> any Encoder {
        escritor.rascunho.desistir()
        return CodificadorCanonico(escritor: escritor)
    }

    func superEncoder(forKey key: Key) -> any Encoder { superEncoder() }
}

/// The unkeyed container.
struct ListaEscrita: UnkeyedEncodingContainer {
    let escritor: EscritorCanonico
    private(set) var count = 0

    init(escritor: EscritorCanonico) {
        self.escritor = escritor
    }

    var codingPath: [any CodingKey] { [] }

    mutating func encodeNil() { elemento(Nulo()) }
    mutating func encode(_ value: Bool) { elemento(value) }
    mutating func encode(_ value: String) { elemento(value) }
    mutating func encode(_ value: Double) { escritor.rascunho.desistir() }
    mutating func encode(_ value: Float) { escritor.rascunho.desistir() }
    mutating func encode(_ value: Int) { elemento(value) }
    mutating func encode(_ value: Int8) { elemento(value) }
    mutating func encode(_ value: Int16) { elemento(value) }
    mutating func encode(_ value: Int32) { elemento(value) }
    mutating func encode(_ value: Int64) { elemento(value) }
    mutating func encode(_ value: UInt) { elemento(value) }
    mutating func encode(_ value: UInt8) { elemento(value) }
    mutating func encode(_ value: UInt16) { elemento(value) }
    mutating func encode(_ value: UInt32) { elemento(value) }
    mutating func encode(_ value: UInt64) { elemento(value) }

    mutating func encode<T: Encodable>(_ value: T) throws {
        try escritor.escrever(value, membro: nil)
        count += 1
    }

    private mutating func elemento(_ valor: some EscalarCanonico) {
        escritor.rascunho.escrever(elemento: valor)
        count += 1
    }

    mutating func nestedContainer<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
        escritor.rascunho.desistir()
        return KeyedEncodingContainer(ObjetoEscrito<Key>(escritor: escritor))
    }

    mutating func nestedUnkeyedContainer() -> any UnkeyedEncodingContainer {
        escritor.rascunho.desistir()
        return self
    }

    mutating func superEncoder() -> any Encoder {
        escritor.rascunho.desistir()
        return CodificadorCanonico(escritor: escritor)
    }
}
