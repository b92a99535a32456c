import Domain
import TestSupport
import Testing

@Suite struct VagasTests {
    let agora = "2026-03-09T07:10:00-03:00"

    private func vagas(_ cenario: Cenario, _ datas: [DataCivil], duracao: Duracao, agora: String? = nil) throws -> Vagas {
        let espaco = try cenario.espaco
        let dias = Vagas.diasDaAgenda(datas: datas, duracao: duracao, espaco: espaco, zona: cenario.zona)
        return Vagas(espaco: espaco, zona: cenario.zona, agendas: cenario.agendas(dias), agora: try instante(agora ?? self.agora))
    }

    private func comercial() throws -> HorarioSemanal {
        let horario = [try faixa("08:00", "18:00")]
        return try #require(HorarioSemanal(Dictionary(uniqueKeysWithValues: DiaDaSemana.allCases.map { ($0, horario) })))
    }

    private func alternativas(_ cenario: Cenario, _ pedido: Intervalo, lugares: Int = 1, limite: Int = 4) throws -> [String] {
        let datas = Vagas.datas(
            perto: pedido.inicio,
            alcance: Vagas.alcancePadrao,
            zona: cenario.zona,
            agora: try instante(agora)
        )
        return try vagas(cenario, datas, duracao: pedido.duracao)
            .alternativas(inicio: pedido.inicio, duracao: pedido.duracao, lugares: lugares, datas: datas, limite: limite)
            .map { cenario.zona.local(de: $0.inicio).texto }
    }

    @Test func theNearestFreeSlotsAreOffered() throws {
        var cenario = try Cenario(semana: comercial())
        let pedido = try intervalo("2026-03-09T10:00:00-03:00", "2026-03-09T11:00:00-03:00")
        try cenario.reservar(id(1), pedido, agora: instante(agora))
        #expect(
            try alternativas(cenario, pedido)
                == ["2026-03-09T09:00:00", "2026-03-09T11:00:00", "2026-03-09T08:00:00", "2026-03-09T12:00:00"]
        )
        #expect(try alternativas(cenario, pedido, limite: 1) == ["2026-03-09T09:00:00"])
    }

    @Test func afterAFullDayTheNextIsOffered() throws {
        var cenario = try Cenario(semana: comercial())
        try cenario.reservar(
            id(1),
            intervalo("2026-03-09T08:00:00-03:00", "2026-03-09T18:00:00-03:00"),
            agora: instante(agora)
        )
        let pedido = try intervalo("2026-03-09T16:00:00-03:00", "2026-03-09T18:00:00-03:00")
        #expect(try alternativas(cenario, pedido, limite: 2) == ["2026-03-10T08:00:00", "2026-03-10T10:00:00"])
    }

    /// Every alternative can be booked, whatever the agenda, buffers, seats and clocks.
    @Test(arguments: [
        ("America/Sao_Paulo", "2018-11-03T20:00"), ("America/Sao_Paulo", "2019-02-16T20:00"),
        ("Australia/Lord_Howe", "2026-04-04T20:00"), ("America/New_York", "2026-03-09T10:00"),
    ])
    func everyAlternativeCanBeBooked(fuso: String, perto: String) throws {
        var sorteio = SeededGenerator(seed: 6)
        let regras = RegrasDeReserva(
            duracaoMinima: .trinta,
            duracaoMaxima: .umDia,
            passo: .trinta,
            bufferAntes: .quinze,
            bufferDepois: .trinta,
            antecedenciaMinima: .umaHora,
            horizonte: .noventaDias,
            cancelamento: .padrao,
            retencao: .quinze
        )
        var cenario = try Cenario(lugares: 3, regras: regras, fuso: fuso)
        let centro = try cenario.zona.instantePedido(local(perto))
        let agora = centro - .horas(30)
        for numero in 0..<150 {
            let inicio = centro + .minutos(30 * Int.random(in: -48...96, using: &sorteio))
            let fim = inicio + .minutos(30 * Int.random(in: 1...6, using: &sorteio))
            let lugares = Int.random(in: 1...3, using: &sorteio)
            let pedido = try #require(Intervalo(inicio: inicio, fim: fim))
            _ = try? cenario.reservar(id(UInt64(numero)), pedido, lugares: lugares, agora: agora)
        }
        let datas = Vagas.datas(perto: centro, alcance: 2, zona: cenario.zona, agora: agora)
        let espaco = try cenario.espaco
        let dias = Vagas.diasDaAgenda(datas: datas, duracao: .horas(2), espaco: espaco, zona: cenario.zona)
        let livres = Vagas(espaco: espaco, zona: cenario.zona, agendas: cenario.agendas(dias), agora: agora)
            .alternativas(inicio: centro, duracao: .horas(2), lugares: 2, datas: datas, limite: 5)
        #expect(!livres.isEmpty)
        for (numero, livre) in livres.enumerated() {
            var copia = cenario
            try copia.reservar(id(UInt64(1_000 + numero)), livre, lugares: 2, agora: agora)
        }
    }

    @Test func aDaySaysWhatIsFreeAndWhatIsTaken() throws {
        var cenario = try Cenario(lugares: 2, semana: comercial())
        let agora = try instante(agora)
        try cenario.reservar(id(1), intervalo("2026-03-09T09:00:00-03:00", "2026-03-09T17:00:00-03:00"), agora: agora)
        try cenario.reservar(id(2), intervalo("2026-03-09T10:00:00-03:00", "2026-03-09T17:30:00-03:00"), agora: agora)
        let dia = try data("2026-03-09")

        let resposta = try vagas(cenario, [dia], duracao: .minutos(30)).disponibilidade(em: dia)

        #expect(resposta.aberturas == [try intervalo("2026-03-09T08:00:00-03:00", "2026-03-09T18:00:00-03:00")])
        let vagas = resposta.vagas.map { "\(cenario.zona.local(de: $0.intervalo.inicio).hora) \($0.livres)" }
        #expect(vagas == ["08:00 2", "08:30 2", "09:00 1", "09:30 1", "17:00 1", "17:30 2"])
        #expect(resposta.ocupados.map(\.lugares) == [1, 2, 1])
        #expect(resposta.ocupados.first?.intervalo == (try intervalo("2026-03-09T09:00:00-03:00", "2026-03-09T10:00:00-03:00")))
    }

    @Test func whatIsPastIsNotFree() throws {
        let cenario = try Cenario(semana: comercial())
        let dia = try data("2026-03-09")
        let resposta = try vagas(cenario, [dia], duracao: .minutos(30), agora: "2026-03-09T16:40:00-03:00").disponibilidade(em: dia)
        #expect(resposta.vagas.map { cenario.zona.local(de: $0.intervalo.inicio).hora.texto } == ["17:00", "17:30"])
    }

    /// Half-hour slots of days around the clock: two for each hour the day has.
    @Test(arguments: [
        ("America/Sao_Paulo", "2018-11-04", 46), ("America/Sao_Paulo", "2019-02-16", 50), ("America/New_York", "2026-03-08", 46),
        ("America/New_York", "2026-11-01", 50), ("Australia/Lord_Howe", "2026-10-04", 47), ("Australia/Lord_Howe", "2026-04-05", 49),
    ])
    func aDayHasTheSlotsOfItsHours(fuso: String, dia: String, esperado: Int) throws {
        let cenario = try Cenario(fuso: fuso)
        let dia = try data(dia)
        let vespera = cenario.zona.inicioDoDia(dia.somandoDias(-1)).texto
        let resposta = try vagas(cenario, [dia], duracao: .minutos(30), agora: vespera).disponibilidade(em: dia)
        #expect(resposta.vagas.count == esperado)
        #expect(zip(resposta.vagas, resposta.vagas.dropFirst()).allSatisfy { $0.intervalo.fim == $1.intervalo.inicio })
    }
}
