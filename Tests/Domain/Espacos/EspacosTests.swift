import Domain
import Testing

@Suite struct EspacosTests {
    let unidade: UnidadeID = id(1)
    let sala: EspacoID = id(2)
    let admin = Autoridade.ator(Ator(usuario: id(9), papel: .admin))
    let recepcao = Autoridade.ator(Ator(usuario: id(8), papel: .recepcao))
    let membro = Autoridade.ator(Ator(usuario: id(7), papel: .membro))
    let agora = Instante(segundos: 1_772_366_400)

    private func ficha(nome: String = "Sala Ipê", capacidade: Int = 8, lugares: Int = 1) -> FichaDoEspaco {
        FichaDoEspaco(
            nome: nome,
            tipo: .salaDeReuniao,
            capacidade: capacidade,
            lugares: lugares,
            comodidades: ["quadro"],
            descricao: ""
        )
    }

    private func criar(_ ficha: FichaDoEspaco, regras: RegrasDeReserva? = nil, por: Autoridade? = nil) -> CriarEspaco {
        CriarEspaco(
            espaco: sala,
            unidade: unidade,
            ficha: ficha,
            semana: .vinteQuatroHoras,
            fechaEmFeriados: true,
            regras: regras,
            por: por ?? admin,
            agora: agora
        )
    }

    private func criada() throws -> Unidade {
        let comando = CriarUnidade(
            unidade: unidade,
            nome: "Paulista",
            fuso: "America/Sao_Paulo",
            endereco: "Av. Paulista, 1000",
            por: admin,
            agora: agora
        )
        return Unidade.dobrar(try gravados(comando.decidir(unidade: .inicial)))
    }

    private func espaco(_ depois: [EventosDoFluxo] = []) throws -> Espaco {
        Espaco.dobrar(try gravados(criar(ficha(), regras: .padrao).decidir(espaco: .inicial, unidade: criada()) + depois))
    }

    private func regras(
        passo: Int = 30, minima: Int = 30, maxima: Int = 480, antecedencia: Int = 0, horizonte: Int = 1_440, retencao: Int = 15
    )
        throws -> RegrasDeReserva
    {
        RegrasDeReserva(
            duracaoMinima: try minutos(minima),
            duracaoMaxima: try minutos(maxima),
            passo: try minutos(passo),
            bufferAntes: .zero,
            bufferDepois: .quinze,
            antecedenciaMinima: try minutos(antecedencia),
            horizonte: try minutos(horizonte),
            cancelamento: .padrao,
            retencao: try minutos(retencao)
        )
    }

    @Test func aUnitIsMadeOnceAndDescribedAnew() throws {
        let criada = try criada()
        guard case .criada(let dados) = criada else { throw Inesperado() }
        #expect(dados.fuso == "America/Sao_Paulo")
        let comando = AtualizarUnidade(unidade: unidade, nome: "Norte", fuso: "America/Manaus", endereco: "Rua 1", por: admin, agora: agora)
        let decididos = try comando.decidir(unidade: criada)
        let atualizada = Unidade.dobrar(try gravados(decididos))
        #expect(try comando.decidir(unidade: atualizada) == [])
        #expect(throws: RecusaDeEspacos.unidadeNaoEncontrada) { try comando.decidir(unidade: .inicial) }
    }

    @Test func aSpaceBeginsWithItsHoursAndRules() throws {
        guard case .ativo(let dados) = try espaco() else { throw Inesperado() }
        #expect(dados.semana == .vinteQuatroHoras && dados.fechaEmFeriados)
        #expect(dados.regras == .padrao && dados.versaoDasRegras.numero == 1)
        #expect(try criar(ficha()).decidir(espaco: espaco(), unidade: criada()) == [])
        #expect(throws: RecusaDeEspacos.unidadeNaoEncontrada) { try criar(ficha()).decidir(espaco: .inicial, unidade: .inicial) }
    }

    @Test(arguments: [
        ("", 8, 1, RecusaDeEspacos.campoInvalido(.nome)), ("   ", 8, 1, .campoInvalido(.nome)),
        (String(repeating: "a", count: 121), 8, 1, .campoInvalido(.nome)), ("Sala", 0, 1, .campoInvalido(.capacidade)),
        ("Sala", 8, 0, .campoInvalido(.lugares)), ("Sala", 8, 9, .campoInvalido(.lugares)),
    ])
    func aBadDescriptionIsRefused(nome: String, capacidade: Int, lugares: Int, recusa: RecusaDeEspacos) throws {
        let unidade = try criada()
        #expect(throws: recusa) {
            try criar(ficha(nome: nome, capacidade: capacidade, lugares: lugares)).decidir(espaco: .inicial, unidade: unidade)
        }
    }

    @Test func seatsThatAreBookedStay() throws {
        let muitas = try AtualizarEspaco(espaco: sala, ficha: ficha(lugares: 8), por: admin, agora: agora)
            .decidir(espaco: espaco(), ocupacaoAdiante: 0)
        let espaco = try espaco(muitas)
        let menos = AtualizarEspaco(espaco: sala, ficha: ficha(lugares: 5), por: admin, agora: agora)
        #expect(throws: RecusaDeEspacos.lugaresJaReservados(6)) { try menos.decidir(espaco: espaco, ocupacaoAdiante: 6) }
        #expect(try menos.decidir(espaco: espaco, ocupacaoAdiante: 5).count == 1)
    }

    @Test func rulesAreNumbered() throws {
        let comando = DefinirRegras(espaco: sala, regras: try regras(), por: recepcao, agora: agora)
        let decididos = try comando.decidir(espaco: espaco())
        let dados = try #require(espaco(decididos).dados)
        #expect(dados.versaoDasRegras.numero == 2 && dados.regras.bufferDepois == .quinze)
        #expect(try comando.decidir(espaco: espaco(decididos)) == [])
    }

    @Test(arguments: [
        (0, 30, 480, 0, 1_440, 15, RecusaDeEspacos.Campo.passo), (30, 0, 480, 0, 1_440, 15, .duracaoMinima),
        (30, 45, 480, 0, 1_440, 15, .duracaoMinima), (30, 60, 30, 0, 1_440, 15, .duracaoMaxima),
        (30, 30, 44_670, 0, 1_440, 15, .duracaoMaxima), (30, 30, 480, 1_440, 1_440, 15, .horizonte), (30, 30, 480, 0, 1_440, 0, .retencao),
    ])
    func rulesThatNoBookingCouldMeetAreRefused(
        passo: Int,
        minima: Int,
        maxima: Int,
        antecedencia: Int,
        horizonte: Int,
        retencao: Int,
        campo: RecusaDeEspacos.Campo
    ) throws {
        let ruins = try regras(
            passo: passo,
            minima: minima,
            maxima: maxima,
            antecedencia: antecedencia,
            horizonte: horizonte,
            retencao: retencao
        )
        let espaco = try espaco()
        #expect(throws: RecusaDeEspacos.campoInvalido(campo)) {
            try DefinirRegras(espaco: sala, regras: ruins, por: admin, agora: agora).decidir(espaco: espaco)
        }
    }

    @Test func aClosureComesAndGoes() throws {
        let natal = Fechamento(
            id: id(5),
            periodo: try #require(PeriodoLocal(de: data("2026-12-24"), ate: data("2026-12-26"))),
            motivo: "Natal"
        )
        let fechar = DefinirFechamento(espaco: sala, fechamento: natal, por: recepcao, agora: agora)
        let fechado = try fechar.decidir(espaco: espaco())
        #expect(try espaco(fechado).dados?.fechamentos == [natal])
        #expect(try fechar.decidir(espaco: espaco(fechado)) == [])

        let abrir = RemoverFechamento(espaco: sala, fechamento: natal.id, por: recepcao, agora: agora)
        let aberto = try abrir.decidir(espaco: espaco(fechado))
        #expect(try espaco(fechado + aberto).dados?.fechamentos == [])
        #expect(try abrir.decidir(espaco: espaco(fechado + aberto)) == [])
    }

    @Test func aSpaceWithBookingsAheadIsNotDeactivated() throws {
        let comando = DesativarEspaco(espaco: sala, por: admin, agora: agora)
        let espaco = try espaco()
        #expect(throws: RecusaDeEspacos.reservasAdiante(2)) { try comando.decidir(espaco: espaco, reservasAdiante: 2) }
        #expect(RecusaDeEspacos.reservasAdiante(2).especie == .conflito)

        let fora = try comando.decidir(espaco: espaco, reservasAdiante: 0)
        guard case .desativado = try self.espaco(fora) else { throw Inesperado() }
        #expect(try comando.decidir(espaco: self.espaco(fora), reservasAdiante: 2) == [])
        let volta = try ReativarEspaco(espaco: sala, por: admin, agora: agora).decidir(espaco: self.espaco(fora))
        #expect(try self.espaco(fora + volta) == espaco)
    }

    @Test func rolesAreKept() throws {
        let (unidade, espaco, regras) = (try criada(), try espaco(), try regras())
        #expect(throws: RecusaDeEspacos.soAdministrador) { try criar(ficha(), por: recepcao).decidir(espaco: .inicial, unidade: unidade) }
        #expect(throws: RecusaDeEspacos.soEquipe) {
            try DefinirRegras(espaco: sala, regras: regras, por: membro, agora: agora).decidir(espaco: espaco)
        }
    }

    @Test func hoursOfADayDoNotOverlap() throws {
        let manha = try faixa("08:00", "12:00")
        #expect(HorarioSemanal([.segunda: [manha, try faixa("11:59", "18:00")]]) == nil)
        #expect(HorarioSemanal([.segunda: [try faixa("12:00", "24:00"), manha]])?.faixas(de: .segunda).first == manha)
    }

    @Test func refundTiersDoNotContradictEachOther() throws {
        func politica(_ faixas: [(Int, Int)]) throws -> PoliticaDeCancelamento? {
            PoliticaDeCancelamento(
                try faixas.map { FaixaDeReembolso(antecedencia: try minutos($0.0), percentual: try percentual($0.1)) }
            )
        }
        #expect(try politica([(240, 50), (1_440, 100)]) == .padrao)
        #expect(try politica([(240, 100), (1_440, 50)]) == nil)
        #expect(try politica([(240, 50), (240, 100)]) == nil)
    }
}

@Suite struct AberturaTests {
    private func dados(_ semana: HorarioSemanal, feriados: Bool = false, fechamentos: [Fechamento] = []) -> DadosDoEspaco {
        let em = Instante(segundos: 0)
        let ficha = FichaDoEspaco(nome: "Sala", tipo: .cabine, capacidade: 1, lugares: 1, comodidades: [], descricao: "")
        let eventos: [EventoDeEspacos] =
            [
                .espacoCriado(EspacoCriado(espaco: id(1), unidade: id(2), ficha: ficha, em: em)),
                .horarioDefinido(HorarioDefinido(espaco: id(1), semana: semana, fechaEmFeriados: feriados, em: em)),
            ] + fechamentos.map { .fechamentoDefinido(FechamentoDefinido(espaco: id(1), fechamento: $0, em: em)) }
        guard let dados = Espaco.dobrar(eventos.map(EventoDoDominio.espacos)).dados else { fatalError("a space was just made") }
        return dados
    }

    @Test func aroundTheClockIsOneStretchOverAnyDay() throws {
        let saoPaulo = try zona("America/Sao_Paulo")
        let abertas = try dados(.vinteQuatroHoras).aberturas(de: data("2018-11-03"), ate: data("2018-11-05"), zona: saoPaulo)
        #expect(abertas == [try intervalo("2018-11-03T03:00:00Z", "2018-11-06T02:00:00Z")])
    }

    @Test func closuresAndHolidaysAreTakenOff() throws {
        let manaus = try zona("America/Manaus")
        let periodo = try #require(PeriodoLocal(inicio: local("2026-12-24T12:00"), fim: local("2026-12-24T18:00")))
        let festa = Fechamento(id: id(3), periodo: periodo, motivo: "Festa")
        let espaco = dados(.vinteQuatroHoras, feriados: true, fechamentos: [festa])

        let abertas = espaco.aberturas(de: try data("2026-12-24"), ate: try data("2026-12-26"), zona: manaus)

        #expect(
            abertas == [
                try intervalo("2026-12-24T04:00:00Z", "2026-12-24T16:00:00Z"),
                try intervalo("2026-12-24T22:00:00Z", "2026-12-25T04:00:00Z"),
                try intervalo("2026-12-26T04:00:00Z", "2026-12-27T04:00:00Z"),
            ]
        )
        #expect(espaco.motivoDeFechamento(em: try intervalo("2026-12-24T15:00:00Z", "2026-12-24T16:30:00Z"), zona: manaus) == "Festa")
        #expect(espaco.motivoDeFechamento(em: try intervalo("2026-12-25T15:00:00Z", "2026-12-25T16:30:00Z"), zona: manaus) == "Natal")
        #expect(espaco.motivoDeFechamento(em: try intervalo("2026-12-26T15:00:00Z", "2026-12-26T16:30:00Z"), zona: manaus) == nil)
    }

    /// A space is open exactly when the wall clock shows a time within the hours of the day it shows.
    @Test(arguments: [
        ("America/Sao_Paulo", "2018-11-03"), ("America/Sao_Paulo", "2019-02-15"), ("America/New_York", "2026-03-07"),
        ("America/New_York", "2026-10-31"), ("Australia/Lord_Howe", "2026-04-04"), ("Australia/Lord_Howe", "2026-10-03"),
    ])
    func opensByTheWallClock(nome: String, primeiro: String) throws {
        let zona = try zona(nome)
        let semana = try #require(
            HorarioSemanal([
                .sabado: [try faixa("01:00", "02:15"), try faixa("18:00", "24:00")],
                .domingo: [try faixa("00:00", "01:45"), try faixa("02:00", "03:00")],
            ])
        )
        let primeira = try data(primeiro)
        let abertas = dados(semana).aberturas(de: primeira, ate: primeira.somandoDias(2), zona: zona)
        let inicio = zona.inicioDoDia(primeira)
        for minuto in 0..<(70 * 60) {
            let momento = inicio + .minutos(minuto)
            let mostra = zona.local(de: momento)
            let esperado = semana.faixas(de: mostra.data.diaDaSemana).contains { $0.contem(mostra.hora) }
            #expect(abertas.contains { $0.contem(momento) } == esperado, "\(mostra)")
        }
    }
}
