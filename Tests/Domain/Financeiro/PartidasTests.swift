import FoundationEssentials
import Testing

@testable import Domain

@Suite struct PartidasTests {
    private static let tortas: [[Partida]] = [
        [],
        [Partida(.debito, .caixa, reais(1))],
        [Partida(.debito, .caixa, reais(1)), Partida(.credito, .receitaAntecipada, reais(2))],
        [Partida(.debito, .caixa, reais(0)), Partida(.credito, .receitaAntecipada, reais(0))],
        [Partida(.debito, .caixa, reais(-1)), Partida(.credito, .receitaAntecipada, reais(-1))],
        [Partida(.debito, .caixa, reais(1)), Partida(.credito, .caixa, reais(1))],
        [
            Partida(.debito, .caixa, reais(.max)), Partida(.debito, .aReceber, reais(.max)),
            Partida(.credito, .estornos, reais(.max)), Partida(.credito, .receitaAntecipada, reais(.max)),
        ],
    ]

    @Test(arguments: tortas)
    func whatDoesNotBalanceIsNoEntry(_ linhas: [Partida]) throws {
        #expect(Partidas(linhas) == nil)
        #expect(throws: DecodingError.self) { try JSONDecoder().decode(Partidas.self, from: JSONEncoder().encode(linhas)) }
    }

    @Test func linesOfZeroAreLeftOut() throws {
        let partidas = try #require(
            Partidas(debitar: [(.receitaAntecipada, reais(5)), (.aReceber, .zero)], creditar: [(.receitaDeReservas, reais(5))]))
        #expect(partidas.linhas.count == 2)
        #expect(partidas.total == reais(5))
        #expect(Partidas(debitar: [(.caixa, .zero)], creditar: [(.estornos, .zero)]) == nil)
        #expect(partidas.invertidas.invertidas == partidas)
    }

    @Test func accountsHaveNamesThatAreReadBack() {
        #expect(Set(ContaContabil.todas).count == 6 + CategoriaDeDespesa.allCases.count)
        for conta in ContaContabil.todas {
            #expect(ContaContabil(conta.texto) == conta)
            #expect(ContaContabil(codigo: conta.codigo) == conta)
        }
        for historico in HistoricoDoLancamento.allCases { #expect(historico.frase(em: .portugues) != historico.frase(em: .ingles)) }
    }

    @Test(arguments: [("2026-02", 28, "2026-03", "2026-01"), ("2024-02", 29, "2024-03", "2024-01"), ("2025-12", 31, "2026-01", "2025-11")])
    func months(_ texto: String, _ dias: Int, _ seguinte: String, _ anterior: String) throws {
        let mes = try #require(MesCivil(texto))
        #expect(mes.texto == texto)
        #expect(mes.dias == dias)
        #expect(mes.seguinte.texto == seguinte)
        #expect(mes.anterior.texto == anterior)
        #expect(MesCivil(de: mes.ultimoDia) == mes)
        for torto in ["2026-13", "2026-00", "2026-1", "2026-01-01", "26-01", ""] { #expect(MesCivil(torto) == nil) }
    }

    @Test func aMonthIsClosedWhenItIsOverAndNothingIsOpen() throws {
        let mes = try #require(MesCivil("2026-03"))
        func fechar(_ agora: String, _ estado: Periodo = .aberto, _ pendencias: PendenciasDoMes = .zero, papel: Papel = .gestor) throws
            -> [EventosDoFluxo]
        {
            try FecharPeriodo(mes: mes, por: .ator(Ator(usuario: id(1), papel: papel)), agora: instante(agora))
                .decidir(periodo: estado, pendencias: pendencias)
        }
        #expect(try gravados(fechar("2026-04-01T12:00:00Z")).count == 1)
        #expect(throws: RecusaDeFinanceiro.mesEmCurso(mes)) { try fechar("2026-04-01T11:59:59.999999Z") }
        #expect(try fechar("2026-04-01T12:00:00Z", .fechado(em: Instante(segundos: 0))).isEmpty)
        #expect(throws: RecusaDeFinanceiro.soGestao) { try fechar("2026-04-01T12:00:00Z", papel: .recepcao) }
        let pendencias = PendenciasDoMes(reservas: [id(5)], quantasReservas: 21, lancamentos: 0, eventos: 0, separados: 0)
        let recusa = RecusaDeFinanceiro.mesComPendencias(mes, pendencias)
        #expect(throws: recusa) { try fechar("2026-04-01T12:00:00Z", .aberto, pendencias) }
        #expect(recusa.frase(em: .portugues).contains("\(id(5) as ReservaID), …"))
    }
}
