import Domain
import Testing

/// Past bookings under another tariff.
@Suite struct SimulacaoDeTarifarioTests {
    let agora = Instante(segundos: 1_772_366_400)

    private func horas(_ depois: Int, _ duracao: Int) throws -> Intervalo {
        let inicio = agora + .horas(depois)
        return try #require(Intervalo(inicio: inicio, fim: inicio + .horas(duracao)))
    }

    private func tarifario(_ cenario: Cenario, alvo: AlvoDaTarifa? = nil, valorHora: Int64) throws -> Tarifario {
        let publicacao = PublicarTarifario(
            unidade: cenario.unidade,
            vigenteDesde: try data("2026-01-01"),
            tarifas: [Tarifa(alvo: alvo ?? .espaco(cenario.sala), valorHora: reais(valorHora))],
            multiplicadores: [],
            por: .linhaDeComando,
            agora: agora
        )
        return Tarifario.dobrar(try publicacao.decidir(tarifario: .inicial).flatMap(\.eventos))
    }

    private func comparar(_ cenario: Cenario, com tarifario: Tarifario, de: String = "2026-03-01", ate: String = "2026-03-31") throws
        -> ComparacaoDeTarifarios
    {
        var simulacao = SimulacaoDeTarifario()
        for evento in cenario.log.sorted(by: { $0.key < $1.key }).flatMap(\.value) { simulacao.considerar(evento) }
        return try simulacao.comparar(com: tarifario, de: data(de), ate: data(ate), unidade: nil, zona: zonaDoSistema)
    }

    @Test func underItsOwnTariffNothingChanges() throws {
        var cenario = try Cenario(lugares: 9)
        for numero in 0..<5 {
            try cenario.reservar(id(UInt64(1_000 + numero)), horas(24 + numero, 2), agora: agora)
            try cenario.confirmar(id(UInt64(1_000 + numero)), agora: agora)
        }
        let linha = try #require(try comparar(cenario, com: cenario.estado(.tarifario(cenario.unidade))).linhas.first)
        #expect(linha.reservas == 5 && linha.antes == reais(60_000) && linha.diferenca == .zero)
    }

    @Test func whatStoodCountsWhollyAndWhatWasCancelledWithWhatWasKept() throws {
        var cenario = try Cenario(lugares: 9)
        for numero: UInt64 in 1_000...1_004 { try cenario.reservar(id(numero), horas(48, 2), agora: agora) }
        for numero: UInt64 in 1_000...1_003 { try cenario.confirmar(id(numero), agora: agora) }
        // Nothing kept; half kept; moved to three hours; never confirmed.
        try cenario.cancelar(id(1_001), ator: cenario.ana, pago: 12_000, agora: agora)
        try cenario.cancelar(id(1_002), ator: cenario.ana, pago: 12_000, agora: agora + .horas(40))
        try cenario.remarcar(id(1_003), horas(72, 3), ator: cenario.recepcao, agora: agora)
        try cenario.expirar(id(1_004), agora: agora + .horas(1))

        let linha = try #require(try comparar(cenario, com: try tarifario(cenario, valorHora: 9_000)).linhas.first)

        #expect(linha.reservas == 4)
        #expect(linha.antes == reais(12_000 + 0 + 6_000 + 18_000))
        #expect(linha.depois == reais(18_000 + 0 + 9_000 + 27_000))
        #expect(linha.diferenca == reais(18_000) && linha.nome == "Sala")
    }

    @Test func creditsAndCouponsPayAsTheyDid() throws {
        var cenario = try Cenario(lugares: 9)
        let codigo = try #require(CodigoDoCupom("METADE"))
        let termos = TermosDoCupom(desconto: .percentual(.metade), limiteDeUsos: 9)
        cenario.registrar(.cupom(codigo), .precos(.cupomCriado(CupomCriado(codigo: codigo, termos: termos, em: agora))))
        let lote = CreditosConcedidos(
            usuario: cenario.ana.usuario,
            lote: id(700),
            minutos: try minutos(60),
            origem: .equipe,
            em: agora
        )
        cenario.registrar(.assinatura(cenario.ana.usuario), .precos(.creditosConcedidos(lote)))
        try cenario.reservar(id(1_000), horas(48, 2), cupom: codigo, agora: agora)
        try cenario.confirmar(id(1_000), agora: agora)

        let linha = try #require(try comparar(cenario, com: try tarifario(cenario, valorHora: 8_000)).linhas.first)

        #expect(linha.antes == reais(3_000) && linha.depois == reais(4_000))
    }

    @Test func onlyBookingsOfTheDatesCountAndThoseWithoutARateAreNamed() throws {
        var cenario = try Cenario(lugares: 9)
        try cenario.reservar(id(1_000), horas(48, 2), agora: agora)
        try cenario.confirmar(id(1_000), agora: agora)
        let caro = try tarifario(cenario, valorHora: 9_000)
        // The booking is on the 3rd, by the wall clock of its unit.
        #expect(try comparar(cenario, com: caro, ate: "2026-03-02").linhas.isEmpty)
        #expect(try comparar(cenario, com: caro, de: "2026-03-04").linhas.isEmpty)
        #expect(try comparar(cenario, com: caro, de: "2026-03-03", ate: "2026-03-03").linhas.count == 1)
        let outro = try comparar(cenario, com: try tarifario(cenario, alvo: .tipo(.cabine), valorHora: 1)).total()
        #expect(outro.reservas == 0 && outro.semPreco == 1 && outro.antes == .zero)
    }
}
