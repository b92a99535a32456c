import Testing

@testable import Domain

@Suite struct RazaoDaAssinaturaTests {
    private func fato(_ centavos: Int64, _ periodo: PeriodoDaAssinatura, id numero: UInt64) -> Fato {
        let inicio = AssinaturaIniciada(
            usuario: id(1), plano: .premium, planoVersao: VersaoDeRegra(1), mensalidade: reais(centavos), periodo: periodo,
            venceEm: periodo.inicio, por: id(1), em: periodo.inicio
        )
        return Fato(id: id(numero), fluxo: .assinatura(id(1)), evento: .precos(.assinaturaIniciada(inicio)))
    }

    private func soma(_ lancamentos: [LancamentoProposto], _ conta: ContaContabil) -> Int64 {
        lancamentos.flatMap(\.partidas.linhas).reduce(0) { soma, linha in
            guard linha.conta == conta else { return soma }
            return soma + (linha.lado == .credito ? linha.valor.centavos : -linha.valor.centavos)
        }
    }

    @Test(arguments: [1, 29, 30, 31, 9_900, 10_001, 123_457] as [Int64], ["2026-01-31T15:00:00Z", "2018-10-20T15:00:00Z"])
    func aMonthIsEarnedDayByDayToTheCentavo(_ centavos: Int64, _ inicio: String) throws {
        let zona = try zonaDoSistema("America/Sao_Paulo")
        let periodo = PeriodoDaAssinatura.primeiro(em: try instante(inicio), zona: zona)
        let fatos = [fato(centavos, periodo, id: 900)]
        var antes: [LancamentoProposto] = []
        for fim in periodo.fimDosDias {
            let agora = try RazaoDaAssinatura.lancamentos(de: fatos, zona: zona, agora: fim)
            // What was entered stays
            #expect(Array(agora.prefix(antes.count)) == antes)
            #expect(soma(agora, .receitaAntecipada) >= 0)
            antes = agora
        }
        #expect(soma(antes, .receitaDePlanos) == centavos)
        #expect(soma(antes, .receitaAntecipada) == 0)
        #expect(soma(antes, .aReceber) == -centavos)
        #expect(Set(antes.map(\.lancamento)).count == antes.count)
        let dias = antes.dropFirst().map(\.data)
        #expect(dias == dias.sorted() && Set(dias).count == dias.count)
        #expect(antes.allSatisfy { $0.data < zona.data(de: periodo.fim) })
        // No two days differ by more than a centavo
        let parcelas = antes.dropFirst().map(\.partidas.total.centavos)
        #expect((parcelas.max() ?? 0) - (parcelas.min() ?? 0) <= 1)
        // Each day's time to be entered comes when the day is over, and before the month can be closed
        for (dia, fim) in zip(dias, periodo.fimDosDias) where dias.count == periodo.fimDosDias.count {
            #expect(fim >= zona.inicioDoDia(dia.somandoDias(1)))
            #expect(fim < MesCivil(de: dia).fimEmTodaParte)
        }
    }

    @Test func whatCostsNothingEntersNothing() throws {
        let zona = try zonaDoSistema("America/Sao_Paulo")
        let periodo = PeriodoDaAssinatura.primeiro(em: try instante("2026-03-10T15:00:00Z"), zona: zona)
        #expect(try RazaoDaAssinatura.lancamentos(de: [fato(0, periodo, id: 1)], zona: zona, agora: periodo.fim).isEmpty)
    }
}
