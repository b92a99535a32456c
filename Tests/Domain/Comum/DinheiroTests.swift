import Domain
import Testing

@Suite struct DinheiroTests {
    /// Centavos times numerator over denominator, rounded half-even.
    @Test(
        arguments: [
            (1, 1, 2, 0), (3, 1, 2, 2), (5, 1, 2, 2), (7, 1, 2, 4), (-1, 1, 2, 0), (-3, 1, 2, -2), (-5, 1, 2, -2), (-7, 1, 2, -4),
            (10, 1, 3, 3), (20, 1, 3, 7), (-10, 1, 3, -3), (-20, 1, 3, -7), (2, 5, 4, 2), (6, 5, 4, 8), (0, 7, 9, 0), (101, 1, 1, 101),
        ] as [(Int64, Int64, Int64, Int64)])
    func roundsHalfEven(centavos: Int64, numerador: Int64, denominador: Int64, esperado: Int64) throws {
        #expect(try reais(centavos).vezes([numerador], sobre: [denominador]) == reais(esperado))
    }

    @Test func roundsOnceAtTheEnd() throws {
        // 1 × 1/2 × 3 is 1.5 → 2; rounding after each factor would give 0.
        #expect(try reais(1).vezes([1, 3], sobre: [2, 1]) == reais(2))
    }

    @Test func refusesToOverflow() {
        let maximo = reais(.max)
        #expect(throws: ErroDeDinheiro.estouro) { try maximo.somando(reais(1)) }
        #expect(throws: ErroDeDinheiro.estouro) { try reais(.min).subtraindo(reais(1)) }
        #expect(throws: ErroDeDinheiro.estouro) { try maximo.vezes([2], sobre: [1]) }
        #expect(throws: ErroDeDinheiro.estouro) { try maximo.vezes([.max, .max], sobre: [1]) }
        #expect(throws: ErroDeDinheiro.estouro) { try maximo.vezes([1], sobre: [0]) }
        #expect(throws: Never.self) { try maximo.vezes([2], sobre: [2]) }
    }

    @Test(
        arguments: [
            (0, "R$\u{A0}0,00"), (5, "R$\u{A0}0,05"), (123_456, "R$\u{A0}1.234,56"), (100_000_000, "R$\u{A0}1.000.000,00"),
            (-99_900, "-R$\u{A0}999,00"), (.min, "-R$\u{A0}92.233.720.368.547.758,08"),
        ] as [(Int64, String)])
    func printsAsBrazilWrites(centavos: Int64, texto: String) {
        #expect(reais(centavos).description == texto)
    }
}

@Suite struct FeriadoTests {
    @Test(arguments: [
        ("2024-03-29", Feriado.sextaFeiraSanta), ("2025-04-18", .sextaFeiraSanta), ("2026-04-03", .sextaFeiraSanta),
        ("2027-03-26", .sextaFeiraSanta), ("2038-04-23", .sextaFeiraSanta), ("2026-01-01", .confraternizacaoUniversal),
        ("2026-04-21", .tiradentes), ("2026-05-01", .diaDoTrabalho), ("2026-09-07", .independencia),
        ("2026-10-12", .nossaSenhoraAparecida), ("2026-11-02", .finados), ("2026-11-15", .proclamacaoDaRepublica),
        ("2024-11-20", .conscienciaNegra), ("2026-12-25", .natal),
    ])
    func knowsTheNationalHolidays(texto: String, esperado: Feriado) throws {
        #expect(Feriado.nacional(em: try data(texto)) == esperado)
    }

    /// Carnival and Corpus Christi of 2026, Easter itself, 20 November before the law, an ordinary day.
    @Test(arguments: ["2026-02-17", "2026-06-04", "2026-04-05", "2023-11-20", "2026-03-02"])
    func knowsOrdinaryDays(_ texto: String) throws {
        #expect(Feriado.nacional(em: try data(texto)) == nil)
    }

    @Test(arguments: [(2008, "2008-03-23"), (2019, "2019-04-21"), (2025, "2025-04-20"), (2285, "2285-03-22"), (1943, "1943-04-25")])
    func computesEaster(ano: Int, texto: String) throws {
        #expect(Feriado.pascoa(ano: ano) == (try data(texto)))
    }

    /// Ten, or nine when Good Friday falls on 21 April.
    @Test func everyYearSince2024HasAllOfThem() throws {
        for ano in 2024...2100 {
            let primeiro = try #require(DataCivil(ano: ano, mes: 1, dia: 1))
            let feriados = (0..<365).compactMap { Feriado.nacional(em: primeiro.somandoDias($0)) }
            let coincidem = Feriado.pascoa(ano: ano) == DataCivil(ano: ano, mes: 4, dia: 23)
            #expect(feriados.count == (coincidem ? 9 : 10), "\(ano)")
            #expect(Set(feriados).count == feriados.count)
        }
    }
}
