import Domain
import Testing

/// A rule, from when, and what comes of it.
struct Vetor: Sendable, CustomTestStringConvertible {
    let inicio: String
    let regra: String
    let fuso: String
    let ocorrencias: [String]

    init(_ inicio: String, _ regra: String, fuso: String = "UTC", _ ocorrencias: [String]) {
        self.inicio = inicio
        self.regra = regra
        self.fuso = fuso
        self.ocorrencias = ocorrencias
    }

    var testDescription: String { "\(inicio) \(regra) \(fuso)" }

    func calcular() throws -> [String] {
        let zona = fuso == "UTC" ? .utc : try zonaDoSistema(fuso)
        return try RegraDeRecorrencia(regra).ocorrencias(de: local(inicio), zona: zona).map(\.texto)
    }
}

@Suite("RegraDeRecorrencia")
struct RecorrenciaTests {
    @Test("gives what Python's dateutil gives", arguments: Vetor.doDateutil)
    func dateutil(vetor: Vetor) throws {
        #expect(try vetor.calcular() == vetor.ocorrencias)
    }

    @Test("keeps the wall clock when clocks are set, and leaves out what they jump over without counting it", arguments: Vetor.comRelogios)
    func relogios(vetor: Vetor) throws {
        #expect(try vetor.calcular() == vetor.ocorrencias)
    }

    @Test(
        "is read in any form and written in one",
        arguments: [
            ("FREQ=DAILY;COUNT=5", "FREQ=DAILY;COUNT=5"),
            ("RRULE:freq=weekly;byday=mo,we;count=3;interval=2", "FREQ=WEEKLY;INTERVAL=2;COUNT=3;BYDAY=MO,WE"),
            ("WKST=SU;UNTIL=20260401T120000Z;BYDAY=-1FR,2TU;FREQ=MONTHLY", "FREQ=MONTHLY;UNTIL=20260401T120000Z;BYDAY=-1FR,2TU;WKST=SU"),
            ("FREQ=MONTHLY;BYMONTHDAY=-1,15;UNTIL=20260401", "FREQ=MONTHLY;UNTIL=20260401;BYMONTHDAY=-1,15"),
            ("FREQ=DAILY;INTERVAL=1;WKST=MO;UNTIL=20260401T090000", "FREQ=DAILY;UNTIL=20260401T090000"),
        ])
    func texto(lida: String, escrita: String) throws {
        let regra = try RegraDeRecorrencia(lida)
        #expect(regra.texto == escrita)
        #expect(try RegraDeRecorrencia(escrita) == regra)
    }

    @Test(
        "names the part that is wrong",
        arguments: [
            ("", "RRULE"), ("FREQ=HOURLY;COUNT=2", "FREQ"), ("COUNT=2", "FREQ"), ("FREQ=DAILY", "COUNT"),
            ("FREQ=DAILY;COUNT=2;UNTIL=20260401", "COUNT"), ("FREQ=DAILY;COUNT=0", "COUNT"), ("FREQ=DAILY;COUNT=-1", "COUNT"),
            ("FREQ=DAILY;COUNT=x", "COUNT"), ("FREQ=DAILY;COUNT=2;COUNT=2", "COUNT"), ("FREQ=DAILY;COUNT=2;INTERVAL=0", "INTERVAL"),
            ("FREQ=DAILY;COUNT=2;INTERVAL=367", "INTERVAL"), ("FREQ=DAILY;UNTIL=20260230", "UNTIL"),
            ("FREQ=DAILY;UNTIL=2026-04-01", "UNTIL"), ("FREQ=DAILY;UNTIL=20260401X090000", "UNTIL"),
            ("FREQ=DAILY;UNTIL=20260401T090000+", "UNTIL"), ("FREQ=WEEKLY;COUNT=2;BYDAY=1MO", "BYDAY"),
            ("FREQ=WEEKLY;COUNT=2;BYDAY=MO,", "BYDAY"), ("FREQ=WEEKLY;COUNT=2;BYDAY=XX", "BYDAY"),
            ("FREQ=MONTHLY;COUNT=2;BYDAY=6MO", "BYDAY"),
            ("FREQ=MONTHLY;COUNT=2;BYDAY=0MO", "BYDAY"), ("FREQ=WEEKLY;COUNT=2;BYMONTHDAY=1", "BYMONTHDAY"),
            ("FREQ=MONTHLY;COUNT=2;BYMONTHDAY=32", "BYMONTHDAY"), ("FREQ=MONTHLY;COUNT=2;BYMONTHDAY=0", "BYMONTHDAY"),
            ("FREQ=DAILY;COUNT=2;WKST=X", "WKST"), ("FREQ=DAILY;COUNT=2;BYHOUR=9", "RRULE"), ("FREQ=DAILY;;COUNT=2", "RRULE"),
        ])
    func errada(texto: String, parte: String) {
        #expect(throws: RecusaDeSerie.regraInvalida(parte: parte)) { try RegraDeRecorrencia(texto) }
    }

    @Test("has an end that can be reached")
    func limites() throws {
        let inicio = try local("2026-01-31T09:00:00")
        #expect(throws: RecusaDeSerie.longa(maximo: 366)) { try RegraDeRecorrencia("FREQ=DAILY;COUNT=367") }
        #expect(try RegraDeRecorrencia("FREQ=DAILY;COUNT=366").ocorrencias(de: inicio, zona: .utc).count == 366)
        for longa in ["FREQ=DAILY;UNTIL=20270201", "FREQ=MONTHLY;COUNT=366", "FREQ=MONTHLY;INTERVAL=366;COUNT=2"] {
            #expect(throws: RecusaDeSerie.longa(maximo: 366)) {
                try RegraDeRecorrencia(longa).ocorrencias(de: inicio, zona: .utc)
            }
        }
        for vazia in ["FREQ=DAILY;UNTIL=20260130", "FREQ=MONTHLY;INTERVAL=12;COUNT=1;BYMONTHDAY=31;BYDAY=1MO"] {
            #expect(throws: RecusaDeSerie.vazia) { try RegraDeRecorrencia(vazia).ocorrencias(de: inicio, zona: .utc) }
        }
    }
}

extension Vetor {
    /// `list(dateutil.rrule.rrulestr(rule, dtstart=start))`, dateutil 2.9.0.
    static let doDateutil: [Vetor] = [
        Vetor(
            "2026-03-02T09:00:00", "FREQ=DAILY;COUNT=5",
            [
                "2026-03-02T09:00:00", "2026-03-03T09:00:00", "2026-03-04T09:00:00", "2026-03-05T09:00:00", "2026-03-06T09:00:00",
            ]),
        Vetor(
            "2026-03-02T09:00:00", "FREQ=DAILY;INTERVAL=10;COUNT=5",
            [
                "2026-03-02T09:00:00", "2026-03-12T09:00:00", "2026-03-22T09:00:00", "2026-04-01T09:00:00", "2026-04-11T09:00:00",
            ]),
        Vetor(
            "2026-02-26T09:00:00", "FREQ=DAILY;UNTIL=20260302T090000",
            [
                "2026-02-26T09:00:00", "2026-02-27T09:00:00", "2026-02-28T09:00:00", "2026-03-01T09:00:00", "2026-03-02T09:00:00",
            ]),
        Vetor(
            "2026-02-26T09:00:00", "FREQ=DAILY;UNTIL=20260302T085959",
            [
                "2026-02-26T09:00:00", "2026-02-27T09:00:00", "2026-02-28T09:00:00", "2026-03-01T09:00:00",
            ]),
        Vetor(
            "2026-03-02T09:00:00", "FREQ=DAILY;COUNT=8;BYDAY=MO,TU,WE,TH,FR",
            [
                "2026-03-02T09:00:00", "2026-03-03T09:00:00", "2026-03-04T09:00:00", "2026-03-05T09:00:00", "2026-03-06T09:00:00",
                "2026-03-09T09:00:00", "2026-03-10T09:00:00", "2026-03-11T09:00:00",
            ]),
        Vetor(
            "2026-01-30T09:00:00", "FREQ=DAILY;COUNT=6;BYMONTHDAY=1,15,-1",
            [
                "2026-01-31T09:00:00", "2026-02-01T09:00:00", "2026-02-15T09:00:00", "2026-02-28T09:00:00", "2026-03-01T09:00:00",
                "2026-03-15T09:00:00",
            ]),
        Vetor(
            "2024-02-27T09:00:00", "FREQ=DAILY;COUNT=5",
            [
                "2024-02-27T09:00:00", "2024-02-28T09:00:00", "2024-02-29T09:00:00", "2024-03-01T09:00:00", "2024-03-02T09:00:00",
            ]),
        Vetor(
            "2026-03-04T14:30:00", "FREQ=WEEKLY;COUNT=4",
            [
                "2026-03-04T14:30:00", "2026-03-11T14:30:00", "2026-03-18T14:30:00", "2026-03-25T14:30:00",
            ]),
        Vetor(
            "2026-03-04T14:30:00", "FREQ=WEEKLY;COUNT=7;BYDAY=MO,WE,FR",
            [
                "2026-03-04T14:30:00", "2026-03-06T14:30:00", "2026-03-09T14:30:00", "2026-03-11T14:30:00", "2026-03-13T14:30:00",
                "2026-03-16T14:30:00", "2026-03-18T14:30:00",
            ]),
        Vetor(
            "2026-03-04T14:30:00", "FREQ=WEEKLY;INTERVAL=2;COUNT=6;BYDAY=TU,TH",
            [
                "2026-03-05T14:30:00", "2026-03-17T14:30:00", "2026-03-19T14:30:00", "2026-03-31T14:30:00", "2026-04-02T14:30:00",
                "2026-04-14T14:30:00",
            ]),
        Vetor(
            "1997-08-05T09:00:00", "FREQ=WEEKLY;INTERVAL=2;COUNT=4;BYDAY=TU,SU;WKST=MO",
            [
                "1997-08-05T09:00:00", "1997-08-10T09:00:00", "1997-08-19T09:00:00", "1997-08-24T09:00:00",
            ]),
        Vetor(
            "1997-08-05T09:00:00", "FREQ=WEEKLY;INTERVAL=2;COUNT=4;BYDAY=TU,SU;WKST=SU",
            [
                "1997-08-05T09:00:00", "1997-08-17T09:00:00", "1997-08-19T09:00:00", "1997-08-31T09:00:00",
            ]),
        Vetor(
            "2026-12-28T08:00:00", "FREQ=WEEKLY;INTERVAL=3;COUNT=6;BYDAY=SU,SA;WKST=WE",
            [
                "2027-01-16T08:00:00", "2027-01-17T08:00:00", "2027-02-06T08:00:00", "2027-02-07T08:00:00", "2027-02-27T08:00:00",
                "2027-02-28T08:00:00",
            ]),
        Vetor(
            "2026-03-06T10:00:00", "FREQ=WEEKLY;UNTIL=20260401T100000;BYDAY=MO,FR",
            [
                "2026-03-06T10:00:00", "2026-03-09T10:00:00", "2026-03-13T10:00:00", "2026-03-16T10:00:00", "2026-03-20T10:00:00",
                "2026-03-23T10:00:00", "2026-03-27T10:00:00", "2026-03-30T10:00:00",
            ]),
        Vetor(
            "2026-01-31T10:00:00", "FREQ=MONTHLY;COUNT=6",
            [
                "2026-01-31T10:00:00", "2026-03-31T10:00:00", "2026-05-31T10:00:00", "2026-07-31T10:00:00", "2026-08-31T10:00:00",
                "2026-10-31T10:00:00",
            ]),
        Vetor(
            "2024-01-30T10:00:00", "FREQ=MONTHLY;COUNT=5",
            [
                "2024-01-30T10:00:00", "2024-03-30T10:00:00", "2024-04-30T10:00:00", "2024-05-30T10:00:00", "2024-06-30T10:00:00",
            ]),
        Vetor(
            "2026-01-29T10:00:00", "FREQ=MONTHLY;COUNT=5",
            [
                "2026-01-29T10:00:00", "2026-03-29T10:00:00", "2026-04-29T10:00:00", "2026-05-29T10:00:00", "2026-06-29T10:00:00",
            ]),
        Vetor(
            "2026-01-15T10:00:00", "FREQ=MONTHLY;COUNT=5;BYMONTHDAY=-1",
            [
                "2026-01-31T10:00:00", "2026-02-28T10:00:00", "2026-03-31T10:00:00", "2026-04-30T10:00:00", "2026-05-31T10:00:00",
            ]),
        Vetor(
            "2026-01-01T10:00:00", "FREQ=MONTHLY;COUNT=8;BYMONTHDAY=2,15,-2",
            [
                "2026-01-02T10:00:00", "2026-01-15T10:00:00", "2026-01-30T10:00:00", "2026-02-02T10:00:00", "2026-02-15T10:00:00",
                "2026-02-27T10:00:00", "2026-03-02T10:00:00", "2026-03-15T10:00:00",
            ]),
        Vetor(
            "2026-01-01T10:00:00", "FREQ=MONTHLY;COUNT=5;BYDAY=2TU",
            [
                "2026-01-13T10:00:00", "2026-02-10T10:00:00", "2026-03-10T10:00:00", "2026-04-14T10:00:00", "2026-05-12T10:00:00",
            ]),
        Vetor(
            "2026-01-01T10:00:00", "FREQ=MONTHLY;COUNT=5;BYDAY=-1FR",
            [
                "2026-01-30T10:00:00", "2026-02-27T10:00:00", "2026-03-27T10:00:00", "2026-04-24T10:00:00", "2026-05-29T10:00:00",
            ]),
        Vetor(
            "2026-01-01T10:00:00", "FREQ=MONTHLY;COUNT=4;BYDAY=5MO",
            [
                "2026-03-30T10:00:00", "2026-06-29T10:00:00", "2026-08-31T10:00:00", "2026-11-30T10:00:00",
            ]),
        Vetor(
            "2026-01-01T10:00:00", "FREQ=MONTHLY;COUNT=4;BYDAY=-5WE",
            [
                "2026-04-01T10:00:00", "2026-07-01T10:00:00", "2026-09-02T10:00:00", "2026-12-02T10:00:00",
            ]),
        Vetor(
            "2026-01-10T10:00:00", "FREQ=MONTHLY;COUNT=8;BYDAY=1SU,-1SU",
            [
                "2026-01-25T10:00:00", "2026-02-01T10:00:00", "2026-02-22T10:00:00", "2026-03-01T10:00:00", "2026-03-29T10:00:00",
                "2026-04-05T10:00:00", "2026-04-26T10:00:00", "2026-05-03T10:00:00",
            ]),
        Vetor(
            "2026-01-01T10:00:00", "FREQ=MONTHLY;COUNT=5;BYMONTHDAY=13;BYDAY=FR",
            [
                "2026-02-13T10:00:00", "2026-03-13T10:00:00", "2026-11-13T10:00:00", "2027-08-13T10:00:00", "2028-10-13T10:00:00",
            ]),
        Vetor(
            "2026-01-01T10:00:00", "FREQ=MONTHLY;COUNT=9;BYDAY=MO",
            [
                "2026-01-05T10:00:00", "2026-01-12T10:00:00", "2026-01-19T10:00:00", "2026-01-26T10:00:00", "2026-02-02T10:00:00",
                "2026-02-09T10:00:00", "2026-02-16T10:00:00", "2026-02-23T10:00:00", "2026-03-02T10:00:00",
            ]),
        Vetor(
            "2026-01-31T10:00:00", "FREQ=MONTHLY;INTERVAL=2;COUNT=5",
            [
                "2026-01-31T10:00:00", "2026-03-31T10:00:00", "2026-05-31T10:00:00", "2026-07-31T10:00:00", "2027-01-31T10:00:00",
            ]),
        Vetor(
            "2025-11-30T10:00:00", "FREQ=MONTHLY;INTERVAL=3;COUNT=5",
            [
                "2025-11-30T10:00:00", "2026-05-30T10:00:00", "2026-08-30T10:00:00", "2026-11-30T10:00:00", "2027-05-30T10:00:00",
            ]),
        Vetor(
            "1997-09-10T09:00:00", "FREQ=MONTHLY;INTERVAL=18;COUNT=4;BYMONTHDAY=10,11,12",
            [
                "1997-09-10T09:00:00", "1997-09-11T09:00:00", "1997-09-12T09:00:00", "1999-03-10T09:00:00",
            ]),
        Vetor(
            "2026-05-20T09:00:00", "FREQ=MONTHLY;UNTIL=20260901T090000;BYDAY=3WE",
            [
                "2026-05-20T09:00:00", "2026-06-17T09:00:00", "2026-07-15T09:00:00", "2026-08-19T09:00:00",
            ]),
    ]

    /// The same, without the local times that `dateutil.tz.datetime_exists` denies, and as many as the rule counts.
    static let comRelogios: [Vetor] = [
        Vetor(
            "2018-11-01T00:30:00", "FREQ=DAILY;COUNT=5", fuso: "America/Sao_Paulo",
            [
                "2018-11-01T00:30:00", "2018-11-02T00:30:00", "2018-11-03T00:30:00", "2018-11-05T00:30:00", "2018-11-06T00:30:00",
            ]),
        Vetor(
            "2018-10-28T00:00:00", "FREQ=WEEKLY;COUNT=3", fuso: "America/Sao_Paulo",
            [
                "2018-10-28T00:00:00", "2018-11-11T00:00:00", "2018-11-18T00:00:00",
            ]),
        Vetor(
            "2019-02-14T23:30:00", "FREQ=DAILY;COUNT=4", fuso: "America/Sao_Paulo",
            [
                "2019-02-14T23:30:00", "2019-02-15T23:30:00", "2019-02-16T23:30:00", "2019-02-17T23:30:00",
            ]),
        Vetor(
            "2019-03-03T02:30:00", "FREQ=WEEKLY;COUNT=3;BYDAY=SU", fuso: "America/New_York",
            [
                "2019-03-03T02:30:00", "2019-03-17T02:30:00", "2019-03-24T02:30:00",
            ]),
        Vetor(
            "2018-11-01T09:00:00", "FREQ=DAILY;UNTIL=20181105T110000Z", fuso: "America/Sao_Paulo",
            [
                "2018-11-01T09:00:00", "2018-11-02T09:00:00", "2018-11-03T09:00:00", "2018-11-04T09:00:00", "2018-11-05T09:00:00",
            ]),
        Vetor(
            "2018-11-01T09:00:00", "FREQ=DAILY;UNTIL=20181105T105959Z", fuso: "America/Sao_Paulo",
            [
                "2018-11-01T09:00:00", "2018-11-02T09:00:00", "2018-11-03T09:00:00", "2018-11-04T09:00:00",
            ]),
    ]
}
