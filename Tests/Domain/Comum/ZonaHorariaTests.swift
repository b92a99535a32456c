import Domain
import FoundationEssentials
import TestSupport
import Testing

@Suite struct ZonaHorariaTests {
    /// What `TZ=<zone> date -d @<seconds> +%FT%T` prints.
    @Test(arguments: [
        ("America/Sao_Paulo", "2018-11-04T02:59:59Z", "2018-11-03T23:59:59"),
        ("America/Sao_Paulo", "2018-11-04T03:00:00Z", "2018-11-04T01:00:00"),
        ("America/Sao_Paulo", "2019-02-17T01:59:59Z", "2019-02-16T23:59:59"),
        ("America/Sao_Paulo", "2019-02-17T02:00:00Z", "2019-02-16T23:00:00"),
        ("America/Sao_Paulo", "2050-01-01T12:00:00Z", "2050-01-01T09:00:00"),
        ("America/Manaus", "2026-07-01T12:00:00Z", "2026-07-01T08:00:00"),
        ("America/Rio_Branco", "2026-07-01T12:00:00Z", "2026-07-01T07:00:00"),
        ("America/Noronha", "2026-07-01T12:00:00Z", "2026-07-01T10:00:00"),
        ("America/New_York", "2026-03-08T06:59:59Z", "2026-03-08T01:59:59"),
        ("America/New_York", "2026-03-08T07:00:00Z", "2026-03-08T03:00:00"),
        ("America/New_York", "2060-07-04T16:00:00Z", "2060-07-04T12:00:00"),
        ("America/New_York", "2060-12-25T17:00:00Z", "2060-12-25T12:00:00"),
        ("Australia/Lord_Howe", "2026-04-04T14:59:59Z", "2026-04-05T01:59:59"),
        ("Australia/Lord_Howe", "2026-04-04T15:00:00Z", "2026-04-05T01:30:00"),
        ("Australia/Lord_Howe", "2055-01-15T00:00:00Z", "2055-01-15T11:00:00"),
        ("Australia/Lord_Howe", "2055-06-15T00:00:00Z", "2055-06-15T10:30:00"),
        ("Europe/Dublin", "2045-07-01T12:00:00Z", "2045-07-01T13:00:00"),
        ("Asia/Kathmandu", "2026-01-01T00:00:00Z", "2026-01-01T05:45:00"),
        ("Etc/UTC", "2026-01-01T00:00:00Z", "2026-01-01T00:00:00"),
    ])
    func showsWhatTheWallClockShows(nome: String, momento: String, esperado: String) throws {
        #expect(try zona(nome).local(de: instante(momento)).texto == esperado)
    }

    @Test func aTimeThatClocksJumpOverDoesNotExist() throws {
        let saoPaulo = try zona("America/Sao_Paulo")
        let esperado = ResolucaoLocal.inexistente(
            antes: try local("2018-11-04T00:00"),
            depois: try local("2018-11-04T01:00"),
            transicao: try instante("2018-11-04T03:00:00Z")
        )
        #expect(saoPaulo.instantes(de: try local("2018-11-04T00:00")) == esperado)
        #expect(saoPaulo.instantes(de: try local("2018-11-04T00:59:59.999999")) == esperado)
        #expect(saoPaulo.instantes(de: try local("2018-11-04T01:00")) == .unica(try instante("2018-11-04T03:00:00Z")))

        let lordHowe = try zona("Australia/Lord_Howe").instantes(de: try local("2026-10-04T02:15"))
        let meiaHora = ResolucaoLocal.inexistente(
            antes: try local("2026-10-04T02:00"),
            depois: try local("2026-10-04T02:30"),
            transicao: try instante("2026-10-03T15:30:00Z")
        )
        #expect(lordHowe == meiaHora)
    }

    @Test(arguments: [
        ("America/Sao_Paulo", "2019-02-16T23:30", "2019-02-17T01:30:00Z", "2019-02-17T02:30:00Z"),
        ("America/New_York", "2026-11-01T01:00", "2026-11-01T05:00:00Z", "2026-11-01T06:00:00Z"),
        ("America/New_York", "2070-11-02T01:59", "2070-11-02T05:59:00Z", "2070-11-02T06:59:00Z"),
        ("Australia/Lord_Howe", "2026-04-05T01:45", "2026-04-04T14:45:00Z", "2026-04-04T15:15:00Z"),
    ])
    func aTimeThatClocksGoBackOverHappensTwice(nome: String, hora: String, primeira: String, segunda: String) throws {
        let resolvida = try zona(nome).instantes(de: local(hora))
        #expect(resolvida == .ambigua(primeira: try instante(primeira), segunda: try instante(segunda)))
    }

    @Test(arguments: [
        ("America/Sao_Paulo", "2018-11-03", 24.0), ("America/Sao_Paulo", "2018-11-04", 23), ("America/Sao_Paulo", "2019-02-16", 25),
        ("America/Sao_Paulo", "2019-02-17", 24), ("America/New_York", "2026-03-08", 23), ("America/New_York", "2026-11-01", 25),
        ("Australia/Lord_Howe", "2026-04-05", 24.5), ("Australia/Lord_Howe", "2026-10-04", 23.5),
        ("Australia/Lord_Howe", "2061-10-02", 23.5),
    ])
    func aDayHasTheHoursItHas(nome: String, dia: String, horas: Double) throws {
        let zona = try zona(nome)
        let intervalo = try #require(zona.dia(data(dia)))
        #expect(Double(intervalo.duracao.microssegundos) / 3_600_000_000 == horas)
        #expect(zona.data(de: intervalo.inicio) == (try data(dia)))
    }

    @Test func aDayThatAZoneSkippedIsNone() throws {
        #expect(try zona("Pacific/Apia").dia(data("2011-12-30")) == nil)
    }

    @Test func stretchesHoldExactlyTheMomentsThatShowTheirTimes() throws {
        for (nome, dia) in [
            ("America/Sao_Paulo", "2018-11-04"), ("America/Sao_Paulo", "2019-02-16"), ("Australia/Lord_Howe", "2026-04-05"),
        ] {
            let zona = try zona(nome)
            let (abre, fecha) = (try data(dia).meiaNoite + .minutos(15), try data(dia).meiaNoite + .minutos(23 * 60 + 30))
            let trechos = zona.trechos(de: abre, ate: fecha)
            let inicio = zona.inicioDoDia(try data(dia)) - .horas(3)
            for minuto in 0..<(31 * 60) {
                let momento = inicio + .minutos(minuto)
                let mostra = zona.local(de: momento)
                #expect(trechos.contains { $0.contem(momento) } == (abre <= mostra && mostra < fecha), "\(nome) \(momento)")
            }
        }
    }

    /// Both directions agree at random moments of many zones, before, within and after their tables.
    @Test(arguments: [
        "America/Sao_Paulo", "America/New_York", "Australia/Lord_Howe", "Europe/London", "Africa/Casablanca", "Asia/Gaza",
        "Pacific/Apia", "America/St_Johns", "Antarctica/Troll", "Pacific/Chatham", "America/Nuuk",
    ])
    func goingThereAndBackEndsAtTheSameMoment(_ nome: String) throws {
        let zona = try zona(nome)
        var sorteio = SeededGenerator(seed: 3)
        for _ in 0..<2_000 {
            let momento = Instante(segundos: Int64.random(in: -3_000_000_000..<5_000_000_000, using: &sorteio))
            switch zona.instantes(de: zona.local(de: momento)) {
            case .unica(let instante): #expect(instante == momento)
            case .ambigua(let primeira, let segunda): #expect(primeira < segunda && (primeira == momento || segunda == momento))
            case .inexistente: Issue.record("\(momento) shows a time that does not exist")
            }
        }
    }

    @Test(arguments: [
        "", "X", "EST", "EST5EDT", "EST5EDT,M3.2.0", "EST5EDT,M13.2.0,M11.1.0", "EST5EDT,M3.6.0,M11.1.0", "EST5EDT,M3.2.7,M11.1.0",
        "EST5EDT,M3.2.0,M11.1.0x", "EST25", "<-03", "EST5EDT,J0,J365", "EST5EDT,M3.2.0/168,M11.1.0",
    ])
    func refusesBadPosixRules(_ texto: String) {
        #expect(RegraPosix(texto) == nil)
    }

    /// Posix rule, moment, seconds east of Greenwich.
    @Test(arguments: [
        ("<-03>3", "2026-01-01T00:00:00Z", -10_800),
        ("EST5EDT,M3.2.0,M11.1.0", "2026-03-08T06:59:59Z", -18_000),
        ("EST5EDT,M3.2.0,M11.1.0", "2026-03-08T07:00:00Z", -14_400),
        ("<+1030>-10:30<+11>-11,M10.1.0,M4.1.0", "2026-04-04T14:59:59Z", 39_600),
        ("<+1030>-10:30<+11>-11,M10.1.0,M4.1.0", "2026-04-04T15:00:00Z", 37_800),
        ("IST-1GMT0,M10.5.0,M3.5.0/1", "2026-12-25T00:00:00Z", 0),
        ("<-02>2<-01>,M3.5.0/-1,M10.5.0/0", "2026-03-29T00:59:59Z", -7_200),
        ("<-02>2<-01>,M3.5.0/-1,M10.5.0/0", "2026-03-29T01:00:00Z", -3_600),
        ("AAA0BBB,J60/0,J300/0", "2024-03-01T00:00:00Z", 3_600),
        ("AAA0BBB,J60/0,J300/0", "2024-02-29T23:59:59Z", 0),
        ("AAA0BBB,59/0,300/0", "2024-02-29T00:00:00Z", 3_600),
        ("AAA0BBB,M2.5.0/0,M12.5.0/0", "2026-02-21T23:59:59Z", 0),
        ("AAA0BBB,M2.5.0/0,M12.5.0/0", "2026-02-22T00:00:00Z", 3_600),
        ("AAA0BBB,0/0,J365/25", "2024-12-31T23:59:59Z", 3_600),
    ])
    func followsPosixRules(texto: String, momento: String, deslocamento: Int64) throws {
        let regra = try #require(RegraPosix(texto))
        let zona = ZonaHoraria(nome: "teste", deslocamentoInicial: 0, transicoes: [], regraFinal: regra)
        #expect(zona.deslocamento(em: try instante(momento)) == deslocamento)
    }

    @Test func refusesBytesThatAreNotAZone() throws {
        let bytes = Array(try Data(contentsOf: URL(filePath: "/usr/share/zoneinfo/America/Sao_Paulo")))
        for tamanho in 0..<bytes.count {
            #expect(throws: ErroDeZona.self) { try ZonaHoraria(nome: "cortada", tzif: Array(bytes.prefix(tamanho))) }
        }
        var sorteio = SeededGenerator(seed: 4)
        for _ in 0..<2_000 {
            var estragados = bytes
            estragados[Int.random(in: 0..<bytes.count, using: &sorteio)] = UInt8.random(in: 0...255, using: &sorteio)
            // Read or refused, never trapped.
            _ = try? ZonaHoraria(nome: "estragada", tzif: estragados)
        }
    }
}
