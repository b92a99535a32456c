import Domain
import FoundationEssentials
import Testing

/// A stored payload kept as a file named `<type>.v<version>.json`, or `<type>.v<version>.<variant>.json` beside it for what events of the
/// form may also look like.
struct Amostra: CustomTestStringConvertible {
    let forma: FormaGravada
    /// What tells it from the first of its form; nil for that one.
    let variante: String?
    let carga: [UInt8]

    /// The type, and the variant where it is one: `precos.CupomCriado`, `precos.CupomCriado.valor`.
    var nome: String { variante.map { "\(forma.tipo).\($0)" } ?? forma.tipo }

    var testDescription: String { "\(nome) v\(forma.versao)" }

    /// Each form's first before its variants.
    static func todas(arquivo: String = #filePath) throws -> [Amostra] {
        let pasta = URL(filePath: arquivo).deletingLastPathComponent().deletingLastPathComponent().appending(path: "Amostras")
        let arquivos = try FileManager.default.contentsOfDirectory(atPath: pasta.path).filter { $0.hasSuffix(".json") }
        return try arquivos.map { String($0.dropLast(".json".count)) }.sorted().map { nome in
            let partes = nome.split(separator: ".")
            let versao = try #require((3...4).contains(partes.count) ? Int(partes[2].dropFirst()) : nil, "\(nome)")
            var carga = Array(try Data(contentsOf: pasta.appending(path: "\(nome).json")))
            if carga.last == UInt8(ascii: "\n") { carga.removeLast() }
            return Amostra(
                forma: FormaGravada(tipo: "\(partes[0]).\(partes[1])", versao: versao),
                variante: partes.count == 4 ? String(partes[3]) : nil,
                carga: carga
            )
        }
    }

    /// The event of today in this payload.
    func lida() throws -> EventoDoDominio {
        try CodecDeEventos.padrao.decodificar(tipo: forma.tipo, versao: forma.versao, carga: carga)
    }
}
