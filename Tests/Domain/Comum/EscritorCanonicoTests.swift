import FoundationEssentials
import TestSupport
import Testing

@testable import Domain

/// The writer of the canonical form against Foundation's: the log's bytes must not depend on who wrote them.
@Suite struct EscritorCanonicoTests {
    @Test(arguments: try Amostra.todas())
    func anEventHasTheBytesThatFoundationGivesIt(_ amostra: Amostra) throws {
        let evento = try amostra.lida().evento
        try #require(EscritorCanonico.escrever(evento) != nil)
        try comparar(evento)
    }

    @Test(arguments: [
        "", "a", "ação", "🏖", "\"", "\\", "/", "a\"b\\c/d", "\u{0}", "\u{1F}", "\u{7F}", "\u{80}", "\u{2028}", "\r\n", "e\u{301}",
    ])
    func aTextHasTheBytesThatFoundationGivesIt(_ texto: String) throws {
        try comparar(["texto": texto])
        try comparar([texto])
        try comparar(texto)
    }

    @Test func anyTextHasTheBytesThatFoundationGivesIt() throws {
        var sorteio = SeededGenerator(seed: 7)
        for _ in 0..<500 {
            let letras = (0..<Int.random(in: 0..<12, using: &sorteio)).map { _ in
                let ate: UInt32 = [0x20, 0x80, 0x800, 0xD800][Int.random(in: 0..<4, using: &sorteio)]
                return Unicode.Scalar(UInt32.random(in: 0..<ate, using: &sorteio)).map(String.init) ?? "?"
            }
            try comparar([letras.joined(): 1])
            try comparar(["a": letras.joined()])
        }
    }

    @Test func everyKindOfValueHasTheBytesThatFoundationGivesIt() throws {
        try comparar([Int64.min, .max, 0, -1, 10])
        try comparar(UInt64.max)
        try comparar([Int8.min, .max])
        try comparar([true, false])
        try comparar([1, nil, 3] as [Int?])
        try comparar([["b": [1, 2], "a": []], [:]] as [[String: [Int]]])
        try comparar([[], [[]], [[], []]] as [[[Int]]])
        try comparar([String: Int]())
        try comparar([Int]())
        try comparar(["b": ["d": 1, "c": 2], "a": [:], "B": ["x": 0], "_": [:], "10": [:], "9": [:]] as [String: [String: Int]])
    }

    /// What the writer leaves to Foundation.
    @Test func whatItCannotWriteItDoesNotWrite() {
        #expect(EscritorCanonico.escrever(1.5) == nil)
        #expect(EscritorCanonico.escrever(["a": 1.5]) == nil)
        #expect(EscritorCanonico.escrever([Float(1)]) == nil)
        #expect(EscritorCanonico.escrever(["ç": 1, "a": 2]) == nil)
        #expect(EscritorCanonico.escrever(Torto.nada) == nil)
        #expect(EscritorCanonico.escrever(Torto.mesmaChave) == nil)
        #expect(EscritorCanonico.escrever(Torto.listaEObjeto) == nil)
        #expect(EscritorCanonico.escrever(Torto.dentro) == nil)
        #expect(EscritorCanonico.escrever(Torto.superior) == nil)
        #expect(EscritorCanonico.escrever(Torto.semFim) == nil)
        #expect(EscritorCanonico.escrever(["a": Torto.lanca]) == nil)
    }

    /// The same bytes as Foundation's, or none.
    private func comparar(_ valor: some Encodable) throws {
        let foundation = JSONEncoder()
        foundation.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        let esperado = String(decoding: try foundation.encode(valor), as: UTF8.self)
        if let escrito = EscritorCanonico.escrever(valor) {
            #expect(String(decoding: escrito, as: UTF8.self) == esperado)
        } else {
            // Only what has a key beyond ASCII is left to Foundation here.
            #expect(!esperado.utf8.allSatisfy { $0 < 0x80 })
        }
    }

    /// Ways to encode that no event has.
    private enum Torto: Encodable {
        case nada, mesmaChave, listaEObjeto, dentro, superior, semFim, lanca

        private enum Chave: String, CodingKey {
            case a
        }

        private struct Falha: Error {}

        func encode(to encoder: any Encoder) throws {
            switch self {
            case .nada: break
            case .mesmaChave:
                var caixa = encoder.container(keyedBy: Chave.self)
                try caixa.encode(1, forKey: .a)
                try caixa.encode(2, forKey: .a)
            case .listaEObjeto:
                var lista = encoder.unkeyedContainer()
                try lista.encode(1)
                var caixa = encoder.container(keyedBy: Chave.self)
                try caixa.encode(1, forKey: .a)
            case .dentro:
                var caixa = encoder.container(keyedBy: Chave.self)
                var lista = caixa.nestedUnkeyedContainer(forKey: .a)
                try lista.encode(1)
            case .superior:
                var caixa = encoder.container(keyedBy: Chave.self)
                try 1.encode(to: caixa.superEncoder())
            case .semFim:
                var lista = encoder.unkeyedContainer()
                try lista.encode(self)
            case .lanca: throw Falha()
            }
        }
    }
}
