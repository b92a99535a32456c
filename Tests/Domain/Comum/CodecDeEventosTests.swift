import Domain
import FoundationEssentials
import Testing

/// One sample of every version of every event type stays in `Amostras` for ever: what was once stored can always be read.
@Suite struct CodecDeEventosTests {
    @Test func everyTypeHasASampleOfItsCurrentVersion() throws {
        let amostras = Set(try Amostra.todas().map(\.tipo))
        #expect(amostras == Set(CodecDeEventos.padrao.tipos))
    }

    @Test(arguments: try Amostra.todas())
    func aSampleIsReadAndWrittenBackToTheSameBytes(_ amostra: Amostra) throws {
        let evento = try CodecDeEventos.padrao.decodificar(tipo: amostra.tipo, versao: amostra.versao, carga: amostra.carga)
        let escrito = try CodecDeEventos.padrao.codificar(evento)

        #expect(evento.tipo == amostra.tipo)
        #expect(escrito.tipo == amostra.tipo)
        #expect(escrito.versaoDoEsquema == 1)
        #expect(String(decoding: escrito.carga, as: UTF8.self) == String(decoding: amostra.carga, as: UTF8.self))
        #expect(try CodecDeEventos.padrao.decodificar(escrito) == evento)
    }

    @Test func anUnknownTypeIsATypedError() {
        #expect(throws: ErroDeCodec.tipoDesconhecido(tipo: "reservas.NuncaHouve")) {
            try CodecDeEventos.padrao.decodificar(tipo: "reservas.NuncaHouve", versao: 1, carga: Array("{}".utf8))
        }
    }

    @Test(arguments: [0, 2])
    func aVersionWithoutPromoterIsATypedError(_ versao: Int) {
        #expect(throws: ErroDeCodec.versaoDesconhecida(tipo: "reservas.ReservaConcluida", versao: versao)) {
            try CodecDeEventos.padrao.decodificar(tipo: "reservas.ReservaConcluida", versao: versao, carga: Array("{}".utf8))
        }
    }

    @Test func anOldPayloadIsLiftedByItsPromoter() throws {
        let antiga = CodecDeEventos.VersaoDeTipo(tipo: "espacos.EspacoReativado", versao: 0)
        let codec = CodecDeEventos(promotores: [
            antiga: { carga in
                Array(String(decoding: carga, as: UTF8.self).replacing("\"quando\"", with: "\"em\"").utf8)
            }
        ])
        let id = "01890a5d-ac96-774b-bcce-b302099a0004"

        let evento = try codec.decodificar(
            tipo: antiga.tipo,
            versao: 0,
            carga: Array(#"{"espaco":"\#(id)","quando":"2026-03-02T12:00:00Z"}"#.utf8)
        )

        let espaco = try #require(EspacoID(id))
        let em = try #require(Instante("2026-03-02T12:00:00Z"))
        #expect(evento == .espacos(.espacoReativado(EspacoReativado(espaco: espaco, em: em))))
    }

    @Test func aBadPayloadNamesTheFieldAndNotItsValue() {
        let carga = #"{"sessao":"segredo","usuario":"01890a5d-ac96-774b-bcce-b302099a0001","em":"2026-03-02T12:00:00Z"}"#
        let erro = ErroDeCodec.cargaInvalida(tipo: "usuarios.LoginRealizado", versao: 1, campo: "sessao")
        #expect(throws: erro) {
            try CodecDeEventos.padrao.decodificar(tipo: "usuarios.LoginRealizado", versao: 1, carga: Array(carga.utf8))
        }
        #expect(!erro.description.contains("segredo"))
    }
}

/// A stored payload kept as a file named `<type>.v<version>.json`.
struct Amostra: CustomTestStringConvertible {
    let tipo: String
    let versao: Int
    let carga: [UInt8]

    var testDescription: String { "\(tipo) v\(versao)" }

    static func todas(arquivo: String = #filePath) throws -> [Amostra] {
        let pasta = URL(filePath: arquivo).deletingLastPathComponent().deletingLastPathComponent().appending(path: "Amostras")
        return try FileManager.default.contentsOfDirectory(atPath: pasta.path).sorted().map { nome in
            let partes = nome.split(separator: ".")
            let versao = try #require(partes.count == 4 ? Int(partes[2].dropFirst()) : nil, "\(nome)")
            var carga = Array(try Data(contentsOf: pasta.appending(path: nome)))
            if carga.last == UInt8(ascii: "\n") { carga.removeLast() }
            return Amostra(tipo: "\(partes[0]).\(partes[1])", versao: versao, carga: carga)
        }
    }
}
