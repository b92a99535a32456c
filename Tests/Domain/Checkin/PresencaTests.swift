import Domain
import Testing

/// Coming, leaving, staying away.
@Suite struct PresencaTests {
    let reserva: ReservaID = id(1)
    let pedida = Instante(segundos: 1_772_463_600)

    private func marcado() throws -> Intervalo {
        try intervalo("2026-03-09T10:00:00-03:00", "2026-03-09T12:00:00-03:00")
    }

    private func em(_ hora: String) throws -> Instante { try instante("2026-03-09T\(hora):00-03:00") }

    /// A confirmed booking from ten to noon.
    private func confirmado(regras: RegrasDeReserva? = nil, confirmado momento: Instante? = nil) throws -> Cenario {
        var cenario = try Cenario(regras: regras ?? .padrao)
        try cenario.reservar(reserva, marcado(), agora: momento.map { $0 - .minutos(5) } ?? pedida)
        let comando = ConfirmarReserva(reserva: reserva, ator: cenario.recepcao, agora: momento ?? pedida + .minutos(5))
        try cenario.gravar(comando.decidir(reserva: cenario.estado(.reserva(reserva))))
        return cenario
    }

    private func entrar(
        _ cenario: Cenario,
        _ ator: Ator? = nil,
        codigo: CodigoApresentado? = nil,
        em agora: Instante
    ) throws -> [EventosDoFluxo] {
        try FazerCheckin(reserva: reserva, ator: ator ?? cenario.ana, codigo: codigo, agora: agora)
            .decidir(reserva: cenario.estado(.reserva(reserva)), presenca: cenario.estado(.presenca(reserva)))
    }

    private func sair(
        _ cenario: Cenario,
        _ ator: Ator? = nil,
        codigo: CodigoApresentado? = nil,
        em agora: Instante
    ) throws -> [EventosDoFluxo] {
        try FazerCheckout(reserva: reserva, ator: ator ?? cenario.ana, codigo: codigo, agora: agora)
            .decidir(reserva: cenario.estado(.reserva(reserva)), presenca: cenario.estado(.presenca(reserva)))
    }

    private func faltar(_ cenario: Cenario, em agora: Instante) throws -> [EventosDoFluxo] {
        try RegistrarAusencia(reserva: reserva, pago: .zero, agora: agora)
            .decidir(reserva: cenario.estado(.reserva(reserva)), presenca: cenario.estado(.presenca(reserva)))
    }

    private func ocupados(_ cenario: Cenario, _ inicio: String, _ fim: String) throws -> Int {
        let intervalo = try intervalo("2026-03-09T\(inicio):00-03:00", "2026-03-09T\(fim):00-03:00")
        return cenario.agendas(intervalo.diasUTC).maiorOcupacao(em: intervalo)
    }

    // MARK: Coming

    @Test(arguments: [("09:45", true), ("10:00", true), ("11:59", true)])
    func checkInIsOpenFromAQuarterBeforeTheStartToTheEnd(hora: String, _: Bool) throws {
        let cenario = try confirmado()
        let decididos = try entrar(cenario, em: em(hora))
        guard case .checkin(.checkinRealizado(let entrada)) = try evento(0, decididos) else { throw Inesperado() }
        #expect(decididos.map(\.fluxo) == [.presenca(reserva)])
        #expect(entrada.meio == .membro && entrada.usuario == cenario.ana.usuario && entrada.codigo == nil)
        #expect(try entrada.intervalo == marcado() && entrada.encerraEm == em("14:00"))
    }

    @Test func itIsTooEarlyBeforeAndTooLateAfter() throws {
        let cenario = try confirmado()
        #expect(throws: RecusaDeCheckin.cedo(abre: try local("2026-03-09T09:45:00"))) {
            try entrar(cenario, em: em("09:45") - Duracao(microssegundos: 1))
        }
        #expect(throws: RecusaDeCheckin.tarde(fim: try local("2026-03-09T12:00:00"))) { try entrar(cenario, em: em("12:00")) }
        #expect(RecusaDeCheckin.cedo(abre: try local("2026-03-09T09:45:00")).frase(em: .ingles).contains("2026-03-09 at 09:45"))
    }

    @Test func theWindowIsTheSpaces() throws {
        let cenario = try confirmado(regras: regras(antecedencia: 60))
        #expect(try !entrar(cenario, em: em("09:00")).isEmpty)
    }

    @Test func othersDoNotKnowAndTheDeskMay() throws {
        var cenario = try confirmado()
        let (bia, recepcao) = (cenario.bia, cenario.recepcao)
        #expect(throws: RecusaDeCheckin.reservaNaoEncontrada) { try entrar(cenario, bia, em: em("10:00")) }
        #expect(throws: RecusaDeCheckin.semEntrada) { try sair(cenario, em: em("10:00")) }
        try cenario.gravar(entrar(cenario, recepcao, em: em("10:00")))
        guard case .presente(let entrada) = cenario.estado(.presenca(reserva)) as Presenca else { throw Inesperado() }
        #expect(entrada.meio == .recepcao && entrada.por == recepcao.usuario)
        #expect(throws: RecusaDeCheckin.reservaNaoEncontrada) { try sair(cenario, bia, em: em("10:30")) }
        // Whoever is in is in
        #expect(try entrar(cenario, em: em("10:05")) == [])
    }

    @Test func onlyWhatStandsIsComeTo() throws {
        var pendente = try Cenario()
        try pendente.reservar(reserva, marcado(), agora: em("09:50"))
        #expect(throws: RecusaDeCheckin.naoConfirmada) { try entrar(pendente, em: em("09:55")) }
        var cancelado = try confirmado()
        try cancelado.cancelar(reserva, ator: cancelado.ana, agora: pedida + .minutos(9))
        #expect(throws: RecusaDeCheckin.encerrada) { try entrar(cancelado, em: em("10:00")) }
    }

    // MARK: Codes

    private func codigo(_ numero: UInt64, vence: String) throws -> CodigoApresentado {
        CodigoApresentado(id: id(numero), reserva: reserva, vence: try em(vence))
    }

    @Test func aCodeOpensOnceAndItsRepeatIsAnsweredAsDone() throws {
        var cenario = try confirmado()
        let recepcao = cenario.recepcao
        let primeiro = try codigo(7, vence: "10:05")
        try cenario.gravar(entrar(cenario, recepcao, codigo: primeiro, em: em("10:00")))
        guard case .presente(let entrada) = cenario.estado(.presenca(reserva)) as Presenca else { throw Inesperado() }
        #expect(entrada.meio == .codigo && entrada.codigo == primeiro.id)

        #expect(try entrar(cenario, recepcao, codigo: primeiro, em: em("11:00")) == [])
        #expect(throws: RecusaDeCheckin.codigoUsado) { try sair(cenario, recepcao, codigo: primeiro, em: em("10:01")) }
        let segundo = try codigo(8, vence: "11:05")
        try cenario.gravar(sair(cenario, recepcao, codigo: segundo, em: em("11:00")))
        // Neither opens anything any more
        #expect(try entrar(cenario, recepcao, codigo: primeiro, em: em("11:01")) == [])
        #expect(try sair(cenario, recepcao, codigo: segundo, em: em("11:01")) == [])
        #expect(throws: RecusaDeCheckin.jaSaiu) { try entrar(cenario, recepcao, codigo: codigo(9, vence: "11:10"), em: em("11:02")) }
    }

    @Test func aCodeExpiresAndIsReadAtTheDeskOnly() throws {
        let cenario = try confirmado()
        let (ana, recepcao) = (cenario.ana, cenario.recepcao)
        let codigo = try codigo(7, vence: "10:05")
        #expect(throws: RecusaDeCheckin.codigoVencido) { try entrar(cenario, recepcao, codigo: codigo, em: em("10:05")) }
        #expect(throws: RecusaDeCheckin.soEquipe) { try entrar(cenario, ana, codigo: codigo, em: em("10:00")) }
    }

    @Test func aCodeIsMadeForWhoMayComeAndForWhoIsInUntilTheyHaveLeft() throws {
        func exigir(_ cenario: Cenario) throws {
            try (cenario.estado(.reserva(reserva)) as Reserva).exigirCodigo(presenca: cenario.estado(.presenca(reserva)))
        }
        func concluir(_ cenario: Cenario) throws -> [EventosDoFluxo] {
            try ConcluirReserva(reserva: reserva, pago: .zero, agora: em("12:00"))
                .decidir(reserva: cenario.estado(.reserva(reserva)), presenca: cenario.estado(.presenca(reserva)))
        }
        var pendente = try Cenario()
        try pendente.reservar(reserva, marcado(), agora: em("09:50"))
        #expect(throws: RecusaDeCheckin.naoConfirmada) { try exigir(pendente) }

        var cenario = try confirmado()
        try exigir(cenario)
        var ninguem = cenario
        try ninguem.gravar(concluir(ninguem))
        #expect(throws: RecusaDeCheckin.encerrada) { try exigir(ninguem) }

        // Past the end, they still have to leave
        try cenario.gravar(entrar(cenario, em: em("10:00")))
        try cenario.gravar(concluir(cenario))
        guard case .concluida = cenario.estado(.reserva(reserva)) as Reserva else { throw Inesperado() }
        try exigir(cenario)
        try cenario.gravar(sair(cenario, cenario.recepcao, codigo: codigo(7, vence: "12:45"), em: em("12:40")))
        #expect(throws: RecusaDeCheckin.encerrada) { try exigir(cenario) }
    }

    // MARK: Leaving

    @Test func leavingEarlyGivesTheRestBackButNotTheBuffer() throws {
        var cenario = try confirmado(regras: regras(buffer: 30))
        try cenario.gravar(entrar(cenario, em: em("10:00")))
        #expect(try ocupados(cenario, "12:00", "12:30") == 1)

        try cenario.gravar(sair(cenario, em: em("10:40")))

        guard case .encerrada(_, let saida) = cenario.estado(.presenca(reserva)) as Presenca else { throw Inesperado() }
        #expect(try saida.liberadoDesde == em("11:10") && saida.entrada == em("10:00"))
        #expect(try ocupados(cenario, "10:00", "11:10") == 1)
        #expect(try ocupados(cenario, "11:10", "12:30") == 0)
        #expect(try sair(cenario, em: em("10:50")) == [])
        // The booking itself goes on to its end, where it is completed
        let estado: Reserva = cenario.estado(.reserva(reserva))
        let fim = try ConcluirReserva(reserva: reserva, pago: .zero, agora: em("12:00"))
            .decidir(reserva: estado, presenca: cenario.estado(.presenca(reserva)))
        guard case .reservas(.reservaConcluida) = try evento(0, fim) else { throw Inesperado() }
        // And another may have what is left
        try cenario.reservar(
            id(2), intervalo("2026-03-09T11:30:00-03:00", "2026-03-09T12:00:00-03:00"), ator: cenario.bia, agora: em("10:50"))
    }

    @Test func leavingBeforeTheStartGivesEverythingBack() throws {
        var cenario = try confirmado()
        try cenario.gravar(entrar(cenario, em: em("09:50")))
        try cenario.gravar(sair(cenario, em: em("09:55")))
        #expect(try ocupados(cenario, "10:00", "12:00") == 0)
    }

    @Test func overMidnightTheDaysThatAreNotReachedAreFreed() throws {
        var cenario = try Cenario()
        let noite = try intervalo("2026-03-09T20:00:00-03:00", "2026-03-09T23:30:00-03:00")
        try cenario.reservar(reserva, noite, agora: pedida)
        let comando = ConfirmarReserva(reserva: reserva, ator: cenario.recepcao, agora: pedida)
        try cenario.gravar(comando.decidir(reserva: cenario.estado(.reserva(reserva))))
        try cenario.gravar(entrar(cenario, em: em("20:00")))
        let decididos = try sair(cenario, em: em("20:30"))
        let (dia9, dia10) = (try data("2026-03-09"), try data("2026-03-10"))
        #expect(decididos.map(\.fluxo) == [.presenca(reserva), .agenda(cenario.sala, dia9), .agenda(cenario.sala, dia10)])
        #expect(decididos[1].eventos.map(\.tipo) == ["reservas.HorarioLiberado", "reservas.HorarioOcupado"])
        #expect(decididos[2].eventos.map(\.tipo) == ["reservas.HorarioLiberado"])
    }

    /// Check-out, steps begun, and what they cost at R$ 60,00 an hour in half hours.
    @Test(
        arguments: [
            ("12:00", 0, 0), ("12:15", 0, 0), ("12:16", 1, 3_000), ("12:30", 1, 3_000), ("12:31", 2, 6_000), ("13:59", 4, 12_000),
        ] as [(String, Int, Int64)])
    func overtimeIsChargedByTheStepBegun(hora: String, passos: Int, valor: Int64) throws {
        var cenario = try confirmado()
        try cenario.gravar(entrar(cenario, em: em("10:00")))
        let eventos = try gravados(sair(cenario, em: em(hora)))
        guard passos > 0 else {
            #expect(eventos.count == 1)
            return
        }
        guard case .checkin(.excedenteApurado(let excedente)) = eventos[1] else { throw Inesperado() }
        #expect(excedente.passos == passos && excedente.valor == reais(valor))
        #expect(try excedente.intervalo.inicio == em("12:00") && excedente.tolerancia == minutos(15))
        #expect(excedente.preco.valorHora == reais(6_000) && excedente.preco.tarifarioVersao == VersaoDeRegra(3))
    }

    @Test func whoeverNeverChecksOutIsTakenToHaveLeftForNothing() throws {
        var cenario = try confirmado()
        try cenario.gravar(entrar(cenario, em: em("10:00")))
        func encerrar(_ hora: String) throws -> [EventosDoFluxo] {
            EncerrarPresenca(reserva: reserva, agora: try em(hora))
                .decidir(reserva: cenario.estado(.reserva(reserva)), presenca: cenario.estado(.presenca(reserva)))
        }
        #expect(try encerrar("13:59") == [])
        try cenario.gravar(encerrar("14:00"))
        guard case .encerrada(_, let saida) = cenario.estado(.presenca(reserva)) as Presenca else { throw Inesperado() }
        #expect(saida.meio == .prazo && saida.por == nil)
        #expect(try encerrar("14:00") == [])
    }

    // MARK: Staying away

    @Test func whoDoesNotComeInTimeLosesTheSlot() throws {
        var cenario = try confirmado()
        #expect(try faltar(cenario, em: em("10:15") - Duracao(microssegundos: 1)) == [])

        let decididos = try faltar(cenario, em: em("10:15"))
        try cenario.gravar(decididos)

        let dia = try data("2026-03-09")
        #expect(decididos.map(\.fluxo) == [.presenca(reserva), .reserva(reserva), .agenda(cenario.sala, dia)])
        guard case .ausente = cenario.estado(.reserva(reserva)) as Reserva,
            case .ausente(let ausencia) = cenario.estado(.presenca(reserva)) as Presenca
        else { throw Inesperado() }
        #expect(try ausencia.limite == em("10:15") && ausencia.tolerancia == minutos(15))
        #expect(try ocupados(cenario, "10:00", "12:00") == 0)
        #expect(try faltar(cenario, em: em("10:20")) == [])
        #expect(throws: RecusaDeCheckin.naoCompareceu) { try entrar(cenario, em: em("10:20")) }
        let ana = cenario.ana
        #expect(throws: RecusaDeReservas.encerrada) { try cenario.cancelar(reserva, ator: ana, agora: em("10:20")) }
        let depois: Reserva = cenario.estado(.reserva(reserva))
        #expect(
            try ConcluirReserva(reserva: reserva, pago: .zero, agora: em("12:00"))
                .decidir(reserva: depois, presenca: cenario.estado(.presenca(reserva))) == [])
    }

    @Test func whoCameIsNotMissedAndWhereNobodyIsWaitedForNobodyIsMissed() throws {
        var presente = try confirmado()
        try presente.gravar(entrar(presente, em: em("10:14")))
        #expect(try faltar(presente, em: em("11:00")) == [])
        let semRegra = try confirmado(regras: regras(tolerancia: nil))
        #expect(try faltar(semRegra, em: em("11:59")) == [])
        let fim = try ConcluirReserva(reserva: reserva, pago: .zero, agora: em("12:00"))
            .decidir(reserva: semRegra.estado(.reserva(reserva)), presenca: .aguardada)
        guard case .reservas(.reservaConcluida) = try evento(0, fim) else { throw Inesperado() }
    }

    @Test func theTimerOfTheEndFindsTheSameAsTheTimerOfTheGrace() throws {
        let cenario = try confirmado()
        let fim = try em("12:00")
        let daTolerancia = try faltar(cenario, em: fim)
        let doFim = try ConcluirReserva(reserva: reserva, pago: .zero, agora: fim)
            .decidir(reserva: cenario.estado(.reserva(reserva)), presenca: cenario.estado(.presenca(reserva)))
        #expect(doFim == daTolerancia && !doFim.isEmpty)
        // What is over frees nothing any more
        #expect(doFim.map(\.fluxo) == [.presenca(reserva), .reserva(reserva)])
    }

    @Test func whoWasConfirmedAfterTheStartHasAsLongFromThenOn() throws {
        let tarde = try confirmado(confirmado: em("10:00"))
        #expect(try faltar(tarde, em: em("10:14")) == [])
        #expect(try !faltar(tarde, em: em("10:15")).isEmpty)
        var depois = try Cenario(regras: regras(retencao: 180))
        try depois.reservar(reserva, marcado(), agora: em("09:59"))
        let comando = ConfirmarReserva(reserva: reserva, ator: depois.recepcao, agora: try em("11:50"))
        try depois.gravar(comando.decidir(reserva: depois.estado(.reserva(reserva))))
        #expect(try faltar(depois, em: em("12:30")) == [])
    }

    @Test func aSpaceMayGiveSomethingBack() throws {
        let cenario = try confirmado(regras: regras(devolve: 30))
        let decididos = try RegistrarAusencia(reserva: reserva, pago: reais(12_000), agora: em("10:15"))
            .decidir(reserva: cenario.estado(.reserva(reserva)), presenca: .aguardada)
        guard case .reservas(.reservaNaoComparecida(let perdida)) = decididos[1].eventos[0] else { throw Inesperado() }
        #expect(perdida.reembolso.valor == reais(3_600) && perdida.reembolso.percentual.valor == 30 && perdida.reembolso.faixa == nil)
    }

    private func regras(
        antecedencia: Int = 15,
        buffer: Int = 0,
        tolerancia: Int? = 15,
        retencao: Int = 15,
        devolve: Int = 0
    ) throws -> RegrasDeReserva {
        let padrao = RegrasDeReserva.padrao
        return RegrasDeReserva(
            duracaoMinima: padrao.duracaoMinima,
            duracaoMaxima: padrao.duracaoMaxima,
            passo: padrao.passo,
            bufferAntes: .zero,
            bufferDepois: try minutos(buffer),
            antecedenciaMinima: .zero,
            horizonte: padrao.horizonte,
            cancelamento: .padrao,
            retencao: try minutos(retencao),
            toleranciaNaoComparecimento: try tolerancia.map { try minutos($0) },
            presenca: RegrasDePresenca(
                antecedencia: try minutos(antecedencia),
                toleranciaDaSaida: .quinze,
                encerramento: .duasHoras,
                devolucaoPorAusencia: try percentual(devolve)
            )
        )
    }
}
