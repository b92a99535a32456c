import Domain
import FoundationEssentials
import Testing

/// Samples of every form that was ever stored stay in `Amostras` for ever: what was once stored can always be read.
/// `SamplesTests` sees to it that none is changed, `CoberturaDasAmostrasTests` that they show every field and case.
@Suite struct CodecDeEventosTests {
    @Test func everyFormThatCanBeReadHasASample() throws {
        #expect(Set(try Amostra.todas().map(\.forma)) == CodecDeEventos.padrao.formas)
    }

    @Test(arguments: try Amostra.todas())
    func aSampleIsReadAndWhatIsReadCanBeWritten(_ amostra: Amostra) throws {
        let evento = try amostra.lida()
        let escrito = try CodecDeEventos.padrao.codificar(evento)

        #expect(escrito.tipo == evento.tipo)
        #expect(try CodecDeEventos.padrao.decodificar(escrito) == evento)
        // An old form is written in today's form; today's form to the same bytes.
        if FormaGravada(tipo: escrito.tipo, versao: escrito.versaoDoEsquema) == amostra.forma {
            #expect(String(decoding: escrito.carga, as: UTF8.self) == String(decoding: amostra.carga, as: UTF8.self))
        }
    }

    @Test func anUnknownTypeIsATypedError() {
        #expect(throws: ErroDeCodec.tipoDesconhecido(tipo: "reservas.NuncaHouve")) {
            try CodecDeEventos.padrao.decodificar(tipo: "reservas.NuncaHouve", versao: 1, carga: Array("{}".utf8))
        }
    }

    @Test(arguments: [0, 2])
    func aVersionThatNobodyReadsIsATypedError(_ versao: Int) {
        #expect(throws: ErroDeCodec.versaoDesconhecida(tipo: "reservas.ReservaConcluida", versao: versao)) {
            try CodecDeEventos.padrao.decodificar(tipo: "reservas.ReservaConcluida", versao: versao, carga: Array("{}".utf8))
        }
    }

    @Test func aBadPayloadNamesTheFieldAndNotItsValue() {
        let carga = #"{"sessao":"segredo","usuario":"01890a5d-ac96-774b-bcce-b302099a0001","em":"2026-03-02T12:00:00Z"}"#
        let erro = ErroDeCodec.cargaInvalida(tipo: "usuarios.LoginRealizado", versao: 1, campo: "sessao")
        #expect(throws: erro) {
            try CodecDeEventos.padrao.decodificar(tipo: "usuarios.LoginRealizado", versao: 1, carga: Array(carga.utf8))
        }
        #expect(!erro.description.contains("segredo"))
    }

    @Test func aBadPayloadNamesTheWholePathToTheField() throws {
        let amostra = try #require(try Amostra.todas().first { $0.forma.tipo == ReservaSolicitada.tipo })
        let carga = String(decoding: amostra.carga, as: UTF8.self).replacing("\"milesimos\":1250", with: "\"milesimos\":\"muito\"")
        let erro = ErroDeCodec.cargaInvalida(tipo: ReservaSolicitada.tipo, versao: 1, campo: "cotacao.linhas.Index 0.milesimos")
        #expect(throws: erro) {
            try CodecDeEventos.padrao.decodificar(tipo: ReservaSolicitada.tipo, versao: 1, carga: Array(carga.utf8))
        }
    }
}
