import Testing

@testable import Domain

@Suite struct DespesasTests {
    private let recepcao = Ator(usuario: id(3), papel: .recepcao)

    private func registrar(
        _ centavos: Int64,
        em dia: String = "2026-03-10",
        ator: Ator? = nil,
        periodos: Periodos? = nil,
        estado: Despesa = .inicial
    ) throws -> [EventosDoFluxo] {
        let data = try data(dia)
        let comando = RegistrarDespesa(
            despesa: id(7), categoria: .manutencao, data: data, valor: reais(centavos), unidade: id(2), memo: Selado("v1:x"),
            ator: ator ?? recepcao, hoje: try #require(DataCivil("2026-03-31")), agora: try instante("2026-03-31T12:00:00Z")
        )
        return try comando.decidir(despesa: estado, periodos: periodos ?? Periodos([MesCivil(de: data): .aberto]))
    }

    private func lancado(_ decididos: [EventosDoFluxo]) throws -> LancamentoRegistrado {
        for case .financeiro(.lancamentoRegistrado(let lancamento)) in try gravados(decididos) { return lancamento }
        throw NaoHouve()
    }

    private struct NaoHouve: Error {}

    @Test func anExpenseAndItsEntryAreOneDecision() throws {
        let decididos = try registrar(35_050)

        #expect(decididos.map(\.fluxo) == [.despesa(id(7)), .lancamento(id(7))])
        let lancamento = try lancado(decididos)
        #expect(
            lancamento.partidas.linhas == [
                Partida(.debito, .despesas(.manutencao), reais(35_050)), Partida(.credito, .caixa, reais(35_050)),
            ])
        #expect(lancamento.data == (try data("2026-03-10")))
        #expect(lancamento.dataDoFato == nil)
        #expect(lancamento.assunto == .despesa(id(7)))
    }

    @Test func inAClosedMonthItAdjustsTheNextOneThatIsOpen() throws {
        let (fevereiro, marco) = (try #require(MesCivil("2026-02")), try #require(MesCivil("2026-03")))
        let abril = marco.seguinte
        let fechado = Periodo.fechado(em: Instante(segundos: 0))
        #expect(Periodos([fevereiro: fechado]).faltantes == [marco])
        let periodos = Periodos([fevereiro: fechado, marco: fechado, abril: .aberto])
        #expect(periodos.faltantes.isEmpty)

        let lancamento = try lancado(try registrar(100, em: "2026-02-28", periodos: periodos))

        #expect(lancamento.data == (try data("2026-04-01")))
        #expect(lancamento.dataDoFato == (try data("2026-02-28")))
    }

    @Test func aReversalTakesBackWhatWasEnteredAndTwiceIsOnce() throws {
        let feitos = try registrar(500)
        let estado = Despesa.dobrar(feitos[0].eventos)
        let original = Lancamento.dobrar(feitos[1].eventos)
        let comando = EstornarDespesa(
            despesa: id(7), lancamento: id(8), motivo: nil, ator: recepcao, agora: try instante("2026-03-31T13:00:00Z")
        )
        let periodos = Periodos([MesCivil(de: try data("2026-03-10")): .aberto])

        let decididos = try comando.decidir(despesa: estado, original: original, periodos: periodos)

        #expect(decididos.map(\.fluxo) == [.despesa(id(7)), .lancamento(id(8))])
        let reverso = try lancado(decididos)
        #expect(
            reverso.partidas.linhas == [
                Partida(.credito, .despesas(.manutencao), reais(500)), Partida(.debito, .caixa, reais(500)),
            ])
        #expect(reverso.data == (try data("2026-03-10")))
        let depois = Despesa.dobrar(feitos[0].eventos + decididos[0].eventos)
        #expect(try comando.decidir(despesa: depois, original: original, periodos: periodos).isEmpty)
        #expect(throws: RecusaDeFinanceiro.despesaNaoEncontrada) {
            try comando.decidir(despesa: .inicial, original: .inicial, periodos: periodos)
        }
    }

    @Test func whatIsNoExpenseIsRefused() throws {
        #expect(throws: RecusaDeFinanceiro.campoInvalido(.valor)) { try registrar(0) }
        #expect(throws: RecusaDeFinanceiro.campoInvalido(.valor)) { try registrar(-1) }
        #expect(throws: RecusaDeFinanceiro.campoInvalido(.valor)) { try registrar(10_000_000_001) }
        #expect(throws: RecusaDeFinanceiro.despesaNoFuturo(hoje: try data("2026-03-31"))) { try registrar(1, em: "2026-04-01") }
        #expect(throws: RecusaDeFinanceiro.soEquipe) { try registrar(1, ator: Ator(usuario: id(1), papel: .membro)) }
        #expect(try registrar(1, estado: Despesa.dobrar(try registrar(1)[0].eventos)).isEmpty)
    }
}
