import TestSupport
import Testing

@testable import Domain

/// What a move must not be good for: a longer notice, a slot without an approval, two slots at once.
@Suite struct RemarcacaoTests {
    let reserva: ReservaID = id(1)
    let pedida = Instante(segundos: 1_772_463_600)
    let gestor = Ator(usuario: id(9), papel: .gestor)

    private func slot(_ dia: Int, _ de: Int, _ ate: Int) throws -> Intervalo {
        try intervalo("2026-03-0\(dia)T\(de):00:00-03:00", "2026-03-0\(dia)T\(ate):00:00-03:00")
    }

    /// Paid for the 5th from ten to noon.
    private func pago() throws -> Cenario {
        var cenario = try Cenario()
        try cenario.reservar(reserva, slot(5, 10, 12), agora: pedida)
        try cenario.acompanhar(reserva, agora: pedida)
        try cenario.pagar(reserva, .reserva(reserva), agora: pedida)
        return cenario
    }

    @Test("Whoever moves it, the event says whose booking it is")
    func theOwnersNameIsInTheEvent() throws {
        var cenario = try pago()
        let decididos = try cenario.remarcar(reserva, slot(9, 10, 12), ator: cenario.recepcao, agora: pedida)
        let remarcadas = decididos.flatMap(\.eventos).compactMap { evento -> ReservaRemarcada? in
            guard case .reservas(.reservaRemarcada(let remarcada)) = evento else { return nil }
            return remarcada
        }
        #expect(remarcadas.map(\.por) == [cenario.recepcao.usuario])
        #expect(remarcadas.map(\.usuario) == [cenario.ana.usuario])
    }

    // MARK: Notice

    @Test(
        "Who moves at short notice and cancels then gets what cancelling at once would have given", arguments: [(3, 0), (5, 50), (30, 100)])
    func aMoveBuysNoNotice(horas: Int, percentual: Int) throws {
        var cenario = try pago()
        let agora = try slot(5, 10, 12).inicio - .horas(horas)
        try cenario.remarcar(reserva, slot(9, 10, 12), ator: cenario.ana, agora: agora)
        try cenario.cancelar(reserva, ator: cenario.ana, pago: cenario.pago(reserva), agora: agora)
        try cenario.acompanhar(reserva, agora: agora)

        let volta = 12_000 * Int64(percentual) / 100
        let reembolso = try #require(cenario.reserva(reserva).dados?.reembolso)
        #expect(reembolso.valor == reais(volta) && reembolso.limite == (percentual < 100 ? Percentual(percentual) : nil))
        #expect(cenario.estornos(reserva).reduce(0) { $0 + $1.valor.centavos } == volta)
        try cenario.devolverTudo(reserva, agora: agora)
        #expect(try cenario.razao(reserva)[.caixa, default: 0] == 12_000 - volta)
        #expect(try cenario.razao(reserva)[.receitaAntecipada] == nil)
    }

    @Test("Nor does a second move with more notice, nor what is paid for it")
    func theShortestNoticeStays() throws {
        var cenario = try pago()
        let agora = try slot(5, 10, 12).inicio - .horas(5)
        try cenario.remarcar(reserva, slot(8, 10, 12), ator: cenario.ana, agora: agora)
        try cenario.remarcar(reserva, slot(9, 10, 13), ator: cenario.ana, agora: agora)
        try cenario.acompanhar(reserva, agora: agora)
        try cenario.pagar(reserva, .diferenca(reserva, remarcacao: 2), agora: agora)
        try cenario.cancelar(reserva, ator: cenario.ana, pago: cenario.pago(reserva), agora: agora)
        #expect(cenario.reserva(reserva).dados?.reembolso?.valor == reais(9_000))
    }

    @Test("Of a cheaper time as much of the difference comes back; the rest is earned at once", arguments: [(3, 0), (5, 50), (30, 100)])
    func aCheaperTime(horas: Int, percentual: Int64) throws {
        var cenario = try pago()
        let agora = try slot(5, 10, 12).inicio - .horas(horas)
        try cenario.remarcar(reserva, slot(9, 10, 11), ator: cenario.ana, agora: agora)
        try cenario.acompanhar(reserva, agora: agora)
        try cenario.devolverTudo(reserva, agora: agora)

        let volta = 6_000 * percentual / 100
        #expect(try cenario.pago(reserva) == 6_000)
        var contas = try cenario.razao(reserva)
        #expect(contas[.caixa] == 12_000 - volta && contas[.receitaAntecipada] == 6_000)
        #expect(contas[.receitaDeReservas, default: 0] == 6_000 - volta)
        // Then dearer again: only the price of the cheaper time counts as paid, at the desk too
        try cenario.remarcar(reserva, slot(9, 10, 13), ator: cenario.recepcao, agora: agora)
        try cenario.acompanhar(reserva, agora: agora)
        try cenario.receberNoBalcao(reserva, valor: 12_000, agora: agora)
        let concluida = ReservaConcluida(reserva: reserva, em: try slot(9, 10, 13).fim)
        cenario.registrar(.reserva(reserva), .reservas(.reservaConcluida(concluida)))
        contas = try cenario.razao(reserva)
        #expect(contas == [.caixa: 24_000 - volta, .receitaDeReservas: 24_000 - volta])
    }

    @Test("The house moves what it likes: everything comes back, then and later")
    func anOperatorsMove() throws {
        var cenario = try pago()
        let agora = try slot(5, 10, 12).inicio - .horas(1)
        try cenario.remarcar(reserva, slot(9, 10, 11), ator: cenario.recepcao, agora: agora)
        try cenario.acompanhar(reserva, agora: agora)
        #expect(cenario.estornos(reserva).map(\.valor) == [reais(6_000)])
        try cenario.cancelar(reserva, ator: cenario.ana, pago: cenario.pago(reserva), agora: agora)
        #expect(cenario.reserva(reserva).dados?.reembolso?.valor == reais(6_000))
    }

    @Test("What was never paid is free to move")
    func unpaid() throws {
        var cenario = try Cenario()
        let agora = try slot(5, 10, 12).inicio - .horas(1)
        try cenario.reservar(reserva, slot(5, 10, 12), agora: agora)
        try cenario.remarcar(reserva, slot(9, 10, 11), ator: cenario.ana, agora: agora)
        #expect(cenario.reserva(reserva).dados?.devolveAte == .todo)
    }

    // MARK: Credits and coupons

    @Test(
        "Credits that had confirmed it go the way of the money; those of a time that was never paid come back",
        arguments: [(3, 0), (5, 60), (30, 120)])
    func credits(horas: Int, voltam: Int) throws {
        var cenario = try Cenario()
        let lote = CreditosConcedidos(usuario: cenario.ana.usuario, lote: id(700), minutos: try minutos(240), origem: .equipe, em: pedida)
        cenario.registrar(.assinatura(cenario.ana.usuario), .precos(.creditosConcedidos(lote)))
        try cenario.reservar(reserva, slot(5, 10, 12), agora: pedida)
        let agora = try slot(5, 10, 12).inicio - .horas(horas)
        // To a longer time than the credits are good for: held again, and let run out
        try cenario.remarcar(reserva, slot(9, 10, 16), ator: cenario.ana, agora: agora)
        guard case .pendente = cenario.reserva(reserva) else { throw Inesperado() }
        try cenario.expirar(reserva, agora: agora + .minutos(15))
        let carteira = (cenario.estado(.assinatura(cenario.ana.usuario)) as Assinatura).carteira
        #expect(carteira.saldo(em: agora) == voltam + 120)
    }

    @Test("A shorter time gives back that share of the credits that it does not need")
    func fewerCredits() throws {
        var cenario = try Cenario()
        let lote = CreditosConcedidos(usuario: cenario.ana.usuario, lote: id(700), minutos: try minutos(240), origem: .equipe, em: pedida)
        cenario.registrar(.assinatura(cenario.ana.usuario), .precos(.creditosConcedidos(lote)))
        try cenario.reservar(reserva, slot(5, 10, 14), agora: pedida)
        let agora = try slot(5, 10, 14).inicio - .horas(5)
        try cenario.remarcar(reserva, slot(9, 10, 12), ator: cenario.ana, agora: agora)
        #expect((cenario.estado(.assinatura(cenario.ana.usuario)) as Assinatura).carteira.saldo(em: agora) == 60)
    }

    @Test("A coupon does not follow below its minimum, and is free for another booking")
    func couponBelowItsMinimum() throws {
        var cenario = try Cenario()
        let codigo = try #require(CodigoDoCupom("CEM"))
        let termos = TermosDoCupom(desconto: .valor(reais(5_000)), limiteDeUsos: 1, valorMinimo: reais(12_000))
        cenario.registrar(.cupom(codigo), .precos(.cupomCriado(CupomCriado(codigo: codigo, termos: termos, em: pedida))))
        try cenario.reservar(reserva, slot(5, 10, 12), cupom: codigo, agora: pedida)
        #expect(cenario.reserva(reserva).dados?.cotacao.total == reais(7_000))
        try cenario.remarcar(reserva, slot(9, 10, 13), ator: cenario.ana, agora: pedida)
        #expect(cenario.reserva(reserva).dados?.cotacao.total == reais(13_000))

        try cenario.remarcar(reserva, slot(9, 10, 11), ator: cenario.ana, agora: pedida)

        let cotacao = try #require(cenario.reserva(reserva).dados?.cotacao)
        #expect(cotacao.total == reais(6_000) && cotacao.cupom == nil)
        #expect((cenario.estado(.cupom(codigo)) as Cupom).dados?.usos.isEmpty == true)
    }

    // MARK: Presence

    @Test("Who is there cannot be at another time; who came to an old time frees nothing of the new one by leaving")
    func presence() throws {
        var cenario = try pago()
        let agora = try slot(5, 10, 12).inicio - .minutos(10)
        try cenario.gravar(
            FazerCheckin(reserva: reserva, ator: cenario.ana, agora: agora)
                .decidir(reserva: cenario.reserva(reserva), presenca: cenario.estado(.presenca(reserva))))
        #expect(throws: RecusaDeReservas.jaComecou) {
            try cenario.remarcar(reserva, slot(6, 10, 12), ator: cenario.ana, agora: agora)
        }
        // As logs may have it from before that was refused
        var antiga = try pago()
        try antiga.remarcar(reserva, slot(6, 10, 12), ator: antiga.recepcao, agora: agora)
        for parte in cenario.log[.presenca(reserva), default: []] { antiga.registrar(.presenca(reserva), parte) }
        try antiga.gravar(
            FazerCheckout(reserva: reserva, ator: antiga.ana, agora: agora)
                .decidir(reserva: antiga.reserva(reserva), presenca: antiga.estado(.presenca(reserva))))
        #expect(throws: RecusaDeReservas.conflito) {
            try antiga.reservar(id(2), slot(6, 10, 12), ator: antiga.bia, agora: agora)
        }
    }

    // MARK: Approval

    @Test("An approval is for its time: another is for a manager to set, or to be asked for while it is not given")
    func approval() throws {
        let regras = try RegrasDeReserva.com(prazoDeAprovacao: 6_000)
        var cenario = try Cenario(regras: regras)
        try cenario.reservar(reserva, slot(9, 10, 11), agora: pedida)
        guard case .pendente(_, let prazo) = cenario.reserva(reserva) else { throw Inesperado() }
        // Sooner: the approval is to come before the new start
        try cenario.remarcar(reserva, slot(5, 10, 11), ator: cenario.ana, agora: pedida)
        guard case .pendente(let dados, let antes) = cenario.reserva(reserva) else { throw Inesperado() }
        #expect(try antes < prazo && antes == slot(5, 10, 11).inicio && dados.aprovacaoAte == antes)

        try cenario.gravar(
            DecidirAprovacao(reserva: reserva, ator: gestor, aprova: true, agora: pedida)
                .decidir(reserva: cenario.reserva(reserva), regras: regras, beneficios: .nenhum))
        for ator in [cenario.ana, cenario.recepcao] {
            #expect(throws: RecusaDeReservas.atendimento(.mudancaPedeGestor)) {
                try cenario.remarcar(reserva, slot(6, 10, 11), ator: ator, agora: pedida)
            }
        }
        #expect(try !cenario.remarcar(reserva, slot(6, 10, 11), ator: gestor, agora: pedida).isEmpty)
    }

    @Test("A request that is turned down gives back the credits and the coupon that it held")
    func turnedDown() throws {
        let regras = try RegrasDeReserva.com(prazoDeAprovacao: 600)
        var cenario = try Cenario(regras: regras)
        let codigo = try #require(CodigoDoCupom("UMA"))
        let termos = TermosDoCupom(desconto: .valor(reais(1_000)), limiteDeUsos: 1)
        cenario.registrar(.cupom(codigo), .precos(.cupomCriado(CupomCriado(codigo: codigo, termos: termos, em: pedida))))
        let lote = CreditosConcedidos(usuario: cenario.ana.usuario, lote: id(700), minutos: try minutos(60), origem: .equipe, em: pedida)
        cenario.registrar(.assinatura(cenario.ana.usuario), .precos(.creditosConcedidos(lote)))
        try cenario.reservar(reserva, slot(5, 10, 12), cupom: codigo, agora: pedida)
        let usada = (cenario.estado(.assinatura(cenario.ana.usuario)) as Assinatura).carteira.saldo(em: pedida)
        #expect(usada == 0 && (cenario.estado(.cupom(codigo)) as Cupom).dados?.usos.count == 1)

        try cenario.gravar(
            DecidirAprovacao(reserva: reserva, ator: gestor, aprova: false, justificativa: Selado("x"), agora: pedida)
                .decidir(
                    reserva: cenario.reserva(reserva), regras: regras,
                    beneficios: cenario.beneficios(de: cenario.ana.usuario, cupom: codigo)))

        #expect((cenario.estado(.assinatura(cenario.ana.usuario)) as Assinatura).carteira.saldo(em: pedida) == 60)
        #expect((cenario.estado(.cupom(codigo)) as Cupom).dados?.usos.isEmpty == true)
    }
}
