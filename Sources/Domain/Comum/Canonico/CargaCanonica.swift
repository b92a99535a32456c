/// A payload in the form that `CodecDeEventos` writes, indexed in one pass: objects, arrays, texts, whole numbers, `true`, `false` and
/// `null`; no white space, keys in plain ASCII, no `\u`, no fractions. Whatever is outside this form is `ForaDaForma`, valid JSON or not.
final class CargaCanonica: Sendable {
    /// One value or key. Those inside a value follow it; keys and values alternate in an object.
    struct Ficha {
        let especie: Especie
        /// Where the value begins in the payload; a text without its quotes.
        let inicio: UInt32
        /// One past its end.
        var fim: UInt32
        /// The index of what follows this value and all inside it.
        var seguinte: UInt32
    }

    enum Especie: UInt8 {
        case objeto
        case lista
        case texto
        case textoComEscapes
        case numero
        case verdadeiro
        case falso
        case nulo
    }

    let bytes: [UInt8]
    let fichas: [Ficha]

    init(_ bytes: [UInt8]) throws(ForaDaForma) {
        guard bytes.count < Int(UInt32.max) else { throw ForaDaForma() }
        self.bytes = bytes
        // No value or key takes less than two bytes with the separator that it needs.
        fichas = try [Ficha](capacity: bytes.count / 2 + 1) { (fichas: inout OutputSpan<Ficha>) throws(ForaDaForma) in
            var indexador = Indexador()
            try indexador.indexar(bytes.span, em: &fichas)
        }
    }
}

/// Not in the form that `CargaCanonica` reads; or in it, but not what the type wanted. Foundation has to decide.
struct ForaDaForma: Error {}

/// The pass over the bytes.
private struct Indexador {
    typealias Fichas = OutputSpan<CargaCanonica.Ficha>

    private var posicao = 0

    mutating func indexar(_ bytes: Span<UInt8>, em fichas: inout Fichas) throws(ForaDaForma) {
        try valor(bytes, &fichas, fundo: 0)
        guard posicao == bytes.count else { throw ForaDaForma() }
    }

    private mutating func valor(_ bytes: Span<UInt8>, _ fichas: inout Fichas, fundo: Int) throws(ForaDaForma) {
        switch try atual(bytes) {
        case UInt8(ascii: "\""): try texto(bytes, &fichas)
        case UInt8(ascii: "{"): try objeto(bytes, &fichas, fundo: fundo)
        case UInt8(ascii: "["): try lista(bytes, &fichas, fundo: fundo)
        case UInt8(ascii: "t"): try palavra("true", .verdadeiro, bytes, &fichas)
        case UInt8(ascii: "f"): try palavra("false", .falso, bytes, &fichas)
        case UInt8(ascii: "n"): try palavra("null", .nulo, bytes, &fichas)
        default: try numero(bytes, &fichas)
        }
    }

    private mutating func objeto(_ bytes: Span<UInt8>, _ fichas: inout Fichas, fundo: Int) throws(ForaDaForma) {
        let ficha = try abrir(.objeto, &fichas, fundo: fundo)
        if try atual(bytes) == UInt8(ascii: "}") { return fechar(ficha, &fichas) }
        while true {
            try chave(bytes, &fichas)
            guard try atual(bytes) == UInt8(ascii: ":") else { throw ForaDaForma() }
            posicao += 1
            try valor(bytes, &fichas, fundo: fundo + 1)
            switch try atual(bytes) {
            case UInt8(ascii: ","): posicao += 1
            case UInt8(ascii: "}"): return fechar(ficha, &fichas)
            default: throw ForaDaForma()
            }
        }
    }

    private mutating func lista(_ bytes: Span<UInt8>, _ fichas: inout Fichas, fundo: Int) throws(ForaDaForma) {
        let ficha = try abrir(.lista, &fichas, fundo: fundo)
        if try atual(bytes) == UInt8(ascii: "]") { return fechar(ficha, &fichas) }
        while true {
            try valor(bytes, &fichas, fundo: fundo + 1)
            switch try atual(bytes) {
            case UInt8(ascii: ","): posicao += 1
            case UInt8(ascii: "]"): return fechar(ficha, &fichas)
            default: throw ForaDaForma()
            }
        }
    }

    private mutating func abrir(_ especie: CargaCanonica.Especie, _ fichas: inout Fichas, fundo: Int) throws(ForaDaForma) -> Int {
        // Our events are six deep; the limit keeps hostile bytes off the stack.
        guard fundo < 64 else { throw ForaDaForma() }
        let inicio = posicao
        posicao += 1
        registrar(especie, de: inicio, &fichas)
        return fichas.count - 1
    }

    private mutating func fechar(_ ficha: Int, _ fichas: inout Fichas) {
        posicao += 1
        fichas[ficha].fim = UInt32(posicao)
        fichas[ficha].seguinte = UInt32(fichas.count)
    }

    private mutating func chave(_ bytes: Span<UInt8>, _ fichas: inout Fichas) throws(ForaDaForma) {
        guard try atual(bytes) == UInt8(ascii: "\"") else { throw ForaDaForma() }
        let inicio = posicao + 1
        posicao = inicio
        while true {
            let byte = try atual(bytes)
            if byte == UInt8(ascii: "\"") { break }
            guard byte >= 0x20, byte < 0x80, byte != UInt8(ascii: "\\") else { throw ForaDaForma() }
            posicao += 1
        }
        registrar(.texto, de: inicio, &fichas)
        posicao += 1
    }

    private mutating func texto(_ bytes: Span<UInt8>, _ fichas: inout Fichas) throws(ForaDaForma) {
        let inicio = posicao + 1
        var especie = CargaCanonica.Especie.texto
        posicao = inicio
        while true {
            let byte = try atual(bytes)
            if byte == UInt8(ascii: "\"") { break }
            if byte == UInt8(ascii: "\\") {
                especie = .textoComEscapes
                posicao += 1
                guard try atual(bytes) != UInt8(ascii: "u") else { throw ForaDaForma() }
            } else if byte < 0x20 {
                throw ForaDaForma()
            }
            posicao += 1
        }
        registrar(especie, de: inicio, &fichas)
        posicao += 1
    }

    private mutating func numero(_ bytes: Span<UInt8>, _ fichas: inout Fichas) throws(ForaDaForma) {
        let inicio = posicao
        if try atual(bytes) == UInt8(ascii: "-") { posicao += 1 }
        let primeiro = posicao
        while posicao < bytes.count, (0x30...0x39).contains(bytes[posicao]) { posicao += 1 }
        guard posicao > primeiro, bytes[primeiro] != 0x30 || posicao == primeiro + 1 else { throw ForaDaForma() }
        registrar(.numero, de: inicio, &fichas)
    }

    private mutating func palavra(
        _ palavra: StaticString, _ especie: CargaCanonica.Especie, _ bytes: Span<UInt8>, _ fichas: inout Fichas
    ) throws(ForaDaForma) {
        let inicio = posicao
        for letra in "\(palavra)".utf8 {
            guard try atual(bytes) == letra else { throw ForaDaForma() }
            posicao += 1
        }
        registrar(especie, de: inicio, &fichas)
    }

    private func registrar(_ especie: CargaCanonica.Especie, de inicio: Int, _ fichas: inout Fichas) {
        fichas.append(
            CargaCanonica.Ficha(especie: especie, inicio: UInt32(inicio), fim: UInt32(posicao), seguinte: UInt32(fichas.count + 1))
        )
    }

    private func atual(_ bytes: Span<UInt8>) throws(ForaDaForma) -> UInt8 {
        guard posicao < bytes.count else { throw ForaDaForma() }
        return bytes[posicao]
    }
}
