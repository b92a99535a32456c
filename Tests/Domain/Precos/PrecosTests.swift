import Domain
import TestSupport
import Testing

@Suite struct PrecosTests {
    let unidade: UnidadeID = id(1)
    let sala: EspacoID = id(2)
    let gestor = Autoridade.ator(Ator(usuario: id(9), papel: .gestor))
    let agora = Instante(segundos: 1_772_366_400)

    private func pico(
        _ abre: String = "09:00",
        _ fecha: String = "18:00",
        dias: [DiaDaSemana] = [.segunda, .terca, .quarta, .quinta, .sexta],
        milesimos: Int = 1_250
    ) throws -> Multiplicador {
        Multiplicador(
            nome: "Pico",
            dias: dias,
            faixa: try faixa(abre, fecha),
            milesimos: milesimos
        )
    }

    private func tarifario(
        valorHora: Int64 = 8_000,
        teto: Int64? = nil,
        multiplicadores: [Multiplicador] = [],
        desde: String = "2018-01-01",
        sobre anterior: Tarifario = .inicial
    ) throws -> Tarifario {
        let comando = PublicarTarifario(
            unidade: unidade,
            vigenteDesde: try data(desde),
            tarifas: [Tarifa(alvo: .tipo(.salaDeReuniao), valorHora: reais(valorHora), tetoDiario: teto.map(reais))],
            multiplicadores: multiplicadores,
            por: gestor,
            agora: agora
        )
        return try gravados(comando.decidir(tarifario: anterior)).reduce(anterior) { $0.evoluindo(com: $1) }
    }

    private func plano(_ id: PlanoID = .basic, desconto: Int = 0) throws -> Plano {
        let comando = PublicarPlano(
            plano: id,
            nome: id.texto,
            desconto: try percentual(desconto),
            mensalidade: .zero,
            por: gestor,
            agora: agora
        )
        return Plano.dobrar(try gravados(comando.decidir(plano: .inicial)))
    }

    private func pedido(_ inicio: String, _ fim: String, zona nome: String = "America/Sao_Paulo", lugares: Int = 1, plano: PlanoID = .basic)
        throws -> PedidoDeCotacao
    {
        PedidoDeCotacao(
            espaco: sala,
            tipo: .salaDeReuniao,
            intervalo: try intervalo(inicio, fim),
            lugares: lugares,
            zona: try zona(nome),
            plano: plano
        )
    }

    @Test func anHourCostsTheHourlyRate() throws {
        let cotacao = try pedido("2026-03-09T12:00:00-03:00", "2026-03-09T13:30:00-03:00").cotar(tarifario: tarifario(), plano: plano())
        #expect(cotacao.total == reais(12_000) && cotacao.precoBase == reais(12_000) && cotacao.descontoDoPlano == .zero)
        #expect(cotacao.tarifarioVersao.numero == 1 && cotacao.planoVersao.numero == 1)
    }

    @Test func theWholePriceSplitsAtPeakDiscountsAndCaps() throws {
        let tarifario = try tarifario(valorHora: 9_050, teto: 30_000, multiplicadores: [pico()])
        let pedido = try pedido("2026-03-09T08:15:00-03:00", "2026-03-09T12:00:00-03:00", plano: .premium)

        let cotacao = try pedido.cotar(tarifario: tarifario, plano: plano(.premium, desconto: 10))

        // 45 min at 90.50 = 67.875 → 67.88; 3 h at 113.125 = 339.375 → 339.38; less 10 % of 407.26 = 40.726 → 40.73; capped at 300.
        #expect(cotacao.linhas.map(\.valor) == [reais(6_788), reais(33_938), reais(-4_073), reais(-6_653)])
        #expect(cotacao.total == reais(30_000) && cotacao.precoBase == reais(40_726) && cotacao.descontoDoPlano == reais(4_073))
        guard case .tempo(let fora) = cotacao.linhas[0], case .tempo(let dentro) = cotacao.linhas[1] else { throw Inesperado() }
        #expect(fora.multiplicador == nil && fora.milesimos == 1_000)
        #expect(dentro.multiplicador == "Pico" && dentro.milesimos == 1_250)
        #expect(dentro.intervalo.inicio == (try instante("2026-03-09T09:00:00-03:00")))
    }

    @Test func aNightIsPricedDayByDay() throws {
        let tarifario = try tarifario(valorHora: 1_000, teto: 1_500)
        let cotacao = try pedido("2026-03-09T22:00:00-03:00", "2026-03-10T03:00:00-03:00").cotar(tarifario: tarifario, plano: plano())
        #expect(cotacao.linhas.map(\.valor) == [reais(2_000), reais(-500), reais(3_000), reais(-1_500)])
    }

    @Test func seatsMultiplyRateAndCap() throws {
        let tarifario = try tarifario(valorHora: 1_000, teto: 1_500)
        let pedido = try pedido("2026-03-09T10:00:00-03:00", "2026-03-09T12:00:00-03:00", lugares: 3)
        #expect(try pedido.cotar(tarifario: tarifario, plano: plano()).linhas.map(\.valor) == [reais(6_000), reais(-1_500)])
    }

    @Test func aFreeSpaceCostsNothing() throws {
        let pedido = try pedido("2026-03-09T10:00:00-03:00", "2026-03-09T12:00:00-03:00", plano: .enterprise)
        let cotacao = try pedido.cotar(tarifario: tarifario(valorHora: 0), plano: plano(.enterprise, desconto: 20))
        #expect(cotacao.total == .zero && cotacao.linhas.count == 1)
    }

    /// Hours are those that pass, and peak is what the wall clock shows, also when it is set.
    @Test(
        arguments: [
            ("America/Sao_Paulo", "2018-11-03T23:00:00-03:00", "2018-11-04T02:00:00-02:00", [1_000, 1_000]),
            ("America/Sao_Paulo", "2019-02-16T22:00:00-02:00", "2019-02-17T00:00:00-03:00", [3_000]),
            ("America/New_York", "2026-03-08T00:00:00-05:00", "2026-03-08T04:00:00-04:00", [3_000]),
            ("America/New_York", "2026-11-01T00:00:00-04:00", "2026-11-01T03:00:00-05:00", [4_000]),
            ("Australia/Lord_Howe", "2026-04-05T00:00:00+11:00", "2026-04-05T03:00:00+10:30", [3_500]),
            ("Australia/Lord_Howe", "2026-10-04T00:00:00+10:30", "2026-10-04T03:00:00+11:00", [2_500]),
        ] as [(String, String, String, [Int64])])
    func hoursAreThoseThatPass(nome: String, inicio: String, fim: String, linhas: [Int64]) throws {
        let cotacao = try pedido(inicio, fim, zona: nome).cotar(tarifario: tarifario(valorHora: 1_000), plano: plano())
        #expect(cotacao.linhas.map(\.valor) == linhas.map(reais))
    }

    @Test func anHourThatHappensTwiceIsPeakTwice() throws {
        let noite = Multiplicador(nome: "Noite", dias: [.sabado], faixa: try faixa("23:00", "24:00"), milesimos: 2_000)
        let tarifario = try tarifario(valorHora: 1_000, multiplicadores: [noite])
        let pedido = try pedido("2019-02-16T22:00:00-02:00", "2019-02-17T01:00:00-03:00")
        #expect(try pedido.cotar(tarifario: tarifario, plano: plano()).linhas.map(\.valor) == [reais(1_000), reais(4_000), reais(1_000)])
    }

    /// Clocks jump from 02:00 to 03:00, far from where the peak begins.
    @Test func aPeakBeginsByTheClockThatWasSet() throws {
        let cedo = try pico("05:00", "06:00", dias: [.domingo], milesimos: 2_000)
        let tarifario = try tarifario(valorHora: 1_000, multiplicadores: [cedo])
        let pedido = try pedido("2026-03-08T01:00:00-05:00", "2026-03-08T07:00:00-04:00", zona: "America/New_York")
        #expect(try pedido.cotar(tarifario: tarifario, plano: plano()).linhas.map(\.valor) == [reais(3_000), reais(2_000), reais(1_000)])
    }

    @Test func theVersionInForceOnTheDateOfTheStartDecides() throws {
        let antiga = try tarifario(valorHora: 1_000)
        let nova = try tarifario(valorHora: 2_000, desde: "2026-03-10", sobre: antiga)
        func total(_ dia: String) throws -> (Dinheiro, Int) {
            let cotacao = try pedido("\(dia)T10:00:00-03:00", "\(dia)T11:00:00-03:00").cotar(tarifario: nova, plano: plano())
            return (cotacao.total, cotacao.tarifarioVersao.numero)
        }
        #expect(try total("2026-03-09") == (reais(1_000), 1))
        #expect(try total("2026-03-10") == (reais(2_000), 2))
        #expect(throws: RecusaDePrecos.tarifaInexistente(data: try data("2017-12-31"))) { try total("2017-12-31") }
    }

    @Test func aRateForTheSpaceBeatsThatForItsType() throws {
        let comando = PublicarTarifario(
            unidade: unidade,
            vigenteDesde: try data("2026-01-01"),
            tarifas: [
                Tarifa(alvo: .tipo(.salaDeReuniao), valorHora: reais(1_000)), Tarifa(alvo: .espaco(sala), valorHora: reais(700)),
            ],
            multiplicadores: [],
            por: gestor,
            agora: agora
        )
        let tarifario = Tarifario.dobrar(try gravados(comando.decidir(tarifario: .inicial)))
        let pedido = try pedido("2026-03-09T10:00:00-03:00", "2026-03-09T11:00:00-03:00")
        #expect(try pedido.cotar(tarifario: tarifario, plano: plano()).total == reais(700))
        #expect(try comando.decidir(tarifario: tarifario) == [])
    }

    @Test func whatCannotBePricedIsRefused() throws {
        let pedido = try pedido("2026-03-09T10:00:00-03:00", "2026-03-09T11:00:00-03:00", plano: .premium)
        let (tarifario, basico) = (try tarifario(), try plano())
        #expect(throws: RecusaDePrecos.planoInexistente(.premium)) { try pedido.cotar(tarifario: tarifario, plano: .inicial) }
        #expect(throws: RecusaDePrecos.planoInexistente(.premium)) { try pedido.cotar(tarifario: tarifario, plano: basico) }
        let longo = try self.pedido("2026-03-09T10:00:00Z", "2027-03-09T11:00:00Z")
        #expect(throws: RecusaDePrecos.periodoLongoDemais) { try longo.cotar(tarifario: tarifario, plano: basico) }
    }

    @Test func badTariffsAreRefused() throws {
        let hora = Tarifa(alvo: .tipo(.cabine), valorHora: reais(1_000))
        let casos: [([Tarifa], [Multiplicador], RecusaDePrecos.Campo)] = [
            ([], [], .tarifas), ([hora, hora], [], .tarifas),
            ([Tarifa(alvo: .tipo(.cabine), valorHora: reais(-1))], [], .valorHora),
            ([Tarifa(alvo: .tipo(.cabine), valorHora: reais(1), tetoDiario: reais(-1))], [], .tetoDiario),
            ([hora], [try pico("09:00", "12:00"), try pico("11:00", "13:00")], .multiplicadores),
            ([hora], [try pico(milesimos: -1)], .multiplicadores),
        ]
        for (tarifas, multiplicadores, campo) in casos {
            let comando = PublicarTarifario(
                unidade: unidade,
                vigenteDesde: try data("2026-01-01"),
                tarifas: tarifas,
                multiplicadores: multiplicadores,
                por: gestor,
                agora: agora
            )
            #expect(throws: RecusaDePrecos.campoInvalido(campo)) { try comando.decidir(tarifario: .inicial) }
        }
    }

    @Test func aPlanIsNumberedAndOnlyManagementPublishes() throws {
        let basico = try plano()
        let igual = PublicarPlano(plano: .basic, nome: "basic", desconto: .zero, mensalidade: .zero, por: gestor, agora: agora)
        #expect(try igual.decidir(plano: basico) == [])
        let outro = PublicarPlano(plano: .basic, nome: "basic", desconto: .metade, mensalidade: .zero, por: gestor, agora: agora)
        guard case .precos(.planoPublicado(let publicado)) = try gravados(outro.decidir(plano: basico))[0] else { throw Inesperado() }
        #expect(publicado.versao.numero == 2)
        let membro = Autoridade.ator(Ator(usuario: id(1), papel: .recepcao))
        let intruso = PublicarPlano(plano: .basic, nome: "basic", desconto: .todo, mensalidade: .zero, por: membro, agora: agora)
        #expect(throws: RecusaDePrecos.soGestor) { try intruso.decidir(plano: basico) }
    }

    /// Random tariffs and intervals: the lines add up to the total, tile the time, and the total stays within what one rounding a
    /// line allows of the exact price, minute by minute on the wall clock.
    @Test func linesAddUpToTheTotalAndTileTheTime() throws {
        var sorteio = SeededGenerator(seed: 5)
        let zonas = try ["America/Sao_Paulo", "America/New_York", "Australia/Lord_Howe"].map(zona)
        for _ in 0..<400 {
            let multiplicadores = try [("06:00", "09:20"), ("09:20", "17:45"), ("22:00", "24:00")].map { abre, fecha in
                try pico(abre, fecha, dias: DiaDaSemana.allCases, milesimos: Int.random(in: 0...3_000, using: &sorteio))
            }
            let valorHora = Int64.random(in: 0...20_000, using: &sorteio)
            let lugares = Int.random(in: 1...4, using: &sorteio)
            let desconto = Int.random(in: 0...100, using: &sorteio)
            let inicio = Instante(segundos: 1_540_999_980 + 60 * Int64.random(in: 0..<200_000, using: &sorteio))
            let duracao = Duracao.minutos(Int.random(in: 1...4_000, using: &sorteio))
            let zona = zonas.randomElement(using: &sorteio) ?? zonas[0]
            let pedido = PedidoDeCotacao(
                espaco: sala,
                tipo: .salaDeReuniao,
                intervalo: try #require(Intervalo(inicio: inicio, fim: inicio + duracao)),
                lugares: lugares,
                zona: zona,
                plano: .basic
            )

            let cotacao = try pedido.cotar(
                tarifario: tarifario(valorHora: valorHora, multiplicadores: multiplicadores),
                plano: plano(desconto: desconto)
            )

            #expect(try Dinheiro.somar(cotacao.linhas.map(\.valor)) == cotacao.total)
            try conferirBeneficios(pedido, valorHora, multiplicadores, desconto, semBeneficios: cotacao, &sorteio)
            let tempos = cotacao.linhas.compactMap { if case .tempo(let linha) = $0 { linha.intervalo } else { nil } }
            #expect(tempos.first?.inicio == inicio && tempos.last?.fim == pedido.intervalo.fim)
            #expect(zip(tempos, tempos.dropFirst()).allSatisfy { $0.fim == $1.inicio })
            let exato = precoExato(pedido, valorHora: valorHora, multiplicadores: multiplicadores, desconto: desconto)
            #expect(abs(Double(cotacao.total.centavos) - exato) <= 0.5 * Double(cotacao.linhas.count) + 1e-6)
        }
    }

    /// With credits, a coupon and a cap: the lines still add up, nothing costs less than nothing or more than without them, and
    /// no more credits are used than there are.
    private func conferirBeneficios(
        _ pedido: PedidoDeCotacao,
        _ valorHora: Int64,
        _ multiplicadores: [Multiplicador],
        _ desconto: Int,
        semBeneficios: Cotacao,
        _ sorteio: inout SeededGenerator
    ) throws {
        let creditos = Int.random(in: 0...6_000, using: &sorteio)
        let parte = DescontoDoCupom.percentual(try percentual(Int.random(in: 1...100, using: &sorteio)))
        let valor = DescontoDoCupom.valor(reais(Int64.random(in: 1...200_000, using: &sorteio)))
        let termos = TermosDoCupom(desconto: Bool.random(using: &sorteio) ? parte : valor, limiteDeUsos: 1)
        let codigo = try #require(CodigoDoCupom("SORTE"))
        let cupom = try Cupom.dobrar([.precos(.cupomCriado(CupomCriado(codigo: codigo, termos: termos, em: agora)))])
            .aplicavel(codigo: codigo, espaco: sala, tipo: .salaDeReuniao, usuario: nil, hoje: data("2026-03-09"))
        let teto = Bool.random(using: &sorteio) ? Int64.random(in: 0...50_000, using: &sorteio) : nil

        let cotacao = try pedido.cotar(
            tarifario: tarifario(valorHora: valorHora, teto: teto, multiplicadores: multiplicadores),
            plano: plano(desconto: desconto),
            beneficios: BeneficiosDaCotacao(creditos: creditos, cupom: cupom)
        )

        #expect(try Dinheiro.somar(cotacao.linhas.map(\.valor)) == cotacao.total)
        #expect(cotacao.total >= .zero && cotacao.total <= semBeneficios.total)
        #expect((cotacao.creditos?.valor ?? 0) <= creditos)
        #expect(cotacao.descontoDoCupom >= .zero && cotacao.pagoComCreditos >= .zero)
        #expect((cotacao.cupom != nil) == (cotacao.descontoDoCupom > .zero))
        let minutos = cotacao.linhas.reduce(0) { if case .creditos(let linha) = $1 { $0 + linha.minutos.valor } else { $0 } }
        #expect(minutos == cotacao.creditos?.valor ?? 0)
        if creditos >= Int(pedido.intervalo.duracao.microssegundos / 60_000_000) * pedido.lugares { #expect(cotacao.total == .zero) }
    }

    private func precoExato(_ pedido: PedidoDeCotacao, valorHora: Int64, multiplicadores: [Multiplicador], desconto: Int) -> Double {
        var milesimosDeMinuto = 0
        var momento = pedido.intervalo.inicio
        while momento < pedido.intervalo.fim {
            let local = pedido.zona.local(de: momento)
            let vigente = multiplicadores.first { $0.dias.contains(local.data.diaDaSemana) && $0.faixa.contem(local.hora) }
            milesimosDeMinuto += vigente?.milesimos ?? 1_000
            momento = momento + .minutos(1)
        }
        return Double(valorHora) * Double(milesimosDeMinuto) / 60_000 * Double(pedido.lugares) * Double(100 - desconto) / 100
    }
}
