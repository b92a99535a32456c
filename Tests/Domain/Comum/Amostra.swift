import Domain
import FoundationEssentials
import Testing

/// A stored payload kept as a file named `<type>.v<version>.json`.
struct Amostra: CustomTestStringConvertible {
    let forma: FormaGravada
    let carga: [UInt8]

    var testDescription: String { "\(forma.tipo) v\(forma.versao)" }

    static func todas(arquivo: String = #filePath) throws -> [Amostra] {
        let pasta = URL(filePath: arquivo).deletingLastPathComponent().deletingLastPathComponent().appending(path: "Amostras")
        return try FileManager.default.contentsOfDirectory(atPath: pasta.path).filter { $0.hasSuffix(".json") }.sorted().map { nome in
            let partes = nome.split(separator: ".")
            let versao = try #require(partes.count == 4 ? Int(partes[2].dropFirst()) : nil, "\(nome)")
            var carga = Array(try Data(contentsOf: pasta.appending(path: nome)))
            if carga.last == UInt8(ascii: "\n") { carga.removeLast() }
            return Amostra(forma: FormaGravada(tipo: "\(partes[0]).\(partes[1])", versao: versao), carga: carga)
        }
    }

    /// The event of today in this payload.
    func lida() throws -> EventoDoDominio {
        try CodecDeEventos.padrao.decodificar(tipo: forma.tipo, versao: forma.versao, carga: carga)
    }
}
