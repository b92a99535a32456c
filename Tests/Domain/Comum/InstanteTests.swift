import Domain
import TestSupport
import Testing

@Suite struct InstanteTests {
    @Test(arguments: [
        ("1970-01-01T00:00:00Z", 0),
        ("1969-12-31T23:59:59.999999Z", -1),
        ("2026-03-01T12:00:00.123456Z", 1_772_366_400_123_456),
        ("2026-03-01T09:00:00.123456-03:00", 1_772_366_400_123_456),
        ("2026-03-01t12:00:00.1234569z", 1_772_366_400_123_456),
        ("2026-03-01 12:00:00.5+00:00", 1_772_366_400_500_000),
        ("2024-02-29T23:59:59Z", 1_709_251_199_000_000),
        ("0000-01-01T00:00:00Z", -62_167_219_200_000_000),
        ("9999-12-31T23:59:59.999999Z", 253_402_300_799_999_999),
    ])
    func readsRFC3339(texto: String, esperado: Int64) {
        #expect(Instante(texto)?.microssegundos == esperado)
    }

    @Test(arguments: [
        "", "2026-03-01", "2026-03-01T12:00:00", "2026-03-01T12:00Z", "2026-02-29T12:00:00Z", "2026-13-01T12:00:00Z",
        "2026-03-01T24:00:00Z", "2026-03-01T12:60:00Z", "2026-03-01T12:00:60Z", "2026-03-01T12:00:00.Z", "2026-03-01T12:00:00+0300",
        "2026-03-01T12:00:00+24:00", "2026-03-01T12:00:00Zx", " 2026-03-01T12:00:00Z", "2026-3-1T12:00:00Z",
        "9999-12-31T23:59:59-01:00", "２026-03-01T12:00:00Z", "2026-03-01T12:00:00.1234567890Z",
    ])
    func refusesWhatIsNotRFC3339(_ texto: String) {
        #expect(Instante(texto) == nil)
    }

    @Test func writesWhatItReads() throws {
        var sorteio = SeededGenerator(seed: 1)
        for _ in 0..<2_000 {
            let micros = Int64.random(in: Instante.primeiro.microssegundos...Instante.ultimo.microssegundos, using: &sorteio)
            #expect(Instante(Instante(microssegundos: micros).texto)?.microssegundos == micros)
        }
    }

    @Test func keepsTheMillisecondsThatTheStandardStyleLost() throws {
        #expect(try instante("2026-03-01T12:00:00.123Z").texto == "2026-03-01T12:00:00.123000Z")
    }

    @Test func writesTheOffsetOfAZone() throws {
        let momento = try instante("2026-03-01T12:00:00Z")
        #expect(momento.texto(em: try zona("America/Sao_Paulo")) == "2026-03-01T09:00:00-03:00")
        #expect(momento.texto(em: try zona("Australia/Lord_Howe")) == "2026-03-01T23:00:00+11:00")
        #expect(momento.texto(em: try zona("Asia/Kathmandu")) == "2026-03-01T17:45:00+05:45")
    }
}

@Suite struct DataCivilTests {
    @Test(arguments: [
        ("1970-01-01", 0, DiaDaSemana.quinta), ("2000-02-29", 11_016, .terca), ("2024-12-31", 20_088, .terca),
        ("1969-12-31", -1, .quarta), ("0000-03-01", -719_468, .quarta),
    ])
    func countsDays(texto: String, dias: Int64, semana: DiaDaSemana) throws {
        let dia = try data(texto)
        #expect(dia.diasDesde1970 == dias)
        #expect(dia.diaDaSemana == semana)
        #expect(DataCivil(diasDesde1970: dias).texto == texto)
    }

    @Test(arguments: ["2026-02-29", "1900-02-29", "2026-04-31", "2026-00-10", "2026-01-00", "26-01-01", "2026-01-01x"])
    func refusesDaysThatAreNot(_ texto: String) {
        #expect(DataCivil(texto) == nil)
    }

    @Test func everyDayOfFourCenturiesFollowsTheOneBefore() throws {
        var anterior = try data("1899-12-31")
        for _ in 0..<146_097 {
            let dia = anterior.somandoDias(1)
            let muda =
                dia.dia == 1 ? (dia.mes == 1 ? dia.ano == anterior.ano + 1 : dia.mes == anterior.mes + 1) : dia.dia == anterior.dia + 1
            #expect(muda && DataCivil(ano: dia.ano, mes: dia.mes, dia: dia.dia) == dia)
            anterior = dia
        }
        #expect(anterior.texto == "2299-12-31")
    }

    @Test(arguments: [("00:00", 0), ("08:30", 510), ("24:00", 1_440)])
    func readsTimesOfDay(texto: String, minutos: Int) {
        #expect(HoraLocal(texto)?.minutos == minutos)
        #expect(HoraLocal(minutos: minutos)?.texto == texto)
    }

    @Test(arguments: ["24:01", "25:00", "8:00", "08:60", "08:00:00", ""])
    func refusesTimesThatAreNot(_ texto: String) {
        #expect(HoraLocal(texto) == nil)
    }
}

@Suite struct IdentificadorTests {
    @Test func isALowerCaseUUID() throws {
        let lido = try #require(ReservaID("01890A5D-AC96-774B-BCCE-B302099A8057"))
        #expect(lido.texto == "01890a5d-ac96-774b-bcce-b302099a8057")
        #expect(ReservaID(lido.texto) == lido)
    }

    @Test(arguments: [
        "", "01890a5dac96774bbcceb302099a8057", "01890a5d-ac96-774b-bcce-b302099a805", "01890a5d-ac96-774b-bcce-b302099a805g",
        "01890a5d-ac96-774b-bcceb-302099a8057", "０1890a5d-ac96-774b-bcce-b302099a80",
    ])
    func refusesAnythingElse(_ texto: String) {
        #expect(ReservaID(texto) == nil)
    }

    @Test func namesStreams() throws {
        let espaco: EspacoID = try #require(EspacoID("01890a5d-ac96-774b-bcce-b302099a8057"))
        #expect(NomeDeFluxo.agenda(espaco, try data("2026-03-01")).texto == "agenda-01890a5d-ac96-774b-bcce-b302099a8057-2026-03-01")
        #expect(NomeDeFluxo.plano(.premium).texto == "plano-premium")
        let chave = try #require(ChaveDeEmail("9f86d081884c7d659a2feaa0c55ad015"))
        #expect(NomeDeFluxo.email(chave).texto == "email-9f86d081884c7d659a2feaa0c55ad015")
        #expect(ChaveDeEmail("ana@example.com") == nil)
    }
}

@Suite struct IntervaloTests {
    @Test func isHalfOpen() throws {
        let manha = try intervalo("2026-03-01T08:00:00Z", "2026-03-01T12:00:00Z")
        let tarde = try intervalo("2026-03-01T12:00:00Z", "2026-03-01T18:00:00Z")
        #expect(!manha.sobrepoe(tarde))
        #expect(manha.contem(manha.inicio) && !manha.contem(manha.fim))
        #expect(Intervalo(inicio: manha.fim, fim: manha.fim) == nil)
        #expect(Intervalo.unir([tarde, manha]).count == 1)
    }

    @Test func touchesTheDaysItHasMomentsIn() throws {
        #expect(try intervalo("2026-03-01T08:00:00Z", "2026-03-02T00:00:00Z").diasUTC.map(\.texto) == ["2026-03-01"])
        #expect(
            try intervalo("2026-03-01T23:59:00Z", "2026-03-03T00:00:00.000001Z").diasUTC.map(\.texto)
                == ["2026-03-01", "2026-03-02", "2026-03-03"]
        )
    }

    @Test func unionAndDifferenceAgreeWithAMinuteByMinuteOracle() throws {
        var sorteio = SeededGenerator(seed: 2)
        func sortear(_ quantos: Int) -> [Intervalo] {
            (0..<quantos).compactMap { _ in
                let inicio = Int64.random(in: 0..<60, using: &sorteio)
                return Intervalo(
                    inicio: Instante(segundos: inicio), fim: Instante(segundos: inicio + Int64.random(in: 1..<15, using: &sorteio)))
            }
        }
        for _ in 0..<500 {
            let (abertos, fechados) = (sortear(4), sortear(4))
            let resto = Intervalo.subtrair(fechados, de: Intervalo.unir(abertos))
            for segundo in 0..<80 {
                let momento = Instante(segundos: Int64(segundo))
                let esperado = abertos.contains { $0.contem(momento) } && !fechados.contains { $0.contem(momento) }
                #expect(resto.contains { $0.contem(momento) } == esperado)
            }
            #expect(zip(resto, resto.dropFirst()).allSatisfy { $0.fim < $1.inicio || $0.fim == $1.inicio })
        }
    }
}
