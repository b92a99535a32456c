import FoundationEssentials
import TestSupport
import Testing

@testable import Domain

/// The reader of the canonical form against Foundation's: it may decline, but what it gives is what Foundation gives.
@Suite struct CargaCanonicaTests {
    @Test(arguments: try Amostra.todas())
    func whatTheCodecWroteIsReadWithoutFoundation(_ amostra: Amostra) throws {
        let evento = try amostra.lida()
        let tipo = type(of: evento.evento)
        let lida = try semFoundation(tipo, CodecDeEventos.padrao.codificar(evento).carga)
        #expect(lida)
    }

    @Test(arguments: try Amostra.todas())
    func everyWayToWriteAnEventIsRead(_ amostra: Amostra) throws {
        let evento = try amostra.lida()
        let formatos: [JSONEncoder.OutputFormatting] = [[], [.prettyPrinted], [.prettyPrinted, .sortedKeys], [.withoutEscapingSlashes]]
        for formato in formatos {
            let escritor = JSONEncoder()
            escritor.outputFormatting = formato
            let carga = Array(try escritor.encode(evento.evento))
            let tipo = type(of: evento.evento)
            #expect(try CodecDeEventos.padrao.decodificar(tipo: tipo.tipo, versao: tipo.versaoDoEsquema, carga: carga) == evento)
        }
    }

    @Test("Spoilt payloads are taken or refused as Foundation does", arguments: try Amostra.todas())
    func spoilt(_ amostra: Amostra) throws {
        let tipo = type(of: try amostra.lida().evento)
        var sorteio = SeededGenerator(seed: UInt64(amostra.carga.count))
        for _ in 0..<250 {
            try comparar(tipo, estragada(amostra.carga, &sorteio))
        }
    }

    @Test("Cut payloads are refused", arguments: try Amostra.todas())
    func cut(_ amostra: Amostra) throws {
        let tipo = type(of: try amostra.lida().evento)
        for fim in stride(from: 0, to: amostra.carga.count, by: max(1, amostra.carga.count / 150)) {
            let carga = Array(amostra.carga[..<fim])
            #expect(throws: ErroDeCodec.self) {
                try CodecDeEventos.padrao.decodificar(tipo: tipo.tipo, versao: tipo.versaoDoEsquema, carga: carga)
            }
            try comparar(tipo, carga)
        }
    }

    @Test(arguments: [
        #"{"texto":"a","numero":1,"pequeno":-128,"sim":true,"lista":[1,2],"mapa":{"a":"b"},"nulo":null}"#,
        #"{"texto":"\"\\\/\b\f\n\r\t","numero":-9223372036854775808,"pequeno":127,"sim":false,"lista":[],"mapa":{}}"#,
        #"{"texto":"ação 🏖 e","numero":9223372036854775807,"pequeno":0,"sim":true,"lista":[-0],"mapa":{"ç":"x"},"opcional":"há"}"#,
        #"{"texto":"\u0061\ud83c\udfd6","numero":1,"pequeno":1,"sim":true,"lista":[],"mapa":{}}"#,
        #"{"t\u0065xto":"x","numero":1,"pequeno":1,"sim":true,"lista":[],"mapa":{}}"#,
        #"{"texto":"primeiro","texto":"segundo","numero":1,"pequeno":1,"sim":true,"lista":[],"mapa":{"a":"1","a":"2"}}"#,
        #" { "texto" : "x" , "numero" : 1.0 , "pequeno" : 1e2 , "sim" : true , "lista" : [ 1 ] , "mapa" : { } } "#,
        #"{"texto":"x","numero":1,"pequeno":1,"sim":true,"lista":[1,],"mapa":{"a":"b",},}"#,
        #"{"texto":"x","numero":1,"pequeno":1,"sim":true,"lista":[1],"mapa":{},"sobra":{"a":[1.5,{"b":null}]}}"#,
        #"{"texto":"x","numero":1,"pequeno":1,"sim":true,"lista":[1],"mapa":{},"sobra":"\ud800"}"#,
        #"{"texto":"x","numero":1,"pequeno":1,"sim":true,"lista":[1],"mapa":{},"opcional":null}"#,
    ])
    func unusualPayloadsAreTaken(_ texto: String) throws {
        #expect(throws: Never.self) { try LeituraDeCarga(carga: Array(texto.utf8)).ler(Prova.self) }
        try comparar(Prova.self, Array(texto.utf8))
    }

    @Test(arguments: [
        "", " ", "null", "1", "[]", "{", "}", "{}x", "{}{}", "{\"texto\"}", "{texto:1}", "{'texto':1}", "{\"texto\":1,,}", "nul", "tru",
    ])
    func whatIsNoObjectIsRefused(_ texto: String) throws {
        #expect(throws: DecodingError.self) { try LeituraDeCarga(carga: Array(texto.utf8)).ler(Prova.self) }
        try comparar(Prova.self, Array(texto.utf8))
    }

    /// One field of a payload that is right but for it.
    @Test(arguments: [
        (#""pequeno":1"#, #""pequeno":128"#), (#""pequeno":1"#, #""pequeno":-129"#), (#""pequeno":1"#, #""pequeno":1.5"#),
        (#""pequeno":1"#, #""pequeno":01"#), (#""pequeno":1"#, #""pequeno":-"#), (#""pequeno":1"#, #""pequeno":+1"#),
        (#""pequeno":1"#, #""pequeno":"1""#), (#""pequeno":1"#, #""pequeno":null"#), (#""pequeno":1"#, #""pequeno":true"#),
        (#""numero":1"#, #""numero":9223372036854775808"#), (#""numero":1"#, #""numero":-9223372036854775809"#),
        (#""numero":1"#, #""numero":1e400"#), (#""numero":1"#, #""numero":.5"#), (#""numero":1"#, #""numero":1e"#),
        (#""texto":"x""#, #""texto":"\ud800""#), (#""texto":"x""#, #""texto":"\udc00""#), (#""texto":"x""#, #""texto":"\x""#),
        (#""texto":"x""#, #""texto":"\u12""#), (#""texto":"x""#, "\"texto\":\"a\u{01}b\""), (#""texto":"x""#, "\"texto\":\"a\nb\""),
        (#""texto":"x""#, #""texto":"x\"#), (#""texto":"x""#, #""texto":x"#), (#""texto":"x""#, #""texto":["x"]"#),
        (#""sim":true"#, #""sim":truE"#), (#""sim":true"#, #""sim":1"#), (#""sim":true"#, #""sim":"true""#),
        (#""sim":true"#, #""não":true"#),
        (#""lista":[]"#, #""lista":[1 2]"#), (#""lista":[]"#, #""lista":["#), (#""lista":[]"#, #""lista":[null]"#),
        (#""lista":[]"#, #""lista":{}"#), (#""mapa":{}"#, #""mapa":[]"#), (#""mapa":{}"#, #""mapa":{"a":1}"#),
        (#""mapa":{}"#, #""mapa":{"a":"b"]"#), (#""mapa":{}"#, #""mapa":["a","b"]"#),
        (#""mapa":{}"#, #""mapa":{},"sobra":"\u1""#),
    ])
    func aWrongFieldIsRefused(certo: String, errado: String) throws {
        let inteira = #"{"texto":"x","numero":1,"pequeno":1,"sim":true,"lista":[],"mapa":{}}"#
        let carga = Array(inteira.replacing(certo, with: errado).utf8)
        #expect(throws: DecodingError.self) { try LeituraDeCarga(carga: carga).ler(Prova.self) }
        try comparar(Prova.self, carga)
    }

    @Test(arguments: [
        (#""total":{"centavos":10000,"moeda":"BRL"}"#, #""total":["centavos",10000,"moeda","BRL"]"#),
        (#""linhas":["#, #""linhas":[[],"#), (#""plano":"premium""#, #""plano":"Premium""#), (#""moeda":"BRL""#, #""moeda":"USD""#),
        (#""percentual":10,"tipo""#, #""percentual":101,"tipo""#), (#""tipo":"tempo""#, #""tipo":"gorjeta""#),
        (#""fim":"2026-03-09T18:45:00Z""#, #""fim":"2026-03-09T17:30:00Z""#), (#""versao":2"#, #""versao":"2""#),
        (#"{"antecedencia_min":240,"percentual":50}"#, #"{"antecedencia_min":1440,"percentual":50}"#),
    ])
    func aBookingThatIsWrongInsideIsRefused(certo: String, errado: String) throws {
        let amostra = try #require(try Amostra.todas().first { $0.forma.tipo == ReservaSolicitada.tipo })
        let carga = Array(String(decoding: amostra.carga, as: UTF8.self).replacing(certo, with: errado).utf8)
        try #require(carga != amostra.carga)
        #expect(throws: DecodingError.self) { try LeituraDeCarga(carga: carga).ler(direto: ReservaSolicitada.self) }
        try comparar(ReservaSolicitada.self, carga)
    }

    @Test(arguments: [[0xFF], [0xC0, 0x80], [0xED, 0xA0, 0x80], [0xF0, 0x9F], [0x80]] as [[UInt8]])
    func whatIsNoUTF8IsRefused(_ bytes: [UInt8]) throws {
        for (antes, depois) in [(#"{"texto":""#, #"","#), (#"{""#, #"":1,"texto":"x","#)] {
            let carga = Array(antes.utf8) + bytes + Array((depois + #""numero":1,"pequeno":1,"sim":true,"lista":[],"mapa":{}}"#).utf8)
            #expect(throws: DecodingError.self) { try LeituraDeCarga(carga: carga).ler(Prova.self) }
            try comparar(Prova.self, carga)
        }
    }

    @Test(arguments: [1, 63, 64, 65, 500, 513, 100_000])
    func depthHasTheLimitOfFoundation(_ fundo: Int) throws {
        let fim = #""numero":1,"pequeno":1,"sim":true,"lista":[],"mapa":{}}"#
        let sobra = String(repeating: "[", count: fundo) + String(repeating: "]", count: fundo)
        try comparar(Prova.self, Array(#"{"texto":"x","sobra":\#(sobra),\#(fim)"#.utf8))
    }

    // MARK: -

    /// Whether both ways to read without Foundation, where a type has both, take the payload; and they give the same.
    private func semFoundation<E: Evento>(_ tipo: E.Type, _ carga: [UInt8]) throws -> Bool {
        let generica = LeituraDeCarga(carga: carga).daForma(tipo)
        guard let direto = tipo as? any LidoDaForma.Type else { return generica != nil }
        let direta = try? direto.init(0, de: CargaCanonica(carga)) as? E
        #expect(direta == generica)
        return direta != nil
    }

    /// Foundation decides; what is read without it must be the same, and what it refuses must be refused.
    private func comparar<E: Evento>(_ tipo: E.Type, _ carga: [UInt8]) throws {
        let esperado = try? JSONDecoder().decode(tipo, from: Data(carga))
        #expect((try? LeituraDeCarga(carga: carga).ler(tipo)) == esperado, "\(String(decoding: carga, as: UTF8.self))")
        if try semFoundation(tipo, carga) {
            #expect(LeituraDeCarga(carga: carga).daForma(tipo) == esperado, "\(String(decoding: carga, as: UTF8.self))")
        }
    }

    /// One or two things done to a payload, as bit rot, a bad disk or a hostile hand would.
    private func estragada(_ carga: [UInt8], _ sorteio: inout SeededGenerator) -> [UInt8] {
        let sinais = Array("\"\\{}[]:,.-+eE0129tfnu \n\u{01}ação".utf8) + [0x00, 0x7F, 0x80, 0xC3, 0xFF]
        var carga = carga
        for _ in 0..<Int.random(in: 1...2, using: &sorteio) {
            let lugar = Int.random(in: 0..<carga.count, using: &sorteio)
            let sinal = sinais[Int.random(in: 0..<sinais.count, using: &sorteio)]
            switch Int.random(in: 0..<6, using: &sorteio) {
            case 0: carga[lugar] = sinal
            case 1: carga.insert(sinal, at: lugar)
            case 2: carga.remove(at: lugar)
            case 3: carga[lugar] ^= 1 << UInt8.random(in: 0..<8, using: &sorteio)
            case 4: carga.swapAt(lugar, Int.random(in: 0..<carga.count, using: &sorteio))
            default: carga.insert(contentsOf: carga[lugar..<min(carga.count, lugar + 12)], at: lugar)
            }
        }
        return carga
    }
}

/// An event with a field of every kind that events may have.
private struct Prova: Evento {
    static let tipo = "teste.Prova"

    let texto: String
    let opcional: String?
    let numero: Int64
    let pequeno: Int8
    let sim: Bool
    let lista: [Int]
    let mapa: [String: String]
}
