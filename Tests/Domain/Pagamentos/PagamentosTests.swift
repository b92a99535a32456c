import Domain
import TestSupport
import Testing

/// A charge from the hold to the last centavo given back.
@Suite struct PagamentosTests {
    let agora = Instante(segundos: 1_772_463_600)
    let reserva: ReservaID = id(1)

    private func slot() throws -> Intervalo { try intervalo("2026-03-09T10:00:00-03:00", "2026-03-09T11:00:00-03:00") }

    /// A hold with its charge.
    private func cobrado() throws -> Cenario {
        var cenario = try Cenario()
        try cenario.reservar(reserva, slot(), agora: agora)
        try cenario.acompanhar(reserva, agora: agora)
        return cenario
    }

    private func pago(_ valor: Int64 = 6_000) throws -> Cenario {
        var cenario = try cobrado()
        try cenario.aprovar(reserva, valor: valor, agora: agora + .minutos(2))
        try cenario.confirmarPaga(reserva, agora: agora + .minutos(2))
        return cenario
    }

    @Test func aHoldIsChargedOnceAndUntilAMinuteBeforeItRunsOut() throws {
        var cenario = try cobrado()
        guard case .aberto(let dados) = cenario.pagamento(reserva) else { throw Inesperado() }
        #expect(dados.valor == reais(6_000) && dados.usuario == cenario.ana.usuario && dados.unidade == cenario.unidade)
        #expect(dados.expiraEm == agora + .minutos(14) && dados.causa == .reserva(reserva))
        #expect(try cenario.acompanhar(reserva, agora: agora + .minutos(1)).isEmpty)
        #expect(ExpirarCobranca(agora: agora + .minutos(13)).decidir(pagamento: cenario.pagamento(reserva)).isEmpty)

        try cenario.gravar(ExpirarCobranca(agora: dados.expiraEm).decidir(pagamento: cenario.pagamento(reserva)))

        guard case .encerrado = cenario.pagamento(reserva) else { throw Inesperado() }
        #expect(ExpirarCobranca(agora: dados.expiraEm).decidir(pagamento: cenario.pagamento(reserva)).isEmpty)
        #expect(try cenario.acompanhar(reserva, agora: agora + .minutos(14)).isEmpty)
    }

    @Test(
        "While a PIX can be paid the provider is asked about it: soon, then ever later, in the end daily",
        arguments: [
            (-1, []), (2, []), (14, [2]), (15, [2]), (16, [2, 15]), (360, [2, 15, 60]), (1_440, [2, 15, 60, 360]),
            (1_441, [2, 15, 60, 360, 1_440]), (3 * 1_440 + 1, [2, 15, 60, 360, 1_440, 2_880, 4_320]),
        ] as [(Int, [Int])]
    )
    func aPixIsAskedAbout(prazo: Int, perguntas: [Int]) throws {
        let pagamento: PagamentoID = id(2)
        let pix = PixGerado(
            pagamento: pagamento, causa: .reserva(reserva), transacao: try #require(TransacaoID(pagamento, tentativa: 1)),
            valor: reais(6_000), copiaECola: "000201", expiraEm: agora + .minutos(prazo), em: agora
        )
        #expect(pix.conferencias == perguntas.map { agora + .minutos($0) })
    }

    @Test func whatCostsNothingIsNotCharged() throws {
        var cenario = try Cenario(valorHora: 0)
        try cenario.reservar(reserva, slot(), agora: agora)
        #expect(try cenario.acompanhar(reserva, agora: agora).isEmpty)
    }

    @Test func theChargeFollowsThePriceAndForgetsThePixOfTheOldOne() throws {
        var cenario = try cobrado()
        try cenario.gerarPix(reserva, agora: agora)
        try cenario.remarcar(reserva, intervalo("2026-03-09T10:00:00-03:00", "2026-03-09T12:00:00-03:00"), ator: cenario.ana, agora: agora)

        try cenario.acompanhar(reserva, agora: agora)

        guard case .aberto(let dados) = cenario.pagamento(reserva) else { throw Inesperado() }
        #expect(dados.valor == reais(12_000) && dados.pix == nil)

        // The old PIX is paid all the same: the money goes back at once, and the charge still waits for its own
        try cenario.aprovar(reserva, valor: 6_000, agora: agora)
        guard case .aberto(let depois) = cenario.pagamento(reserva) else { throw Inesperado() }
        #expect(depois.estornos.map(\.valor) == [reais(6_000)] && depois.estornos.first?.motivo == .pagamentoIndevido)
    }

    @Test func theChargeClosesWhenThereIsNothingToWaitFor() throws {
        var cenario = try cobrado()
        let confirmar = ConfirmarReserva(reserva: reserva, ator: cenario.recepcao, agora: agora)
        try cenario.gravar(confirmar.decidir(reserva: cenario.estado(.reserva(reserva))))
        let decididos = try cenario.acompanhar(reserva, agora: agora)
        guard case .pagamentos(.cobrancaExpirada(let encerrada)) = try evento(0, decididos) else { throw Inesperado() }
        #expect(encerrada.motivo == .semObjeto)
    }

    @Test func aChargeRunsOutWithItsHoldWhicheverIsNoticedFirst() throws {
        var cenario = try cobrado()
        let fim = agora + .minutos(15)
        try cenario.gravar(ExpirarReserva(reserva: reserva, agora: fim).decidir(reserva: cenario.estado(.reserva(reserva))))
        let decididos = try cenario.acompanhar(reserva, agora: fim)
        guard case .pagamentos(.cobrancaExpirada(let encerrada)) = try evento(0, decididos) else { throw Inesperado() }
        #expect(encerrada.motivo == .prazo)
        #expect(ExpirarCobranca(agora: fim).decidir(pagamento: cenario.pagamento(reserva)).isEmpty)
    }

    @Test func aPixIsMadeOnceAndAnotherAfterARefusal() throws {
        var cenario = try cobrado()
        let primeira = try cenario.gerarPix(reserva, agora: agora)
        let pagar = PagarCobranca(ator: cenario.ana, metodo: .pix, agora: agora)
        guard case .pix(let pix, _) = try pagar.proximo(cenario.pagamento(reserva)) else { throw Inesperado() }
        #expect(pix.transacao == primeira && primeira.pagamento == CausaDaCobranca.reserva(reserva).pagamento)
        #expect(try pagar.registrarPix(primeira, copiaECola: "x", pagamento: cenario.pagamento(reserva)) == [])

        let recusa = RegistrarRecusa(transacao: primeira, metodo: .pix, motivo: .canceladoPeloPagador, agora: agora)
        try cenario.gravar(recusa.decidir(pagamento: cenario.pagamento(reserva)))
        #expect(try recusa.decidir(pagamento: cenario.pagamento(reserva)) == [])

        guard case .pedir(let segunda, _) = try pagar.proximo(cenario.pagamento(reserva)) else { throw Inesperado() }
        #expect(segunda.tentativa == 2 && segunda.texto.utf8.count == 34)
        #expect(TransacaoID(segunda.texto) == segunda && TransacaoID(segunda.texto + "0") == nil && TransacaoID("x") == nil)
    }

    @Test func strangersDoNotKnowOfAChargeAndTheDeskMayPayIt() throws {
        let cenario = try cobrado()
        let estado = cenario.pagamento(reserva)
        #expect(throws: RecusaDePagamentos.pagamentoNaoEncontrado) {
            try PagarCobranca(ator: cenario.bia, metodo: .pix, agora: agora).proximo(estado)
        }
        #expect(throws: RecusaDePagamentos.cobrancaEncerrada) {
            try PagarCobranca(ator: cenario.ana, metodo: .pix, agora: agora + .minutos(14)).proximo(estado)
        }
        guard case .pedir = try PagarCobranca(ator: cenario.recepcao, metodo: .cartao, agora: agora).proximo(estado) else {
            throw Inesperado()
        }
    }

    @Test func whatIsPaidStands() throws {
        let cenario = try pago()
        guard case .confirmada(let dados) = cenario.estado(.reserva(reserva)) as Reserva else { throw Inesperado() }
        #expect(dados.confirmadaPor == [CausaDaCobranca.reserva(reserva).pagamento])
        #expect(cenario.pagamento(reserva).pago == reais(6_000))
        #expect(throws: RecusaDePagamentos.jaPago) {
            try PagarCobranca(ator: cenario.ana, metodo: .pix, agora: agora).proximo(cenario.pagamento(reserva))
        }
        var outra = cenario
        #expect(try outra.confirmarPaga(reserva, agora: agora + .minutos(3)).isEmpty)
    }

    @Test func aSecondPaymentGoesBackAndARepeatedMessageIsNone() throws {
        var cenario = try pago()
        #expect(try cenario.aprovar(reserva, valor: 6_000, agora: agora).isEmpty)
        try cenario.aprovar(reserva, valor: 6_000, tentativa: 2, agora: agora)
        guard case .quitado(let dados) = cenario.pagamento(reserva) else { throw Inesperado() }
        #expect(dados.recebimentos.map(\.quita) == [true, false] && dados.estornos.map(\.valor) == [reais(6_000)])
        #expect(cenario.pagamento(reserva).pago == reais(6_000))
        // A refusal that comes after the approval says nothing
        let tarde = RegistrarRecusa(transacao: dados.recebimentos[0].transacao, metodo: .pix, motivo: .outro, agora: agora)
        #expect(try tarde.decidir(pagamento: cenario.pagamento(reserva)) == [])
    }

    @Test func anAnswerThatItsMessageOvertookIsKeptAndChangesNothing() throws {
        var cenario = try pago()
        let antes = cenario.pagamento(reserva)
        let transacao = try #require(antes.dados?.recebimentos.first?.transacao)
        let resposta = ResponderTentativa(transacao: transacao, metodo: .cartao, valor: reais(6_000), recusa: nil, agora: agora)

        let gravados = try resposta.decidir(pagamento: antes)
        try cenario.gravar(gravados)

        #expect(gravados.flatMap(\.eventos).map(\.tipo) == [TentativaRespondida.tipo])
        let depois = cenario.pagamento(reserva)
        #expect(depois.pago == reais(6_000) && depois.dados?.recebimentos == antes.dados?.recebimentos)
        #expect(depois.dados?.estornos == antes.dados?.estornos)
        #expect(throws: RecusaDePagamentos.pagamentoNaoEncontrado) { try resposta.decidir(pagamento: .inexistente) }
    }

    @Test func aPixThatWasPaidBeforeAnyoneWasToldOfItIsAnsweredOnce() throws {
        var cenario = try pago()
        let paga = try #require(cenario.pagamento(reserva).pixSemResposta)
        #expect(paga.valor == reais(6_000))
        let resposta = ResponderTentativa(transacao: paga.transacao, metodo: .pix, valor: paga.valor, recusa: nil, agora: agora)
        try cenario.gravar(resposta.decidir(pagamento: cenario.pagamento(reserva)))
        #expect(cenario.pagamento(reserva).pixSemResposta == nil)
    }

    @Test func aPixThatWasMadeNeedsNoAnswerOnceItIsPaid() throws {
        var cenario = try cobrado()
        #expect(cenario.pagamento(reserva).pixSemResposta == nil)
        try cenario.gerarPix(reserva, agora: agora)
        try cenario.aprovar(reserva, valor: 6_000, agora: agora + .minutos(2))
        #expect(cenario.pagamento(reserva).pago == reais(6_000) && cenario.pagamento(reserva).pixSemResposta == nil)
    }

    @Test func aLatePaymentTakesTheSlotAgainWhereItIsFree() throws {
        var cenario = try expirado()
        try cenario.aprovar(reserva, valor: 6_000, agora: agora + .minutos(16))

        let decididos = try cenario.confirmarPaga(reserva, agora: agora + .minutos(16))

        #expect(decididos.flatMap(\.eventos).map(\.tipo).prefix(2) == ["reservas.ReservaRetomada", "reservas.ReservaConfirmada"])
        guard case .confirmada = cenario.estado(.reserva(reserva)) as Reserva else { throw Inesperado() }
        #expect(try cenario.agendas(slot().diasUTC).maiorOcupacao(em: slot()) == 1)
        let (bia, pedido) = (cenario.bia, try slot())
        #expect(throws: RecusaDeReservas.conflito) { try cenario.reservar(id(2), pedido, ator: bia, agora: agora + .minutos(17)) }
    }

    @Test func aLatePaymentGoesBackInFullWhereTheSlotIsTaken() throws {
        var cenario = try expirado()
        try cenario.reservar(id(2), slot(), ator: cenario.bia, agora: agora + .minutos(16))
        try cenario.aprovar(reserva, valor: 6_000, agora: agora + .minutos(17))

        try cenario.confirmarPaga(reserva, agora: agora + .minutos(17))

        guard case .quitado(let dados) = cenario.pagamento(reserva), case .expirada = cenario.estado(.reserva(reserva)) as Reserva else {
            throw Inesperado()
        }
        #expect(dados.estornos.map(\.valor) == [reais(6_000)] && dados.estornos.map(\.motivo) == [.atraso])
        #expect(cenario.razoes(reserva) == [.semLugar])
        #expect(cenario.pagamento(reserva).pago == .zero)
        #expect(try cenario.confirmarPaga(reserva, agora: agora + .minutos(18)).isEmpty)
    }

    @Test("What has begun is not taken again: the money goes back in full", arguments: [-1, 0, 30, 60, 600])
    func begun(minutosDoInicio: Int) throws {
        var cenario = try expirado()
        let quando = try slot().inicio + .minutos(minutosDoInicio)
        try cenario.aprovar(reserva, valor: 6_000, agora: quando)

        try cenario.confirmarPaga(reserva, agora: quando)

        if minutosDoInicio < 0 {
            guard case .confirmada = cenario.reserva(reserva) else { throw Inesperado() }
            #expect(cenario.razoes(reserva).isEmpty)
        } else {
            guard case .expirada = cenario.reserva(reserva) else { throw Inesperado() }
            #expect(cenario.estornos(reserva).map(\.valor) == [reais(6_000)] && cenario.razoes(reserva) == [.horarioComecou])
            #expect(cenario.pagamento(reserva).pago == .zero)
        }
    }

    @Test func moneyThatComesAfterAHoldThatNobodyHasEndedYetDoesNotBuyATimeThatHasBegun() throws {
        var cenario = try cobrado()
        let inicio = try slot().inicio
        // In time, and heard of after an outage
        var ponto = cenario
        try ponto.aprovar(reserva, valor: 6_000, agora: agora + .minutos(10))
        try ponto.confirmarPaga(reserva, agora: inicio + .minutos(1))
        guard case .confirmada = ponto.reserva(reserva) else { throw Inesperado() }

        try cenario.aprovar(reserva, valor: 6_000, agora: inicio + .minutos(1))
        try cenario.confirmarPaga(reserva, agora: inicio + .minutos(1))

        guard case .pendente = cenario.reserva(reserva) else { throw Inesperado() }
        #expect(cenario.razoes(reserva) == [.horarioComecou] && cenario.pagamento(reserva).pago == .zero)
        try cenario.expirar(reserva, agora: inicio + .minutos(1))
        #expect(try cenario.confirmarPaga(reserva, agora: inicio + .minutos(2)).isEmpty)
    }

    @Test func whatIsPaidForACancelledOrSettledBookingGoesBack() throws {
        var cancelado = try cobrado()
        try cancelado.cancelar(reserva, ator: cancelado.ana, agora: agora)
        try cancelado.aprovar(reserva, valor: 6_000, agora: agora)
        try cancelado.confirmarPaga(reserva, agora: agora)
        #expect(cancelado.pagamento(reserva).dados?.estornos.map(\.valor) == [reais(6_000)])
        #expect(
            DevolverDaReserva(agora: agora).decidir(
                reserva: cancelado.estado(.reserva(reserva)), pagamentos: [cancelado.pagamento(reserva)]) == [])

        var balcao = try cobrado()
        let confirmar = ConfirmarReserva(reserva: reserva, ator: balcao.recepcao, agora: agora)
        try balcao.gravar(confirmar.decidir(reserva: balcao.estado(.reserva(reserva))))
        try balcao.aprovar(reserva, valor: 6_000, agora: agora)
        try balcao.confirmarPaga(reserva, agora: agora)
        #expect(balcao.pagamento(reserva).pago == .zero)
    }

    @Test func aCancellationGivesBackWhatItsPolicySaysOnce() throws {
        var cenario = try pago()
        try cenario.cancelar(
            reserva, ator: cenario.ana, pago: cenario.pagamento(reserva).pago.centavos, agora: slot().inicio - .horas(5)
        )
        let devolver = DevolverDaReserva(agora: agora)
        try cenario.gravar(devolver.decidir(reserva: cenario.estado(.reserva(reserva)), pagamentos: [cenario.pagamento(reserva)]))
        #expect(cenario.pagamento(reserva).dados?.estornos.map(\.valor) == [reais(3_000)])
        #expect(devolver.decidir(reserva: cenario.estado(.reserva(reserva)), pagamentos: [cenario.pagamento(reserva)]) == [])
        // Had the confirmation been late, it would find the booking cancelled with its payment counted
        #expect(try cenario.confirmarPaga(reserva, agora: agora).isEmpty)
    }

    @Test func whatGoesBackNeverExceedsWhatWasPaid() throws {
        var cenario = try pago()
        func estornar(_ numero: UInt64, _ valor: Int64?, por ator: Ator? = nil) throws -> [EventosDoFluxo] {
            try EstornarPagamento(
                estorno: id(numero), ator: ator ?? cenario.recepcao, valor: valor.map(reais), justificativa: nil, agora: agora
            ).decidir(pagamento: cenario.pagamento(reserva))
        }
        #expect(throws: RecusaDePagamentos.soEquipe) { try estornar(50, 1, por: cenario.ana) }
        #expect(throws: RecusaDePagamentos.valorInvalido) { try estornar(50, 0) }
        #expect(throws: RecusaDePagamentos.valorInvalido) { try estornar(50, -1) }
        #expect(throws: RecusaDePagamentos.acimaDoPago(resto: reais(6_000))) { try estornar(50, 6_001) }
        try cenario.gravar(estornar(50, 4_000))
        #expect(try estornar(50, 4_000) == [])
        #expect(throws: RecusaDePagamentos.acimaDoPago(resto: reais(2_000))) { try estornar(51, 4_000) }

        // What the provider will not give back is there again
        let recusado = RegistrarEstorno(estorno: id(50), desfecho: .recusado(.contaEncerrada), agora: agora)
        try cenario.gravar(recusado.decidir(pagamento: cenario.pagamento(reserva)))
        #expect(cenario.pagamento(reserva).pago == reais(6_000))
        try cenario.gravar(estornar(52, nil))
        #expect(throws: RecusaDePagamentos.acimaDoPago(resto: .zero)) { try estornar(53, nil) }

        let feito = RegistrarEstorno(estorno: id(52), desfecho: .realizado("D1"), agora: agora)
        try cenario.gravar(feito.decidir(pagamento: cenario.pagamento(reserva)))
        #expect(try feito.decidir(pagamento: cenario.pagamento(reserva)) == [])
        #expect(try recusado.decidir(pagamento: cenario.pagamento(reserva)) == [])
        #expect(throws: RecusaDePagamentos.pagamentoNaoEncontrado) {
            try RegistrarEstorno(estorno: id(99), desfecho: .realizado(nil), agora: agora).decidir(pagamento: cenario.pagamento(reserva))
        }
    }

    @Test("However payments and givings back come, no more goes out than came in", arguments: 0..<60)
    func neverMoreOutThanIn(semente: UInt64) throws {
        var sorteio = SeededGenerator(seed: semente)
        var cenario = try cobrado()
        for passo in 0..<40 {
            let momento = agora + .minutos(passo)
            switch Int.random(in: 0..<7, using: &sorteio) {
            case 0, 1:
                let valor: Int64 = Bool.random(using: &sorteio) ? 6_000 : Int64.random(in: 1...9_000, using: &sorteio)
                try cenario.aprovar(reserva, valor: valor, tentativa: Int.random(in: 1...6, using: &sorteio), agora: momento)
            case 2:
                let estornar = EstornarPagamento(
                    estorno: id(UInt64(100 + passo)), ator: cenario.recepcao, valor: reais(Int64.random(in: 1...7_000, using: &sorteio)),
                    justificativa: nil, agora: momento
                )
                try? cenario.gravar(estornar.decidir(pagamento: cenario.pagamento(reserva)))
            case 3: try cenario.confirmarPaga(reserva, agora: momento)
            case 4:
                let expirar = ExpirarReserva(reserva: reserva, agora: momento)
                try cenario.gravar(expirar.decidir(reserva: cenario.estado(.reserva(reserva))))
                try cenario.acompanhar(reserva, agora: momento)
            case 5 where passo > 20:
                _ = try? cenario.cancelar(reserva, ator: cenario.recepcao, pago: cenario.pagamento(reserva).pago.centavos, agora: momento)
                let devolver = DevolverDaReserva(agora: momento)
                try cenario.gravar(devolver.decidir(reserva: cenario.estado(.reserva(reserva)), pagamentos: [cenario.pagamento(reserva)]))
            default:
                guard let estorno = cenario.pagamento(reserva).dados?.estornos.randomElement(using: &sorteio) else { continue }
                let desfecho: RegistrarEstorno.Desfecho = Bool.random(using: &sorteio) ? .realizado(nil) : .recusado(.outro)
                try cenario.gravar(
                    RegistrarEstorno(estorno: estorno.estorno, desfecho: desfecho, agora: momento).decidir(
                        pagamento: cenario.pagamento(reserva))
                )
            }
            guard let dados = cenario.pagamento(reserva).dados else { throw Inesperado() }
            #expect(Set(dados.estornos.map(\.estorno)).count == dados.estornos.count)
            for recebimento in dados.recebimentos { #expect(dados.resto(de: recebimento) >= .zero) }
            #expect(dados.recebimentos.filter(\.quita).count <= 1)
        }
    }

    @Test(
        "What could be a card's number is refused, and said to be",
        arguments: [
            "4111111111111111", "4111 1111 1111 1111", "4111-1111-1111-1111", "tok_4111111111111111", "5555555555554444x", "123456789012",
        ]
    )
    func cardNumbers(texto: String) {
        #expect(throws: RecusaDePagamentos.numeroDeCartao) { try TokenDeCartao(texto) }
    }

    @Test("A provider's token is taken", arguments: ["tok_1NirD82eZvKYlo2CIvbtLWuY", "card-9f3b2c1d", "pm_1234567890123456"])
    func tokens(texto: String) throws {
        #expect(try TokenDeCartao(texto).texto == texto)
    }

    @Test("What is no token is refused", arguments: ["", "abc", "tok 12345678", "tok\n12345678", "çççççççççç"])
    func noTokens(texto: String) {
        #expect(throws: RecusaDePagamentos.tokenInvalido) { try TokenDeCartao(texto) }
    }

    private func expirado() throws -> Cenario {
        var cenario = try cobrado()
        let fim = agora + .minutos(15)
        try cenario.gravar(ExpirarCobranca(agora: agora + .minutos(14)).decidir(pagamento: cenario.pagamento(reserva)))
        try cenario.gravar(ExpirarReserva(reserva: reserva, agora: fim).decidir(reserva: cenario.estado(.reserva(reserva))))
        return cenario
    }
}
