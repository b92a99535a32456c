import Domain
import Testing

@Suite struct SolicitarReservaTests {
    let agora = "2026-03-02T12:00:00-03:00"
    let primeira: ReservaID = id(1)
    let segunda: ReservaID = id(2)

    private func regras(
        minima: Int = 30,
        maxima: Int = 1_440,
        passo: Int = 30,
        antes: Int = 0,
        depois: Int = 0,
        antecedencia: Int = 0,
        horizonte: Int = 129_600
    ) throws -> RegrasDeReserva {
        RegrasDeReserva(
            duracaoMinima: try minutos(minima),
            duracaoMaxima: try minutos(maxima),
            passo: try minutos(passo),
            bufferAntes: try minutos(antes),
            bufferDepois: try minutos(depois),
            antecedenciaMinima: try minutos(antecedencia),
            horizonte: try minutos(horizonte),
            cancelamento: .padrao,
            retencao: .quinze
        )
    }

    @Test func aBookingHoldsItsSlotAndSaysWhyItCostsWhatItCosts() throws {
        var cenario = try Cenario(regras: regras(antes: 15, depois: 30))
        let pedido = try intervalo("2026-03-09T20:30:00-03:00", "2026-03-09T22:00:00-03:00")

        let decididos = try cenario.reservar(primeira, pedido, agora: instante(agora))

        let ocupacao = try intervalo("2026-03-09T20:15:00-03:00", "2026-03-09T22:30:00-03:00")
        let (dia9, dia10) = (try data("2026-03-09"), try data("2026-03-10"))
        #expect(decididos.map(\.fluxo) == [.reserva(primeira), .agenda(cenario.sala, dia9), .agenda(cenario.sala, dia10)])
        guard case .reservas(.reservaSolicitada(let solicitada)) = try evento(0, decididos) else { throw Inesperado() }
        #expect(decididos[0].eventos.count == 1)
        #expect(solicitada.expiraEm == (try instante("2026-03-02T12:15:00-03:00")))
        #expect(solicitada.horario.ocupacao == ocupacao && solicitada.horario.intervalo == pedido)
        #expect(solicitada.horario.inicioLocal.texto == "2026-03-09T20:30:00" && solicitada.horario.fuso == "America/Sao_Paulo")
        #expect(solicitada.cotacao.total == reais(9_000) && solicitada.cotacao.tarifarioVersao.numero == 3)
        #expect(solicitada.regras.versao.numero == 7 && solicitada.criadaPor == cenario.ana.usuario)
        for (parte, dia) in zip(decididos.dropFirst(), [dia9, dia10]) {
            let ocupado = HorarioOcupado(
                espaco: cenario.sala,
                dia: dia,
                reserva: primeira,
                intervalo: ocupacao,
                lugares: 1,
                em: try instante(agora)
            )
            #expect(parte.eventos == [.reservas(.horarioOcupado(ocupado))])
        }
    }

    @Test func aFreeBookingIsConfirmedAtOnce() throws {
        var cenario = try Cenario(valorHora: 0)
        let decididos = try cenario.reservar(
            primeira,
            intervalo("2026-03-09T10:00:00-03:00", "2026-03-09T11:00:00-03:00"),
            agora: instante(agora)
        )
        guard case .reservas(.reservaSolicitada(let solicitada)) = try evento(0, decididos),
            case .reservas(.reservaConfirmada(let confirmada)) = try evento(1, decididos)
        else { throw Inesperado() }
        #expect(solicitada.expiraEm == nil && confirmada.motivo == .precoZero)
        guard case .confirmada = cenario.estado(.reserva(primeira)) as Reserva else { throw Inesperado() }
    }

    @Test func bookingTwiceWithTheSameIdChangesNothing() throws {
        var cenario = try Cenario()
        let pedido = try intervalo("2026-03-09T10:00:00-03:00", "2026-03-09T11:00:00-03:00")
        try cenario.reservar(primeira, pedido, agora: instante(agora))
        #expect(try cenario.reservar(primeira, pedido, agora: instante(agora)) == [])
    }

    @Test func onlyOperatorsBookForOthers() throws {
        var cenario = try Cenario()
        let pedido = try intervalo("2026-03-09T10:00:00-03:00", "2026-03-09T11:00:00-03:00")
        let agora = try instante(agora)
        #expect(throws: RecusaDeReservas.proibido) {
            try cenario.reservar(primeira, pedido, ator: cenario.bia, para: cenario.ana.usuario, agora: agora)
        }
        try cenario.reservar(primeira, pedido, ator: cenario.recepcao, para: cenario.ana.usuario, agora: agora)
        let dados = try (cenario.estado(.reserva(primeira)) as Reserva).exigirVisivel(para: cenario.ana)
        #expect(dados.usuario == cenario.ana.usuario)
    }

    /// Start and end, and the rule that says no. Open 08:00–12:00 and 13:00–24:00 on weekdays, from 00:00 on Tuesday.
    @Test(arguments: [
        ("2026-03-09T10:00:00-03:00", "2026-03-09T10:00:00-03:00", "end_before_start"),
        ("2026-03-09T10:00:00-03:00", "2026-03-09T09:00:00-03:00", "end_before_start"),
        ("2026-03-02T11:00:00-03:00", "2026-03-02T12:30:00-03:00", "in_the_past"),
        ("2026-03-09T10:00:00-03:00", "2026-03-09T10:30:00-03:00", "too_short"),
        ("2026-03-09T18:00:00-03:00", "2026-03-10T02:00:00-03:00", "too_long"),
        ("2026-03-09T10:10:00-03:00", "2026-03-09T11:10:00-03:00", "step"),
        ("2026-03-09T10:00:00-03:00", "2026-03-09T11:15:00-03:00", "step"),
        ("2026-03-09T10:00:00.000001-03:00", "2026-03-09T11:00:00.000001-03:00", "step"),
        ("2026-03-02T13:00:00-03:00", "2026-03-02T14:00:00-03:00", "lead_time"),
        ("2026-04-02T10:00:00-03:00", "2026-04-02T11:00:00-03:00", "beyond_horizon"),
        ("2026-03-09T07:30:00-03:00", "2026-03-09T08:30:00-03:00", "outside_hours"),
        ("2026-03-09T11:30:00-03:00", "2026-03-09T13:30:00-03:00", "outside_hours"),
        ("2026-03-10T23:30:00-03:00", "2026-03-11T00:30:00-03:00", "outside_hours"),
        ("2026-03-15T10:00:00-03:00", "2026-03-15T11:00:00-03:00", "outside_hours"),
        ("2026-03-16T10:00:00-03:00", "2026-03-16T11:00:00-03:00", "closed"),
        ("2026-03-09T10:00:00-03:00", "2026-03-09T11:00:00-03:00", nil),
        ("2026-03-09T23:30:00-03:00", "2026-03-10T00:30:00-03:00", nil),
        ("2026-03-09T08:00:00-03:00", "2026-03-09T12:00:00-03:00", nil),
        ("2026-03-09T13:00:00Z", "2026-03-09T14:00:00Z", nil),
    ])
    func everyRuleSaysNoByItsName(inicio: String, fim: String, codigo: String?) throws {
        let tarde = [try faixa("08:00", "12:00"), try faixa("13:00", "24:00")]
        let semana = try #require(
            HorarioSemanal([
                .segunda: tarde, .terca: [try faixa("00:00", "24:00")], .quarta: tarde, .quinta: tarde, .sexta: tarde,
            ])
        )
        let reforma = Fechamento(
            id: id(1),
            periodo: try #require(PeriodoLocal(de: data("2026-03-16"), ate: data("2026-03-16"))),
            motivo: "Reforma"
        )
        let cenario = try Cenario(
            regras: regras(minima: 60, maxima: 240, antecedencia: 120, horizonte: 30 * 1_440),
            semana: semana,
            fechamentos: [reforma]
        )
        let comando = SolicitarReserva(
            reserva: primeira,
            usuario: cenario.ana.usuario,
            ator: cenario.ana,
            inicio: try instante(inicio),
            fim: try instante(fim),
            lugares: 1,
            agora: try instante(agora)
        )
        var recusa: RecusaDeReservas?
        do { _ = try comando.preparar(cenario.contexto()) } catch { recusa = error }

        #expect(recusa?.codigo == codigo)
        if let recusa { for idioma in Idioma.allCases { #expect(!recusa.frase(em: idioma).isEmpty) } }
    }

    @Test func aHolidayIsClosedWhereHolidaysAre() throws {
        var cenario = try Cenario(feriados: true)
        let tiradentes = try intervalo("2026-04-21T10:00:00-03:00", "2026-04-21T11:00:00-03:00")
        let agora = try instante(agora)
        #expect(throws: RecusaDeReservas.fechado(motivo: "Tiradentes")) { try cenario.reservar(primeira, tiradentes, agora: agora) }
    }

    @Test func aSpaceThatIsNotThereOrNotInUseTakesNone() throws {
        var cenario = try Cenario()
        let pedido = try intervalo("2026-03-09T10:00:00-03:00", "2026-03-09T11:00:00-03:00")
        let agora = try instante(agora)
        cenario.registrar(.espaco(cenario.sala), .espacos(.espacoDesativado(EspacoDesativado(espaco: cenario.sala, em: agora))))
        #expect(throws: RecusaDeReservas.espacoInativo) { try cenario.reservar(primeira, pedido, agora: agora) }
        let vazio = ContextoDaReserva(
            espaco: .inicial,
            zona: cenario.zona,
            tarifario: .inicial,
            planoID: .basic,
            plano: .inicial
        )
        let comando = SolicitarReserva(
            reserva: primeira,
            usuario: cenario.ana.usuario,
            ator: cenario.ana,
            inicio: pedido.inicio,
            fim: pedido.fim,
            lugares: 1,
            agora: agora
        )
        #expect(throws: RecusaDeReservas.espacoNaoEncontrado) { try comando.preparar(vazio) }
    }

    @Test(arguments: [0, -1, 3])
    func seatsThatTheSpaceDoesNotHaveAreRefused(_ lugares: Int) throws {
        var cenario = try Cenario(lugares: 2)
        let pedido = try intervalo("2026-03-09T10:00:00-03:00", "2026-03-09T11:00:00-03:00")
        let agora = try instante(agora)
        #expect(throws: RecusaDeReservas.lugaresInvalidos(maximo: 2)) {
            try cenario.reservar(primeira, pedido, lugares: lugares, agora: agora)
        }
    }

    /// Buffers before and after of 15 and 30 minutes: the next booking may begin 45 minutes after the end of the first.
    @Test(arguments: [
        ("2026-03-09T11:30:00-03:00", "2026-03-09T12:00:00-03:00", false),
        ("2026-03-09T11:45:00-03:00", "2026-03-09T12:15:00-03:00", true),
        ("2026-03-09T09:00:00-03:00", "2026-03-09T09:30:00-03:00", false),
        ("2026-03-09T08:45:00-03:00", "2026-03-09T09:15:00-03:00", true),
    ])
    func buffersOfBothBookingsCount(inicio: String, fim: String, cabe: Bool) throws {
        var cenario = try Cenario(regras: regras(minima: 15, passo: 15, antes: 15, depois: 30))
        let agora = try instante(agora)
        try cenario.reservar(primeira, intervalo("2026-03-09T10:00:00-03:00", "2026-03-09T11:00:00-03:00"), agora: agora)
        let pedido = try intervalo(inicio, fim)
        if cabe {
            try cenario.reservar(segunda, pedido, agora: agora)
        } else {
            #expect(throws: RecusaDeReservas.conflito) { try cenario.reservar(segunda, pedido, agora: agora) }
        }
    }

    @Test func theBufferOfADayReachesIntoTheNext() throws {
        // UTC midnight is 21:00 in São Paulo.
        var cenario = try Cenario(regras: regras(depois: 60))
        let agora = try instante(agora)
        try cenario.reservar(primeira, intervalo("2026-03-09T20:00:00-03:00", "2026-03-09T21:00:00-03:00"), agora: agora)
        let seguinte = try intervalo("2026-03-09T21:30:00-03:00", "2026-03-09T22:30:00-03:00")
        #expect(throws: RecusaDeReservas.conflito) { try cenario.reservar(segunda, seguinte, agora: agora) }
    }

    @Test func someSeatsLeftAreNamed() throws {
        var cenario = try Cenario(lugares: 5)
        let agora = try instante(agora)
        let pedido = try intervalo("2026-03-09T10:00:00-03:00", "2026-03-09T11:00:00-03:00")
        try cenario.reservar(primeira, pedido, lugares: 3, agora: agora)
        #expect(throws: RecusaDeReservas.lugaresInsuficientes(livres: 2)) {
            try cenario.reservar(segunda, pedido, lugares: 3, agora: agora)
        }
        try cenario.reservar(segunda, pedido, lugares: 2, agora: agora)
        #expect(throws: RecusaDeReservas.conflito) { try cenario.reservar(id(3), pedido, agora: agora) }
    }

    /// A night around the clock on days that have 23, 25, 23½ and 24½ hours.
    @Test(arguments: [
        ("America/Sao_Paulo", "2018-11-03T22:00", "2018-11-04T02:00", 180),
        ("America/Sao_Paulo", "2019-02-16T22:00", "2019-02-17T02:00", 300),
        ("America/New_York", "2026-03-08T01:00", "2026-03-08T04:00", 120),
        ("America/New_York", "2026-11-01T00:00", "2026-11-01T03:00", 240),
        ("Australia/Lord_Howe", "2026-10-04T01:00", "2026-10-04T04:00", 150),
        ("Australia/Lord_Howe", "2026-04-05T01:00", "2026-04-05T03:00", 150),
    ])
    func aBookingOverAChangeOfTheClocksLastsAsLongAsItLasts(fuso: String, inicio: String, fim: String, duracao: Int) throws {
        var cenario = try Cenario(fuso: fuso)
        let pedido = try #require(
            Intervalo(inicio: cenario.zona.instantePedido(local(inicio)), fim: cenario.zona.instantePedido(local(fim)))
        )
        let decididos = try cenario.reservar(primeira, pedido, agora: pedido.inicio - .horas(24))
        guard case .reservas(.reservaSolicitada(let solicitada)) = try evento(0, decididos) else { throw Inesperado() }
        #expect(pedido.duracao == .minutos(duracao))
        #expect(try solicitada.horario.inicioLocal == local(inicio) && solicitada.horario.fimLocal == local(fim))
        #expect(solicitada.cotacao.total == reais(Int64(duracao) * 100))
    }

    @Test func aLocalTimeThatDoesNotExistIsRefused() throws {
        let saoPaulo = try zona("America/Sao_Paulo")
        let recusa = RecusaDeReservas.horaInexistente(antes: try local("2018-11-04T00:00"), depois: try local("2018-11-04T01:00"))
        let meiaNoite = try local("2018-11-04T00:30")
        #expect(throws: recusa) { try saoPaulo.instantePedido(meiaNoite) }
        #expect(recusa.frase(em: .portugues) == "Este horário não existe: o relógio pula das 00:00 para as 01:00.")
        #expect(try saoPaulo.instantePedido(local("2019-02-16T23:30")) == (try instante("2019-02-16T23:30:00-02:00")))
    }
}
