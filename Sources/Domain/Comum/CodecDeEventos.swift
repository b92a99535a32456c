import FoundationEssentials

/// An event as the log stores it.
package struct EventoCodificado: Sendable, Equatable {
    /// `context.NameInThePast`.
    package let tipo: String
    package let versaoDoEsquema: Int
    /// JSON with sorted keys: the same event always gives the same bytes.
    package let carga: [UInt8]

    package init(tipo: String, versaoDoEsquema: Int, carga: [UInt8]) {
        self.tipo = tipo
        self.versaoDoEsquema = versaoDoEsquema
        self.carga = carga
    }
}

/// Why stored bytes could not be read, or an event not written. Says nothing of what is inside them.
package enum ErroDeCodec: Error, Equatable, CustomStringConvertible {
    case tipoDesconhecido(tipo: String)
    /// Newer than this build knows, or older and nobody reads it any more.
    case versaoDesconhecida(tipo: String, versao: Int)
    case cargaInvalida(tipo: String, versao: Int, campo: String)
    /// Read as it was stored, but it could not become an event of today.
    case naoPromovido(tipo: String, versao: Int)

    package var description: String {
        switch self {
        case .tipoDesconhecido(let tipo): "unknown event type \(tipo)"
        case .versaoDesconhecida(let tipo, let versao): "unknown schema version \(versao) of \(tipo)"
        case .cargaInvalida(let tipo, let versao, let campo): "invalid payload of \(tipo) v\(versao) at '\(campo)'"
        case .naoPromovido(let tipo, let versao): "\(tipo) v\(versao) could not be lifted to what it is today"
        }
    }
}

/// Writes and reads events as bytes, for the log and for nothing else.
package struct CodecDeEventos: Sendable {
    private let leitores: [FormaGravada: LeitorDeEvento<EventoDoDominio>]

    /// The codec of this build.
    package static let padrao = CodecDeEventos(leitores: EventoDoDominio.leitores)

    /// - Parameter leitores: one a form.
    package init(leitores: [LeitorDeEvento<EventoDoDominio>]) {
        self.leitores = Dictionary(uniqueKeysWithValues: leitores.map { ($0.forma, $0) })
    }

    /// Every form that can be read, those that nobody writes any more included.
    package var formas: Set<FormaGravada> { Set(leitores.keys) }

    /// Every type that events are read as, sorted.
    package var tipos: [String] { Set(leitores.values.map(\.tipoAtual)).sorted() }

    /// The names under which events of these types are stored: their own, and those that they had before.
    package func tiposGravados(de tipos: Set<String>) -> Set<String> {
        Set(leitores.values.filter { tipos.contains($0.tipoAtual) }.map(\.forma.tipo))
    }

    package func codificar(_ evento: EventoDoDominio) throws(ErroDeCodec) -> EventoCodificado {
        try codificar(evento.evento)
    }

    private func codificar<E: Evento>(_ evento: E) throws(ErroDeCodec) -> EventoCodificado {
        if let carga = EscritorCanonico.escrever(evento) {
            return EventoCodificado(tipo: E.tipo, versaoDoEsquema: E.versaoDoEsquema, carga: carga)
        }
        let escritor = JSONEncoder()
        escritor.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        do {
            return EventoCodificado(tipo: E.tipo, versaoDoEsquema: E.versaoDoEsquema, carga: Array(try escritor.encode(evento)))
        } catch {
            throw .cargaInvalida(tipo: E.tipo, versao: E.versaoDoEsquema, campo: "")
        }
    }

    package func decodificar(_ codificado: EventoCodificado) throws(ErroDeCodec) -> EventoDoDominio {
        try decodificar(tipo: codificado.tipo, versao: codificado.versaoDoEsquema, carga: codificado.carga)
    }

    package func decodificar(tipo: String, versao: Int, carga: [UInt8]) throws(ErroDeCodec) -> EventoDoDominio {
        guard let leitor = leitores[FormaGravada(tipo: tipo, versao: versao)] else {
            throw formas.contains { $0.tipo == tipo } ? .versaoDesconhecida(tipo: tipo, versao: versao) : .tipoDesconhecido(tipo: tipo)
        }
        do {
            return try leitor.ler(LeituraDeCarga(carga: carga))
        } catch is FalhaDePromocao {
            throw .naoPromovido(tipo: tipo, versao: versao)
        } catch {
            throw .cargaInvalida(tipo: tipo, versao: versao, campo: Self.campo(do: error))
        }
    }

    /// The path to the field that failed; never its value, which may be personal.
    private static func campo(do erro: any Error) -> String {
        let caminho: [any CodingKey] =
            switch erro as? DecodingError {
            case .keyNotFound(let chave, let contexto): contexto.codingPath + [chave]
            case .typeMismatch(_, let contexto), .valueNotFound(_, let contexto), .dataCorrupted(let contexto): contexto.codingPath
            case nil: []
            @unknown default: []
            }
        return caminho.map(\.stringValue).joined(separator: ".")
    }
}

/// A payload about to be read.
///
/// Foundation alone decodes 100,000 `HorarioOcupado` and 14,500 `ReservaSolicitada` a second and core, and a replay spends most of its
/// time there. Nearly all payloads have the one form that this codec writes, and reading that form only is far less work: 400,000 and
/// 50,000 a second through `Decodable`, 950,000 and 138,000 where a type reads itself (`LidoDaForma`). What that reader does not take
/// at once is given to Foundation, which alone decides what is refused and names the field.
struct LeituraDeCarga {
    let carga: [UInt8]

    func ler<Forma: FormaDeEvento>(_ forma: Forma.Type) throws -> Forma {
        try daForma(forma) ?? JSONDecoder().decode(Forma.self, from: Data(carga))
    }

    func ler<E: Evento & LidoDaForma>(direto evento: E.Type) throws -> E {
        if let canonica = try? CargaCanonica(carga), let evento = try? E(0, de: canonica) { return evento }
        return try JSONDecoder().decode(E.self, from: Data(carga))
    }

    /// Without Foundation; `nil` when the payload has another form, or is wrong.
    func daForma<Forma: FormaDeEvento>(_ forma: Forma.Type) -> Forma? {
        guard let canonica = try? CargaCanonica(carga) else { return nil }
        return try? Forma(from: ValorCanonico(carga: canonica, ficha: 0))
    }
}
