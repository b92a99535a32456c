import TestSupport
import Testing

@testable import Domain

/// What a booking costs more, or less, since it was moved.
@Suite struct DiferencaTests {
    let agora = Instante(segundos: 1_772_463_600)
    let reserva: ReservaID = id(1)
    var primeira: CausaDaCobranca { .diferenca(reserva, remarcacao: 1) }

    private func slot(_ de: Int, _ ate: Int) throws -> Intervalo {
        try intervalo("2026-03-09T\(de):00:00-03:00", "2026-03-09T\(ate):00:00-03:00")
    }

    /// Paid for so many hours from ten.
    private func pago(horas: Int = 1) throws -> Cenario {
        var cenario = try Cenario()
        try cenario.reservar(reserva, slot(10, 10 + horas), agora: agora)
        try cenario.acompanhar(reserva, agora: agora)
        try cenario.pagar(reserva, .reserva(reserva), agora: agora)
        try cenario.acompanhar(reserva, agora: agora)
        return cenario
    }

    /// Moved by its member to so many hours.
    private func remarcado(_ horas: Int, de antes: Int = 1) throws -> Cenario {
        var cenario = try pago(horas: antes)
        try cenario.remarcar(reserva, slot(10, 10 + horas), ator: cenario.ana, agora: agora)
        try cenario.acompanhar(reserva, agora: agora)
        return cenario
    }

    @Test func theDifferenceIsChargedOnceAndTheBookingStandsAgainWhenItIsPaid() throws {
        var cenario = try remarcado(2)
        guard case .aberto(let dados) = cenario.pagamento(primeira) else { throw Inesperado() }
        #expect(dados.causa == primeira && dados.valor == reais(6_000) && dados.expiraEm == agora + .minutos(14))
        #expect(dados.usuario == cenario.ana.usuario && dados.unidade == cenario.unidade)
        #expect(try cenario.acompanhar(reserva, agora: agora + .minutos(1)).isEmpty)
        // The price that was paid is not charged again, nor given back
        #expect(try cenario.confirmarPaga(reserva, agora: agora).isEmpty)
        #expect(cenario.pagamento(reserva).pago == reais(6_000))

        try cenario.pagar(reserva, primeira, agora: agora + .minutos(2))

        guard case .confirmada(let confirmada) = cenario.reserva(reserva) else { throw Inesperado() }
        #expect(confirmada.confirmadaPor == [CausaDaCobranca.reserva(reserva).pagamento, primeira.pagamento])
        #expect(try cenario.pago(reserva) == 12_000)
        for causa in confirmada.cobrancas { #expect(try cenario.confirmarPaga(reserva, causa, agora: agora).isEmpty) }
        #expect(try cenario.acompanhar(reserva, agora: agora).isEmpty)
        #expect(try cenario.razao(reserva) == [.caixa: 12_000, .receitaAntecipada: 12_000])
    }

    @Test func whatIsSaidOfOneChargeIsNeverTakenForAnother() throws {
        let cenario = try remarcado(2)
        let transacao = try #require(TransacaoID(primeira.pagamento, tentativa: 1))
        let aprovacao = RegistrarAprovacao(transacao: transacao, metodo: .cartao, valor: reais(6_000), agora: agora)
        let recusa = RegistrarRecusa(transacao: transacao, metodo: .cartao, motivo: .cartaoRecusado, agora: agora)
        #expect(throws: RecusaDePagamentos.pagamentoNaoEncontrado) { try aprovacao.decidir(pagamento: cenario.pagamento(reserva)) }
        #expect(throws: RecusaDePagamentos.pagamentoNaoEncontrado) { try recusa.decidir(pagamento: cenario.pagamento(reserva)) }
    }

    @Test func aCancellationGivesBackOverAllChargesOnceAndNeverMoreThanWasPaid() throws {
        var cenario = try remarcado(2)
        try cenario.pagar(reserva, primeira, agora: agora)
        let ator = cenario.ana
        try cenario.cancelar(reserva, ator: ator, pago: cenario.pago(reserva), agora: slot(10, 12).inicio - .horas(5))

        try cenario.acompanhar(reserva, agora: agora)

        #expect(cenario.estornos(reserva).map(\.valor) == [reais(6_000)])
        #expect(try cenario.acompanhar(reserva, agora: agora).isEmpty)

        var todo = try remarcado(2)
        try todo.pagar(reserva, primeira, agora: agora)
        try todo.cancelar(reserva, ator: ator, pago: todo.pago(reserva), agora: agora)
        try todo.acompanhar(reserva, agora: agora)
        #expect(todo.estornos(reserva).map(\.valor) == [reais(6_000), reais(6_000)])
        #expect(todo.estornos(reserva).allSatisfy { $0.motivo == .cancelamento })
        #expect(try todo.acompanhar(reserva, agora: agora).isEmpty)
        try todo.devolverTudo(reserva, agora: agora)
        #expect(try todo.razao(reserva).isEmpty)
    }

    @Test func aSecondMoveClosesTheFirstDifferenceAndWhatIsPaidForItGoesBack() throws {
        var cenario = try remarcado(2)
        let segunda = CausaDaCobranca.diferenca(reserva, remarcacao: 2)
        try cenario.remarcar(reserva, slot(10, 13), ator: cenario.ana, agora: agora)
        try cenario.acompanhar(reserva, agora: agora)
        guard case .encerrado = cenario.pagamento(primeira), case .aberto(let aberta) = cenario.pagamento(segunda) else {
            throw Inesperado()
        }
        #expect(aberta.valor == reais(12_000))

        // Too late for the first
        try cenario.pagar(reserva, primeira, agora: agora)
        #expect(cenario.pagamento(primeira).pago == .zero && cenario.estornos(reserva).map(\.motivo) == [.atraso])
        guard case .pendente = cenario.reserva(reserva) else { throw Inesperado() }

        try cenario.pagar(reserva, segunda, agora: agora)
        guard case .confirmada = cenario.reserva(reserva) else { throw Inesperado() }
        #expect(try cenario.pago(reserva) == 18_000)
        try cenario.devolverTudo(reserva, agora: agora)
        #expect(try cenario.razao(reserva) == [.caixa: 18_000, .receitaAntecipada: 18_000])
    }

    @Test("What was paid of a held booking before it moved counts, though nobody had come to it: only the difference is left to pay")
    func paidAndMoved() throws {
        var cenario = try Cenario()
        try cenario.reservar(reserva, slot(10, 11), agora: agora)
        try cenario.acompanhar(reserva, agora: agora)
        try cenario.aprovar(reserva, valor: 6_000, agora: agora)
        try cenario.remarcar(reserva, slot(10, 12), ator: cenario.ana, agora: agora)

        guard case .pendente(let dados, _) = cenario.reserva(reserva) else { throw Inesperado() }
        #expect(dados.devido == reais(6_000) && dados.confirmadaPor == [CausaDaCobranca.reserva(reserva).pagamento])
        // When the payment is heard of
        #expect(try cenario.confirmarPaga(reserva, agora: agora).isEmpty)
        try cenario.acompanhar(reserva, agora: agora)
        #expect(cenario.estornos(reserva).isEmpty)
        guard case .aberto(let diferenca) = cenario.pagamento(primeira) else { throw Inesperado() }
        #expect(diferenca.valor == reais(6_000))
        _ = try PagarCobranca(ator: cenario.ana, metodo: .pix, agora: agora).proximo(cenario.pagamento(primeira))
        try cenario.pagar(reserva, primeira, agora: agora)
        guard case .confirmada = cenario.reserva(reserva) else { throw Inesperado() }
        #expect(try cenario.razao(reserva) == [.caixa: 12_000, .receitaAntecipada: 12_000])
    }

    @Test func aDifferenceThatWasPaidCountsForTheNextMove() throws {
        var cenario = try remarcado(2)
        try cenario.aprovar(primeira, valor: 6_000, agora: agora)
        try cenario.remarcar(reserva, slot(10, 13), ator: cenario.ana, agora: agora)
        guard case .pendente(let dados, _) = cenario.reserva(reserva) else { throw Inesperado() }
        #expect(dados.devido == reais(6_000))
        #expect(try cenario.confirmarPaga(reserva, primeira, agora: agora).isEmpty)
        #expect(try cenario.pago(reserva) == 12_000)
    }

    @Test func theOldPriceCannotBePaidOnceTheBookingIsMoved() throws {
        var cenario = try Cenario()
        try cenario.reservar(reserva, slot(10, 11), agora: agora)
        try cenario.acompanhar(reserva, agora: agora)
        try cenario.gerarPix(reserva, agora: agora)
        // The charge changes in the append of the move
        try cenario.remarcar(reserva, slot(10, 12), ator: cenario.ana, agora: agora)
        #expect(cenario.pagamento(reserva).dados?.valor == reais(12_000) && cenario.pagamento(reserva).dados?.pix == nil)
        try cenario.aprovar(reserva, valor: 6_000, agora: agora)
        #expect(try cenario.confirmarPaga(reserva, agora: agora).isEmpty)
        #expect(cenario.estornos(reserva).map(\.motivo) == [.pagamentoIndevido])
        // And the new one can
        try cenario.aprovar(reserva, valor: 12_000, tentativa: 2, agora: agora)
        try cenario.confirmarPaga(reserva, agora: agora)
        guard case .confirmada = cenario.reserva(reserva) else { throw Inesperado() }
    }

    @Test func aCheaperTimeGivesTheDifferenceBackOnce() throws {
        var cenario = try remarcado(1, de: 2)
        #expect(cenario.estornos(reserva).map(\.valor) == [reais(6_000)])
        #expect(cenario.estornos(reserva).map(\.motivo) == [.remarcacao])
        #expect(try cenario.acompanhar(reserva, agora: agora).isEmpty)
        #expect(try cenario.pago(reserva) == 6_000)
        // Again half an hour less
        try cenario.remarcar(reserva, intervalo("2026-03-09T10:00:00-03:00", "2026-03-09T10:30:00-03:00"), ator: cenario.ana, agora: agora)
        try cenario.acompanhar(reserva, agora: agora)
        #expect(cenario.estornos(reserva).map(\.valor) == [reais(6_000), reais(3_000)])
        try cenario.devolverTudo(reserva, agora: agora)
        #expect(try cenario.razao(reserva) == [.caixa: 3_000, .receitaAntecipada: 3_000])
    }

    @Test func aCancellationBeforeTheDifferenceWentBackCountsOnlyThePrice() throws {
        var cenario = try pago(horas: 2)
        try cenario.remarcar(reserva, slot(10, 11), ator: cenario.ana, agora: agora)
        let ator = cenario.ana
        // The policy has not come to the move yet
        #expect(try cenario.pago(reserva) == 6_000)
        try cenario.cancelar(reserva, ator: ator, pago: cenario.pago(reserva), agora: slot(10, 11).inicio - .horas(5))
        try cenario.acompanhar(reserva, agora: agora)
        #expect(cenario.estornos(reserva).map(\.valor) == [reais(6_000), reais(3_000)])
        #expect(try cenario.acompanhar(reserva, agora: agora).isEmpty)
    }

    @Test func whatWasNeverPaidIsNotGivenBack() throws {
        var cenario = try Cenario()
        try cenario.reservar(reserva, slot(10, 12), agora: agora)
        try cenario.confirmar(reserva, agora: agora)
        try cenario.remarcar(reserva, slot(10, 11), ator: cenario.ana, agora: agora)
        try cenario.acompanhar(reserva, agora: agora)
        #expect(cenario.estornos(reserva).isEmpty)
        // Nor when the desk has taken what is owed now
        try cenario.receberNoBalcao(reserva, valor: 6_000, agora: agora)
        #expect(try cenario.acompanhar(reserva, agora: agora).isEmpty)
    }

    @Test func aBookingThatExpiresForItsDifferenceGivesBackWhatItsPolicySaysWhenNobodyCanPayLateAnyMore() throws {
        var cenario = try remarcado(2)
        try cenario.expirar(reserva, agora: agora + .minutos(15))
        try cenario.acompanhar(reserva, agora: agora + .minutos(15))
        guard case .encerrado = cenario.pagamento(primeira) else { throw Inesperado() }
        #expect(cenario.estornos(reserva).isEmpty)

        try cenario.acompanhar(reserva, agora: agora + .minutos(25))

        #expect(cenario.estornos(reserva).map(\.valor) == [reais(6_000)])
        #expect(cenario.estornos(reserva).map(\.motivo) == [.expiracao])
        #expect(try cenario.acompanhar(reserva, agora: agora + .minutos(26)).isEmpty)
        // Who pays later still gets that back, too
        try cenario.pagar(reserva, primeira, agora: agora + .minutos(27))
        guard case .expirada = cenario.reserva(reserva) else { throw Inesperado() }
        #expect(cenario.estornos(reserva).map(\.motivo) == [.expiracao, .atraso])
        try cenario.devolverTudo(reserva, agora: agora + .minutos(28))
        #expect(try cenario.razao(reserva).isEmpty)
    }

    @Test func aLateDifferenceTakesTheSlotAgainWhereItIsFree() throws {
        var cenario = try remarcado(2)
        try cenario.expirar(reserva, agora: agora + .minutos(15))
        var ocupado = cenario
        try cenario.pagar(reserva, primeira, agora: agora + .minutos(17))
        guard case .confirmada = cenario.reserva(reserva) else { throw Inesperado() }
        // Then there is nothing to give back
        #expect(try cenario.acompanhar(reserva, agora: agora + .minutos(25)).isEmpty)
        #expect(try cenario.pago(reserva) == 12_000)

        try ocupado.reservar(id(2), slot(11, 12), ator: ocupado.bia, agora: agora + .minutos(16))
        try ocupado.pagar(reserva, primeira, agora: agora + .minutos(17))
        guard case .expirada = ocupado.reserva(reserva) else { throw Inesperado() }
        #expect(ocupado.pagamento(primeira).pago == .zero)
    }

    @Test func whatALateDifferenceBringsBackIsNotEarnedTwice() throws {
        // Given half an hour before the start, where nothing goes back
        var cenario = try pago()
        let tarde = try slot(10, 11).inicio - .horas(2)
        try cenario.remarcar(reserva, slot(10, 12), ator: cenario.ana, agora: tarde)
        try cenario.acompanhar(reserva, agora: tarde)
        try cenario.expirar(reserva, agora: tarde + .minutos(15))
        #expect(try cenario.razao(reserva) == [.caixa: 6_000, .receitaDeReservas: 6_000])

        try cenario.pagar(reserva, primeira, agora: tarde + .minutos(16))

        guard case .confirmada = cenario.reserva(reserva) else { throw Inesperado() }
        let concluida = ReservaConcluida(reserva: reserva, em: try slot(10, 12).fim)
        cenario.registrar(.reserva(reserva), .reservas(.reservaConcluida(concluida)))
        #expect(try cenario.razao(reserva) == [.caixa: 12_000, .receitaDeReservas: 12_000])
    }

    @Test func theChargesOfOneBookingAndTheirGivingsBackHaveIdsOfTheirOwn() {
        let causas: [CausaDaCobranca] =
            [.reserva(reserva), .excedente(reserva)] + (1...200).map { .diferenca(reserva, remarcacao: $0) }
            + (0...200).map { .mensalidade(id(1), inicio: agora + .minutos($0)) }
        #expect(Set(causas.map(\.pagamento)).count == causas.count)
        let numeros = Array(1...99) + [200, 300] + Array(1_001...1_200)
        #expect(Set(causas.flatMap { causa in numeros.map { EstornoID(de: causa.pagamento, $0) } }).count == causas.count * numeros.count)
        // The first charge of all is as it was stored
        #expect(causas[0].pagamento.texto == reserva.texto)
    }

    @Test("However a booking is moved, paid, taken money for and given up, the money is right", arguments: 0..<60 as Range<UInt64>)
    func whateverHappensTheMoneyIsRight(_ semente: UInt64) throws {
        var sorteio = SeededGenerator(seed: semente)
        var cenario = try Cenario()
        var momento = agora
        func chance(_ uma: Int) -> Bool { Int.random(in: 0..<uma, using: &sorteio) == 0 }
        try cenario.reservar(reserva, slot(10, 12), agora: momento)
        for _ in 0..<40 {
            momento = momento + .minutos(Int.random(in: 0...12, using: &sorteio))
            if !chance(4) { try cenario.acompanhar(reserva, agora: momento) }
            switch Int.random(in: 0..<12, using: &sorteio) {
            case 0, 1, 2:
                guard let causa = cenario.reserva(reserva).dados?.cobrancas.randomElement(using: &sorteio),
                    let dados = cenario.pagamento(causa).dados
                else { continue }
                let valor = chance(6) ? dados.valor.centavos + 1 : dados.valor.centavos
                try cenario.aprovar(causa, valor: valor, tentativa: Int.random(in: 1...4, using: &sorteio), agora: momento)
            case 3, 4, 5:
                let horas = Int.random(in: 1...4, using: &sorteio)
                _ = try? cenario.remarcar(
                    reserva, slot(10, 10 + horas), ator: chance(3) ? cenario.recepcao : cenario.ana, agora: momento)
            case 6: try cenario.expirar(reserva, agora: momento)
            case 7: _ = try? cenario.receberNoBalcao(reserva, agora: momento)
            case 8 where chance(4): try? cenario.confirmar(reserva, agora: momento)
            case 9 where chance(6):
                _ = try? cenario.cancelar(
                    reserva, ator: cenario.recepcao, pago: cenario.pago(reserva), justificativa: Selado("x"),
                    excepcional: chance(2) ? .metade : .todo, agora: momento)
            case 10:
                let causas = cenario.reserva(reserva).dados?.cobrancas ?? []
                for causa in causas { try cenario.confirmarPaga(reserva, causa, agora: momento) }
            default: try cenario.devolverTudo(reserva, agora: momento)
            }
            try naoSaiMaisDoQueEntrou(cenario)
            if chance(6) { try asContasBatem(cenario) }
        }
        // Everything that is on its way arrives
        for _ in 0..<3 {
            momento = momento + .minutos(30)
            try cenario.expirar(reserva, agora: momento)
            for causa in cenario.reserva(reserva).dados?.cobrancas ?? [] { try cenario.confirmarPaga(reserva, causa, agora: momento) }
            try cenario.acompanhar(reserva, agora: momento)
            try cenario.devolverTudo(reserva, agora: momento)
        }
        if case .confirmada(let dados) = cenario.reserva(reserva) {
            cenario.registrar(
                .reserva(reserva), .reservas(.reservaConcluida(ReservaConcluida(reserva: reserva, em: dados.horario.intervalo.fim))))
        }
        try naoSaiMaisDoQueEntrou(cenario)
        try asContasBatem(cenario)
        let saldos = try cenario.razao(reserva)
        #expect(saldos[.receitaAntecipada] == nil, "\(saldos)")
        guard case .concluida(let dados) = cenario.reserva(reserva) else { return }
        // All of the price is there, or is owed and can be taken at the desk
        let guardado = cenario.pagamentos(reserva).reduce(0) { $0 + $1.pago.centavos }
        let devido = dados.devidoNoBalcao(cenario.pagamentos(reserva)).centavos
        #expect(guardado + devido == dados.cotacao.total.centavos)
        #expect(saldos[.caixa, default: 0] == guardado, "\(cenario.ordem.map(\.evento.tipo))")
        #expect(saldos[.aReceber, default: 0] == devido, "\(saldos)")
        guard devido > 0 else { return }
        try cenario.receberNoBalcao(reserva, valor: devido, agora: momento)
        let depois = try cenario.razao(reserva)
        #expect(depois[.aReceber] == nil && depois[.caixa] == dados.cotacao.total.centavos, "\(depois)")
    }

    private func naoSaiMaisDoQueEntrou(_ cenario: Cenario) throws {
        let pagamentos = cenario.pagamentos(reserva).compactMap(\.dados)
        for dados in pagamentos {
            for recebimento in dados.recebimentos { #expect(dados.resto(de: recebimento) >= .zero) }
            #expect(Set(dados.estornos.map(\.estorno)).count == dados.estornos.count)
        }
    }

    private func asContasBatem(_ cenario: Cenario) throws {
        let pagamentos = cenario.pagamentos(reserva).compactMap(\.dados)
        let entrou = pagamentos.flatMap(\.recebimentos).reduce(0) { $0 + $1.valor.centavos }
        let saiu = pagamentos.flatMap(\.estornos).filter { $0.situacao == .realizado }.reduce(0) { $0 + $1.valor.centavos }
        let saldos = try cenario.razao(reserva)
        #expect(saldos[.caixa, default: 0] == entrou - saiu)
        #expect(saldos.allSatisfy { $0.value >= 0 }, "\(saldos)")
    }
}
