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
    /// Newer than this build knows, or older with no promoter registered.
    case versaoDesconhecida(tipo: String, versao: Int)
    case cargaInvalida(tipo: String, versao: Int, campo: String)

    package var description: String {
        switch self {
        case .tipoDesconhecido(let tipo): "unknown event type \(tipo)"
        case .versaoDesconhecida(let tipo, let versao): "unknown schema version \(versao) of \(tipo)"
        case .cargaInvalida(let tipo, let versao, let campo): "invalid payload of \(tipo) v\(versao) at '\(campo)'"
        }
    }
}

/// Writes and reads events as bytes, for the log and for nothing else.
package struct CodecDeEventos: Sendable {
    /// Lifts the payload of one version of a type to the next.
    package typealias Promotor = @Sendable ([UInt8]) throws -> [UInt8]

    /// Names the version of a type that a promoter lifts from.
    package struct VersaoDeTipo: Hashable, Sendable {
        package let tipo: String
        package let versao: Int

        package init(tipo: String, versao: Int) {
            self.tipo = tipo
            self.versao = versao
        }
    }

    private let leitores: [String: LeitorDeEvento<EventoDoDominio>]
    private let promotores: [VersaoDeTipo: Promotor]

    /// The codec of this build: every type, every promoter.
    package static let padrao = CodecDeEventos(promotores: [:])

    package init(promotores: [VersaoDeTipo: Promotor]) {
        self.promotores = promotores
        leitores = Dictionary(uniqueKeysWithValues: EventoDoDominio.leitores.map { ($0.tipo, $0) })
    }

    /// Every type this build can read, sorted.
    package var tipos: [String] { leitores.keys.sorted() }

    package func codificar(_ evento: EventoDoDominio) throws(ErroDeCodec) -> EventoCodificado {
        try codificar(evento.evento)
    }

    private func codificar<E: Evento>(_ evento: E) throws(ErroDeCodec) -> EventoCodificado {
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
        guard let leitor = leitores[tipo] else { throw .tipoDesconhecido(tipo: tipo) }
        guard versao <= leitor.versaoDoEsquema else { throw .versaoDesconhecida(tipo: tipo, versao: versao) }
        var carga = carga
        for anterior in versao..<leitor.versaoDoEsquema {
            guard let promotor = promotores[VersaoDeTipo(tipo: tipo, versao: anterior)] else {
                throw .versaoDesconhecida(tipo: tipo, versao: versao)
            }
            do { carga = try promotor(carga) } catch { throw .cargaInvalida(tipo: tipo, versao: anterior, campo: "") }
        }
        do {
            return try leitor.ler(LeituraDeCarga(carga: carga))
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
struct LeituraDeCarga {
    let carga: [UInt8]

    func ler<E: Evento>(_ tipo: E.Type) throws -> E {
        if let canonica = try? CargaCanonica(carga), let evento = try? E(from: ValorCanonico(carga: canonica, ficha: 0)) { return evento }
        return try JSONDecoder().decode(E.self, from: Data(carga))
    }

    func ler<E: Evento & LidoDaForma>(direto tipo: E.Type) throws -> E {
        if let canonica = try? CargaCanonica(carga), let evento = try? E(0, de: canonica) { return evento }
        return try JSONDecoder().decode(E.self, from: Data(carga))
    }
}
