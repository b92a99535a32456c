import FoundationEssentials
import Testing

@testable import Domain

/// What docs/adding.md tells to do when an event changes, done to an event of these tests. It changed four times: a field was renamed,
/// one was added, the type was renamed, and what it told of cleaning became an event of its own.
@Suite struct EvolucaoTests {
    private static let espaco = "01890a5d-ac96-774b-bcce-b302099a0004"
    private static let pessoa = "01890a5d-ac96-774b-bcce-b302099a0001"

    private static let codec = CodecDeEventos(
        leitores: EventoDoDominio.leitores + [
            LeitorDeEvento(EspacoVistoriado.self, caso),
            LeitorDeEvento(antigo: EspacoVistoriadoV1.self, caso),
            LeitorDeEvento(antigo: SalaVistoriadaV3.self, caso),
            LeitorDeEvento(antigo: SalaVistoriadaV2.self, caso),
            LeitorDeEvento(antigo: SalaVistoriadaV1.self, caso),
        ]
    )

    /// The domain has no case for the event of these tests: another stands for it.
    private static func caso(_ evento: EspacoVistoriado) -> EventoDoDominio {
        .espacos(.espacoReativado(EspacoReativado(espaco: evento.espaco, em: evento.em)))
    }

    /// Each form as it was stored, and what is read today.
    private static let formas: [(tipo: String, versao: Int, carga: String, aprovada: Bool, limpoPor: String?)] = [
        ("espacos.SalaVistoriada", 1, #"{"quando":"2026-03-02T12:00:00Z","sala":"\#(espaco)"}"#, true, nil),
        ("espacos.SalaVistoriada", 2, #"{"em":"2026-03-02T12:00:00Z","sala":"\#(espaco)"}"#, true, nil),
        ("espacos.SalaVistoriada", 3, #"{"aprovada":false,"em":"2026-03-02T12:00:00Z","sala":"\#(espaco)"}"#, false, nil),
        (
            "espacos.EspacoVistoriado", 1,
            #"{"aprovada":true,"em":"2026-03-02T12:00:00Z","espaco":"\#(espaco)","limpo_por":"\#(pessoa)"}"#, true, pessoa
        ),
        ("espacos.EspacoVistoriado", 2, #"{"aprovada":false,"em":"2026-03-02T12:00:00Z","espaco":"\#(espaco)"}"#, false, nil),
    ]

    @Test(arguments: formas)
    func everyFormIsReadAsTheEventOfToday(tipo: String, versao: Int, carga: String, aprovada: Bool, limpoPor: String?) throws {
        let em = try instante("2026-03-02T12:00:00Z")
        let espaco = try #require(EspacoID(Self.espaco))
        let limpeza = try limpoPor.map { EspacoLimpo(espaco: espaco, por: try #require(UsuarioID($0)), em: em) }

        let bytes = LeituraDeCarga(carga: Array(carga.utf8))
        let lido: EspacoVistoriado =
            switch (tipo, versao) {
            case (SalaVistoriadaV1.tipo, 1): try bytes.ler(SalaVistoriadaV1.self).atual()
            case (SalaVistoriadaV2.tipo, 2): try bytes.ler(SalaVistoriadaV2.self).atual()
            case (SalaVistoriadaV3.tipo, 3): try bytes.ler(SalaVistoriadaV3.self).atual()
            case (EspacoVistoriadoV1.tipo, 1): try bytes.ler(EspacoVistoriadoV1.self).atual()
            default: try bytes.ler(EspacoVistoriado.self)
            }
        #expect(lido == EspacoVistoriado(espaco: espaco, em: em, aprovada: aprovada, limpezaJunta: limpeza))
        #expect(try Self.codec.decodificar(tipo: tipo, versao: versao, carga: Array(carga.utf8)) == Self.caso(lido))
    }

    @Test(arguments: [("espacos.SalaVistoriada", 4), ("espacos.SalaVistoriada", 0), ("espacos.EspacoVistoriado", 3)])
    func aFormThatNobodyReadsIsRefused(tipo: String, versao: Int) {
        #expect(throws: ErroDeCodec.versaoDesconhecida(tipo: tipo, versao: versao)) {
            try Self.codec.decodificar(tipo: tipo, versao: versao, carga: Array("{}".utf8))
        }
    }

    @Test func whatTheCodecOfThisBuildDoesNotReadIsNoTypeToIt() {
        #expect(throws: ErroDeCodec.tipoDesconhecido(tipo: "espacos.SalaVistoriada")) {
            try CodecDeEventos.padrao.decodificar(tipo: "espacos.SalaVistoriada", versao: 1, carga: Array("{}".utf8))
        }
    }

    @Test func aPromoterThatThrowsNamesTypeAndVersionAsStored() {
        let carga = #"{"aprovada":false,"em":"2026-03-02T12:00:00Z","espaco":"\#(Self.espaco)","limpo_por":"\#(Self.pessoa)"}"#
        let erro = ErroDeCodec.naoPromovido(tipo: "espacos.EspacoVistoriado", versao: 1)
        #expect(throws: erro) {
            try Self.codec.decodificar(tipo: "espacos.EspacoVistoriado", versao: 1, carga: Array(carga.utf8))
        }
        #expect(erro.description == "espacos.EspacoVistoriado v1 could not be lifted to what it is today")
    }

    @Test func anOldPayloadThatIsWrongNamesItsOwnFieldAndVersion() {
        let carga = #"{"em":"2026-03-02T12:00:00Z","sala":"\#(Self.espaco)"}"#
        #expect(throws: ErroDeCodec.cargaInvalida(tipo: "espacos.SalaVistoriada", versao: 1, campo: "quando")) {
            try Self.codec.decodificar(tipo: "espacos.SalaVistoriada", versao: 1, carga: Array(carga.utf8))
        }
    }

    @Test func whoAsksForATypeGetsWhatWasStoredUnderItsEarlierNames() {
        #expect(
            Self.codec.tiposGravados(de: ["espacos.EspacoVistoriado", "reservas.ReservaConcluida"])
                == ["espacos.EspacoVistoriado", "espacos.SalaVistoriada", "reservas.ReservaConcluida"]
        )
        #expect(Self.codec.tipos.contains("espacos.EspacoVistoriado"))
        #expect(!Self.codec.tipos.contains("espacos.SalaVistoriada"))
    }

    @Test func anEventThatWasSplitFoldsAsTheTwoThatFollowIt() throws {
        let em = try instante("2026-03-02T12:00:00Z")
        let espaco = try #require(EspacoID(Self.espaco))
        let pessoa = try #require(UsuarioID(Self.pessoa))
        let antigo = try EspacoVistoriadoV1(espaco: espaco, em: em, aprovada: true, limpoPor: pessoa).atual()

        let depois = [
            EventoDeVistoria.vistoriado(EspacoVistoriado(espaco: espaco, em: em, aprovada: true)),
            .limpo(EspacoLimpo(espaco: espaco, por: pessoa, em: em)),
        ]
        #expect(UltimaLimpeza().evoluindo(com: .vistoriado(antigo)) == depois.reduce(UltimaLimpeza()) { $0.evoluindo(com: $1) })
    }
}

/// Its first form.
private struct SalaVistoriadaV1: EventoAntigo {
    static let tipo = "espacos.SalaVistoriada"
    static let versaoDoEsquema = 1

    let sala: EspacoID
    let quando: Instante

    func promovido() -> SalaVistoriadaV2 {
        SalaVistoriadaV2(sala: sala, em: quando)
    }
}

/// `quando` became `em`.
private struct SalaVistoriadaV2: EventoAntigo {
    static let tipo = "espacos.SalaVistoriada"
    static let versaoDoEsquema = 2

    let sala: EspacoID
    let em: Instante

    /// Until then only what passed was recorded.
    func promovido() -> SalaVistoriadaV3 {
        SalaVistoriadaV3(sala: sala, em: em, aprovada: true)
    }
}

/// `aprovada` was added.
private struct SalaVistoriadaV3: EventoAntigo {
    static let tipo = "espacos.SalaVistoriada"
    static let versaoDoEsquema = 3

    let sala: EspacoID
    let em: Instante
    let aprovada: Bool

    func promovido() -> EspacoVistoriadoV1 {
        EspacoVistoriadoV1(espaco: sala, em: em, aprovada: aprovada, limpoPor: nil)
    }
}

/// The type was renamed, and began to tell who cleaned.
private struct EspacoVistoriadoV1: EventoAntigo {
    static let tipo = "espacos.EspacoVistoriado"
    static let versaoDoEsquema = 1

    let espaco: EspacoID
    let em: Instante
    let aprovada: Bool
    let limpoPor: UsuarioID?

    /// What is dirty was not cleaned.
    func promovido() throws -> EspacoVistoriado {
        guard aprovada || limpoPor == nil else { throw Contradicao() }
        let limpeza = limpoPor.map { EspacoLimpo(espaco: espaco, por: $0, em: em) }
        return EspacoVistoriado(espaco: espaco, em: em, aprovada: aprovada, limpezaJunta: limpeza)
    }

    private struct Contradicao: Error {}

    private enum CodingKeys: String, CodingKey {
        case espaco
        case em
        case aprovada
        case limpoPor = "limpo_por"
    }
}

/// The form of today.
private struct EspacoVistoriado: Evento {
    static let tipo = "espacos.EspacoVistoriado"
    static let versaoDoEsquema = 2

    let espaco: EspacoID
    let em: Instante
    let aprovada: Bool
    /// What version 1 told in the same event. New events never have it: `EspacoLimpo` follows them.
    var limpezaJunta: EspacoLimpo?
}

private struct EspacoLimpo: Evento {
    static let tipo = "espacos.EspacoLimpo"

    let espaco: EspacoID
    let por: UsuarioID
    let em: Instante
}

private enum EventoDeVistoria {
    case vistoriado(EspacoVistoriado)
    case limpo(EspacoLimpo)
}

/// A state that both events make.
private struct UltimaLimpeza: Equatable {
    var limpeza: EspacoLimpo?

    func evoluindo(com evento: EventoDeVistoria) -> UltimaLimpeza {
        switch evento {
        case .vistoriado(let evento): UltimaLimpeza(limpeza: evento.limpezaJunta ?? limpeza)
        case .limpo(let evento): UltimaLimpeza(limpeza: evento)
        }
    }
}
