import Foundation
import Testing

@testable import Domain

@Suite struct LivrosTests {
    private let fimPelaLei = "2026-01-01T12:00:00Z"

    private func ano(_ numero: Int) throws -> AnoDosLivros { try #require(AnoDosLivros(numero)) }

    private func encerrar(_ agora: String, anos: Int = 5, dados: [EventoDeFinanceiro] = []) throws -> [EventoDoDominio] {
        let estado = dados.reduce(LivrosDoAno.inicial) { $0.evoluindo(com: $1) }
        let prazo = try #require(PrazoDosLivros(anos: anos))
        return try gravados(EncerrarLivros(ano: ano(2020), prazo: prazo, agora: instante(agora)).decidir(livros: estado))
    }

    private func encerrado(_ em: String) throws -> EventoDeFinanceiro {
        .prazoDosLivrosEncerrado(PrazoDosLivrosEncerrado(ano: try ano(2020), em: try instante(em)))
    }

    private func prorrogado(_ ate: String, em: String) throws -> EventoDeFinanceiro {
        .prazoDosLivrosProrrogado(PrazoDosLivrosProrrogado(ano: try ano(2020), ate: try instante(ate), em: try instante(em)))
    }

    @Test func theTermIsFiveYearsFromTheFirstDayOfTheYearAfter() throws {
        #expect(PrazoDosLivros.legal.fim(de: try ano(2020)) == (try instante(fimPelaLei)))
        #expect(PrazoDosLivros.legal.fim(de: try ano(2199)) == (try instante("2205-01-01T12:00:00Z")))
        #expect(PrazoDosLivros(anos: 5) == .legal)
        for curto in [-1, 0, 4, 101] { #expect(PrazoDosLivros(anos: curto) == nil) }
    }

    @Test func whenTheTermIsOverThatIsRecordedOnce() throws {
        #expect(try encerrar(fimPelaLei) == [.financeiro(encerrado(fimPelaLei))])
        #expect(try encerrar("2026-02-01T00:00:00Z", dados: [encerrado(fimPelaLei)]).isEmpty)
    }

    @Test func whatIsKeptLongerSaysUntilWhenAndEndsThen() throws {
        let ate = "2031-01-01T12:00:00Z"
        let esperado = try prorrogado(ate, em: fimPelaLei)
        #expect(try encerrar(fimPelaLei, anos: 10) == [.financeiro(esperado)])
        #expect(try encerrar(fimPelaLei, anos: 10, dados: [esperado]).isEmpty)
        #expect(try encerrar("2031-01-01T11:59:59Z", anos: 10, dados: [esperado]).isEmpty)
        #expect(try encerrar(ate, anos: 10, dados: [esperado]) == [.financeiro(encerrado(ate))])
        // Wanted longer still
        #expect(try encerrar(ate, anos: 20, dados: [esperado]) == [.financeiro(prorrogado("2041-01-01T12:00:00Z", em: ate))])
    }

    @Test func aTextIsTakenForAsLongAsItWouldBeKept() throws {
        func aceita(_ agora: String, anos: Int = 5, _ dados: EventoDeFinanceiro...) throws {
            let estado = dados.reduce(LivrosDoAno.inicial) { $0.evoluindo(com: $1) }
            try estado.aceitarTexto(de: ano(2020), prazo: #require(PrazoDosLivros(anos: anos)), agora: instante(agora))
        }
        try aceita("2026-01-01T11:59:59Z")
        try aceita(fimPelaLei, anos: 6)
        try aceita("2030-12-31T00:00:00Z", prorrogado("2031-01-01T12:00:00Z", em: fimPelaLei))
        let recusa = RecusaDeFinanceiro.livrosAlemDoPrazo(try ano(2020))
        #expect(throws: recusa) { try aceita(fimPelaLei) }
        #expect(throws: recusa) { try aceita("2031-01-01T12:00:00Z", prorrogado("2031-01-01T12:00:00Z", em: fimPelaLei)) }
        // Whatever the operator comes to want afterwards
        #expect(throws: recusa) { try aceita("2026-02-01T00:00:00Z", anos: 100, encerrado(fimPelaLei)) }
        #expect(throws: recusa) {
            try aceita("2026-02-01T00:00:00Z", anos: 100, encerrado(fimPelaLei), prorrogado("2031-01-01T12:00:00Z", em: fimPelaLei))
        }
    }

    @Test func aYearNamesTheKeyOfItsBooks() throws {
        #expect(try ano(2020).chave == "fiscal-2020")
        #expect(AnoDosLivros(chave: "fiscal-2020") == (try ano(2020)))
        for outra in ["fiscal-", "fiscal-1999", "fiscal-2200", "fiscal-x", "2020", "fiscal-2020-2", ""] {
            #expect(AnoDosLivros(chave: outra) == nil)
        }
        #expect(throws: DecodingError.self) { try JSONDecoder().decode(AnoDosLivros.self, from: Data("1999".utf8)) }
    }
}
