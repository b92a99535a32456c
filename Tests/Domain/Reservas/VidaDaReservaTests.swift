import Domain
import Testing

/// What becomes of a booking after it was made.
@Suite struct VidaDaReservaTests {
    let agora = Instante(segundos: 1_772_463_600)
    let reserva: ReservaID = id(1)

    private func pedido(_ hora: String = "10", _ fim: String = "11") throws -> Intervalo {
        try intervalo("2026-03-09T\(hora):00:00-03:00", "2026-03-09T\(fim):00:00-03:00")
    }

    private func reservado(valorHora: Int64 = 6_000) throws -> Cenario {
        var cenario = try Cenario(valorHora: valorHora)
        try cenario.reservar(reserva, pedido(), agora: agora)
        return cenario
    }

    private func confirmado() throws -> Cenario {
        var cenario = try reservado()
        let comando = ConfirmarReserva(reserva: reserva, ator: cenario.recepcao, agora: agora + .minutos(5))
        try cenario.gravar(comando.decidir(reserva: cenario.estado(.reserva(reserva))))
        return cenario
    }

    private func livres(_ cenario: Cenario, _ intervalo: Intervalo) -> Bool {
        cenario.agendas(intervalo.diasUTC).maiorOcupacao(em: intervalo) == 0
    }

    @Test func anOperatorConfirmsOnce() throws {
        let cenario = try confirmado()
        guard case .confirmada = cenario.estado(.reserva(reserva)) as Reserva else { throw Inesperado() }
        let comando = ConfirmarReserva(reserva: reserva, ator: cenario.recepcao, agora: agora)
        #expect(try comando.decidir(reserva: cenario.estado(.reserva(reserva))) == [])
    }

    @Test func membersDoNotConfirmAndOthersDoNotKnow() throws {
        let cenario = try reservado()
        let estado: Reserva = cenario.estado(.reserva(reserva))
        #expect(throws: RecusaDeReservas.proibido) {
            try ConfirmarReserva(reserva: reserva, ator: cenario.ana, agora: agora).decidir(reserva: estado)
        }
        #expect(throws: RecusaDeReservas.reservaNaoEncontrada) {
            try ConfirmarReserva(reserva: reserva, ator: cenario.bia, agora: agora).decidir(reserva: estado)
        }
        #expect(throws: RecusaDeReservas.reservaNaoEncontrada) {
            try CancelarReserva(reserva: reserva, ator: cenario.bia, pago: .zero, agora: agora).decidir(reserva: estado)
        }
        #expect(throws: RecusaDeReservas.reservaNaoEncontrada) {
            try RemarcarReserva(reserva: reserva, ator: cenario.bia, inicio: agora, fim: agora, agora: agora)
                .preparar(cenario.contexto(), reserva: estado, presenca: .aguardada)
        }
        #expect(throws: RecusaDeReservas.reservaNaoEncontrada) {
            try CancelarReserva(reserva: reserva, ator: cenario.recepcao, pago: .zero, agora: agora).decidir(reserva: .inicial)
        }
    }

    @Test func aHoldRunsOutAtItsMomentAndNotBefore() throws {
        var cenario = try reservado()
        let estado: Reserva = cenario.estado(.reserva(reserva))
        let vence = agora + .minutos(15)
        #expect(ExpirarReserva(reserva: reserva, agora: vence - Duracao(microssegundos: 1)).decidir(reserva: estado) == [])
        #expect(throws: RecusaDeReservas.retencaoVencida) {
            try ConfirmarReserva(reserva: reserva, ator: cenario.recepcao, agora: vence).decidir(reserva: estado)
        }

        try cenario.gravar(ExpirarReserva(reserva: reserva, agora: vence).decidir(reserva: estado))

        let expirada: Reserva = cenario.estado(.reserva(reserva))
        guard case .expirada = expirada else { throw Inesperado() }
        #expect(livres(cenario, try pedido()))
        #expect(ExpirarReserva(reserva: reserva, agora: vence).decidir(reserva: expirada) == [])
        #expect(throws: RecusaDeReservas.encerrada) {
            try ConfirmarReserva(reserva: reserva, ator: cenario.recepcao, agora: vence).decidir(reserva: expirada)
        }
        try cenario.reservar(id(2), pedido(), ator: cenario.bia, agora: vence)
    }

    @Test func aConfirmedBookingDoesNotExpireButEnds() throws {
        var cenario = try confirmado()
        let estado: Reserva = cenario.estado(.reserva(reserva))
        let fim = try pedido().fim
        let entrada = FazerCheckin(reserva: reserva, ator: cenario.ana, agora: try pedido().inicio)
        try cenario.gravar(entrada.decidir(reserva: estado, presenca: .aguardada))
        let presente: Presenca = cenario.estado(.presenca(reserva))
        #expect(ExpirarReserva(reserva: reserva, agora: fim).decidir(reserva: estado) == [])
        #expect(
            try ConcluirReserva(reserva: reserva, pago: .zero, agora: fim - .minutos(1)).decidir(reserva: estado, presenca: presente) == [])

        try cenario.gravar(ConcluirReserva(reserva: reserva, pago: .zero, agora: fim).decidir(reserva: estado, presenca: presente))

        let concluida: Reserva = cenario.estado(.reserva(reserva))
        guard case .concluida = concluida else { throw Inesperado() }
        #expect(try ConcluirReserva(reserva: reserva, pago: .zero, agora: fim).decidir(reserva: concluida, presenca: presente) == [])
        let recepcao = cenario.recepcao
        #expect(throws: RecusaDeReservas.encerrada) { try cenario.cancelar(reserva, ator: recepcao, agora: fim) }
    }

    /// Minutes before the start, the share that comes back, and what that is of R$ 100,01 (half a centavo goes to the even side).
    @Test(
        arguments: [
            (1_440, 100, 10_001), (1_439, 50, 5_000), (240, 50, 5_000), (239, 0, 0), (1, 0, 0),
        ] as [(Int, Int, Int64)])
    func aCancellationGivesBackByNoticeAndSaysWhy(antes: Int, esperado: Int, valor: Int64) throws {
        var cenario = try confirmado()
        let momento = try pedido().inicio - .minutos(antes)

        let decididos = try cenario.cancelar(reserva, ator: cenario.ana, pago: 10_001, agora: momento)

        guard case .reservas(.reservaCancelada(let cancelada)) = try evento(0, decididos) else { throw Inesperado() }
        #expect(cancelada.reembolso.percentual.valor == esperado && cancelada.reembolso.valor == reais(valor))
        #expect(cancelada.reembolso.regrasVersao.numero == 7 && cancelada.reembolso.antecedencia.valor == antes)
        #expect((cancelada.reembolso.faixa == nil) == (esperado == 0))
        #expect(cancelada.motivo == .membro && !cancelada.reembolso.excepcional)
        #expect(livres(cenario, try pedido()))
        #expect(try cenario.cancelar(reserva, ator: cenario.ana, pago: 10_001, agora: momento) == [])
    }

    @Test func operatorsOverrideTheRefundWithAReason() throws {
        var cenario = try confirmado()
        let depois = try pedido().inicio + .minutos(10)
        let (ana, recepcao) = (cenario.ana, cenario.recepcao)
        #expect(throws: RecusaDeReservas.jaComecou) { try cenario.cancelar(reserva, ator: ana, agora: depois) }
        #expect(throws: RecusaDeReservas.proibido) {
            try cenario.cancelar(reserva, ator: recepcao, pago: 1_000, excepcional: .todo, agora: depois)
        }
        #expect(throws: RecusaDeReservas.proibido) {
            try cenario.cancelar(reserva, ator: ana, justificativa: Selado("x"), excepcional: .todo, agora: agora)
        }
        let decididos = try cenario.cancelar(
            reserva,
            ator: recepcao,
            pago: 1_000,
            justificativa: Selado("x"),
            excepcional: .todo,
            agora: depois
        )
        guard case .reservas(.reservaCancelada(let cancelada)) = try evento(0, decididos) else { throw Inesperado() }
        #expect(cancelada.reembolso.valor == reais(1_000) && cancelada.reembolso.excepcional && cancelada.motivo == .operador)
        #expect(cancelada.reembolso.antecedencia == .zero && cancelada.reembolso.faixa == nil)
    }

    @Test func reschedulingFreesAndOccupiesAtOnce() throws {
        var cenario = try reservado()
        let novo = try intervalo("2026-03-09T20:30:00-03:00", "2026-03-09T22:00:00-03:00")

        let decididos = try cenario.remarcar(reserva, novo, ator: cenario.ana, agora: agora)

        let (dia9, dia10) = (try data("2026-03-09"), try data("2026-03-10"))
        #expect(decididos.map(\.fluxo) == [.reserva(reserva), .agenda(cenario.sala, dia9), .agenda(cenario.sala, dia10)])
        #expect(decididos[1].eventos.map(\.tipo) == ["reservas.HorarioLiberado", "reservas.HorarioOcupado"])
        #expect(decididos[2].eventos.map(\.tipo) == ["reservas.HorarioOcupado"])
        guard case .reservas(.reservaRemarcada(let remarcada)) = try evento(0, decididos) else { throw Inesperado() }
        #expect(try remarcada.diferenca == reais(3_000) && remarcada.de.intervalo == pedido())
        guard case .pendente(let dados, let expiraEm) = cenario.estado(.reserva(reserva)) as Reserva else { throw Inesperado() }
        #expect(dados.horario.intervalo == novo && expiraEm == agora + .minutos(15))
        #expect(livres(cenario, try pedido()) && !livres(cenario, novo))
        #expect(try cenario.remarcar(reserva, novo, ator: cenario.ana, agora: agora) == [])
    }

    @Test func aBookingIsNotInItsOwnWay() throws {
        var cenario = try reservado()
        #expect(try !cenario.remarcar(reserva, pedido("10", "12"), ator: cenario.ana, agora: agora).isEmpty)
        try cenario.reservar(id(2), pedido("12", "13"), ator: cenario.bia, agora: agora)
        let (ana, ocupado) = (cenario.ana, try pedido("12", "13"))
        #expect(throws: RecusaDeReservas.conflito) { try cenario.remarcar(reserva, ocupado, ator: ana, agora: agora) }
        #expect(!livres(cenario, try pedido("10", "12")))
    }

    @Test func aDearerTimeWaitsForItsDifferenceAndACheaperOneGivesItBack() throws {
        var cenario = try confirmado()
        let (ana, longo) = (cenario.ana, try pedido("10", "12"))

        // A member's dearer time waits for the difference
        var remarcada = try remarcacao(cenario.remarcar(reserva, longo, ator: ana, agora: agora))
        #expect(remarcada.aPagar == reais(6_000) && remarcada.pagarAte == agora + .minutos(15) && remarcada.aDevolver == nil)
        guard case .pendente(let devendo, agora + .minutos(15)) = cenario.estado(.reserva(reserva)) as Reserva else { throw Inesperado() }
        #expect(devendo.devido == reais(6_000))

        // A longer one still waits for all that is missing, a shorter one for less
        remarcada = try remarcacao(cenario.remarcar(reserva, pedido("10", "13"), ator: ana, agora: agora))
        #expect(remarcada.aPagar == reais(12_000) && remarcada.diferenca == reais(6_000))
        remarcada = try remarcacao(cenario.remarcar(reserva, pedido("14", "15"), ator: ana, agora: agora))
        #expect(remarcada.aPagar == nil && remarcada.aDevolver == nil && remarcada.diferenca == reais(-12_000))
        guard case .confirmada(let dados) = cenario.estado(.reserva(reserva)) as Reserva else { throw Inesperado() }
        #expect(dados.cotacao.total == reais(6_000) && dados.devido == nil)

        // What is cheaper than what was paid gives the difference back
        remarcada = try remarcacao(cenario.remarcar(reserva, intervaloDe("10:00", "10:30"), ator: ana, agora: agora))
        #expect(remarcada.aDevolver == reais(3_000) && remarcada.aPagar == nil)
        guard case .confirmada = cenario.estado(.reserva(reserva)) as Reserva else { throw Inesperado() }

        // Staff take the difference at the desk
        remarcada = try remarcacao(cenario.remarcar(reserva, longo, ator: cenario.recepcao, agora: agora))
        #expect(remarcada.aPagar == nil && remarcada.diferenca == reais(9_000))
        guard case .confirmada = cenario.estado(.reserva(reserva)) as Reserva else { throw Inesperado() }
    }

    @Test func aDifferenceThatIsNotPaidEndsTheBookingWithItsRefund() throws {
        var cenario = try confirmado()
        try cenario.remarcar(reserva, pedido("10", "12"), ator: cenario.ana, agora: agora)
        let tarde = agora + .minutos(15)

        let decididos = ExpirarReserva(reserva: reserva, agora: tarde).decidir(reserva: cenario.estado(.reserva(reserva)))

        guard case .reservas(.reservaExpirada(let expirada)) = try evento(0, gravadosComo(decididos)) else { throw Inesperado() }
        #expect(expirada.reembolso?.pago == reais(6_000) && expirada.reembolso?.valor == reais(6_000))
        #expect(decididos.dropFirst().flatMap(\.eventos).allSatisfy { $0.tipo == HorarioLiberado.tipo })
    }

    private func remarcacao(_ decididos: [EventosDoFluxo]) throws -> ReservaRemarcada {
        guard case .reservas(.reservaRemarcada(let remarcada)) = try evento(0, decididos) else { throw Inesperado() }
        return remarcada
    }

    private func intervaloDe(_ inicio: String, _ fim: String) throws -> Intervalo {
        try intervalo("2026-03-09T\(inicio):00-03:00", "2026-03-09T\(fim):00-03:00")
    }

    /// The same, each read back from its stored bytes.
    private func gravadosComo(_ decididos: [EventosDoFluxo]) throws -> [EventosDoFluxo] {
        _ = try gravados(decididos)
        return decididos
    }

    @Test func whatIsOverIsNotRescheduled() throws {
        var cenario = try confirmado()
        let (ana, novo, comeco) = (cenario.ana, try pedido("14", "15"), try pedido().inicio)
        #expect(throws: RecusaDeReservas.jaComecou) { try cenario.remarcar(reserva, novo, ator: ana, agora: comeco) }
        try cenario.cancelar(reserva, ator: ana, agora: agora)
        #expect(throws: RecusaDeReservas.encerrada) { try cenario.remarcar(reserva, novo, ator: ana, agora: agora) }
    }

    @Test func aHoldThatBecomesFreeOfChargeIsConfirmed() throws {
        var cenario = try reservado()
        let gratis = TarifarioPublicado(
            unidade: cenario.unidade,
            versao: VersaoDeRegra(4),
            vigenteDesde: DataCivil(diasDesde1970: 0),
            tarifas: [Tarifa(alvo: .espaco(cenario.sala), valorHora: .zero)],
            multiplicadores: [],
            em: agora
        )
        cenario.registrar(.tarifario(cenario.unidade), .precos(.tarifarioPublicado(gratis)))
        try cenario.remarcar(reserva, pedido("14", "15"), ator: cenario.ana, agora: agora)
        guard case .confirmada = cenario.estado(.reserva(reserva)) as Reserva else { throw Inesperado() }
    }
}
