import Domain
import TestSupport
import Testing

@Suite struct TrechoLocalTests {
    static let casos: [(zona: String, inicio: String, fim: String, trechos: [String])] = [
        ("America/Sao_Paulo", "2026-03-09T17:30:00Z", "2026-03-09T18:30:00Z", ["2026-03-09 870-930"]),
        ("America/Sao_Paulo", "2026-03-10T02:00:00Z", "2026-03-10T03:00:00Z", ["2026-03-09 1380-1440"]),
        ("America/Sao_Paulo", "2026-03-10T02:00:00Z", "2026-03-10T04:30:00Z", ["2026-03-09 1380-1440", "2026-03-10 0-90"]),
        // The clocks jumped over the first hour of the 4th.
        ("America/Sao_Paulo", "2018-11-04T02:00:00Z", "2018-11-04T04:00:00Z", ["2018-11-03 1380-1440", "2018-11-04 60-120"]),
        // The last hour of the 16th came twice.
        (
            "America/Sao_Paulo", "2019-02-17T00:00:00Z", "2019-02-17T04:00:00Z",
            ["2019-02-16 1320-1440", "2019-02-16 1380-1440", "2019-02-17 0-60"]
        ),
        ("Europe/Lisbon", "2026-10-25T00:30:00Z", "2026-10-25T01:30:00Z", ["2026-10-25 90-120", "2026-10-25 60-90"]),
        // Beginning or ending with the change, there is none within.
        ("America/Sao_Paulo", "2019-02-17T02:00:00Z", "2019-02-17T03:00:00Z", ["2019-02-16 1380-1440"]),
        ("America/Sao_Paulo", "2018-11-04T02:00:00Z", "2018-11-04T03:00:00Z", ["2018-11-03 1380-1440"]),
    ]

    @Test(arguments: casos)
    func anIntervalIsTheSumOfWhatTheClockShows(nome: String, inicio: String, fim: String, trechos: [String]) throws {
        let intervalo = try intervalo(inicio, fim)
        let zona = try zona(nome)
        #expect(zona.trechosLocais(de: intervalo).map(\.escrito) == trechos)
        let horario = HorarioDaReserva(intervalo, ocupacao: intervalo, zona: zona, lugares: 1)
        #expect(horario.trechosLocais.map(\.escrito) == trechos)
    }

    @Test(arguments: ["America/Sao_Paulo", "America/New_York", "Australia/Lord_Howe", "Africa/Casablanca", "Pacific/Apia", "UTC"])
    func everyMinuteFallsWhereTheClockShowsIt(nome: String) throws {
        let zona = try zona(nome)
        var sorteio = SeededGenerator(seed: 7)
        for _ in 0..<60 {
            // Up to 40 days, so that some see the clocks set there and back
            let inicio = Instante(segundos: Int64.random(in: 15_000_000...30_000_000, using: &sorteio) * 60)
            let fim = inicio + .minutos(Int.random(in: 1...57_600, using: &sorteio))
            let intervalo = try #require(Intervalo(inicio: inicio, fim: fim))
            let horario = HorarioDaReserva(intervalo, ocupacao: intervalo, zona: zona, lugares: 1)
            var minuto = inicio
            for trecho in horario.trechosLocais {
                var hora = trecho.de
                while hora < trecho.ate {
                    let esperado = trecho.dia.meiaNoite + hora
                    guard zona.local(de: minuto) == esperado else {
                        Issue.record("\(minuto) shows \(zona.local(de: minuto)), counted as \(esperado)")
                        return
                    }
                    minuto = minuto + .minutos(1)
                    hora = hora + .minutos(1)
                }
            }
            #expect(minuto == fim)
        }
    }

    @Test func aBookingRecordsHowTheClocksAreSetWhileItLasts() throws {
        var cenario = try Cenario(fuso: "America/New_York")
        // The night of 2026-11-01 the clocks go back from 02:00 to 01:00.
        let inicio = try instante("2026-10-31T22:00:00-04:00")
        let agora = try instante("2026-10-30T12:00:00Z")
        let noite = try #require(Intervalo(inicio: inicio, fim: inicio + .horas(6)))
        let solicitada = try solicitacao(cenario.reservar(id(1), noite, agora: agora))
        let mudanca = MudancaDeRelogio(em: try instante("2026-11-01T06:00:00Z"), deslocamento: -5 * 3_600)
        #expect(solicitada.horario.mudancas == [mudanca])
        #expect(solicitada.horario.fimLocal == (try local("2026-11-01T03:00")))

        // And nothing where they are left alone, so that such events read as they always did
        let tarde = try #require(Intervalo(inicio: inicio - .horas(6), fim: inicio))
        let outra = try solicitacao(cenario.reservar(id(2), tarde, agora: agora))
        #expect(outra.horario.mudancas == nil)
        let carga = try CodecDeEventos.padrao.codificar(.reservas(.reservaSolicitada(outra))).carga
        #expect(!String(decoding: carga, as: UTF8.self).contains("mudancas"))
    }

    private func solicitacao(_ eventos: [EventosDoFluxo]) throws -> ReservaSolicitada {
        let gravado = try #require(gravados(eventos).first)
        guard case .reservas(.reservaSolicitada(let solicitada)) = gravado else {
            throw Recusado()
        }
        return solicitada
    }

    private struct Recusado: Error {}
}

extension TrechoLocal {
    fileprivate var escrito: String {
        "\(dia) \(de.microssegundos / 60_000_000)-\(ate.microssegundos / 60_000_000)"
    }
}
