import Domain
import Testing

/// Bookings that are paid for with credits and coupons.
@Suite struct BeneficiosTests {
    let agora = Instante(segundos: 1_772_366_400)
    let reserva: ReservaID = id(1_000)
    let codigo: CodigoDoCupom

    init() throws {
        codigo = try #require(CodigoDoCupom("DEZ"))
    }

    private func cenario(creditos: Int = 0, cupom: TermosDoCupom? = nil, valorHora: Int64 = 6_000) throws -> Cenario {
        var cenario = try Cenario(lugares: 10, valorHora: valorHora)
        if creditos > 0 {
            let lote = CreditosConcedidos(
                usuario: cenario.ana.usuario,
                lote: id(700),
                minutos: try minutos(creditos),
                origem: .equipe,
                em: agora
            )
            cenario.registrar(.assinatura(cenario.ana.usuario), .precos(.creditosConcedidos(lote)))
        }
        if let cupom {
            let criado = CupomCriado(codigo: codigo, termos: cupom, em: agora)
            cenario.registrar(.cupom(codigo), .precos(.cupomCriado(criado)))
        }
        return cenario
    }

    private func horas(_ depois: Int, _ duracao: Int) throws -> Intervalo {
        let inicio = agora + .horas(depois)
        return try #require(Intervalo(inicio: inicio, fim: inicio + .horas(duracao)))
    }

    private func cotacao(_ cenario: Cenario, _ reserva: ReservaID) throws -> Cotacao {
        try #require((cenario.estado(.reserva(reserva)) as Reserva).dados).cotacao
    }

    private func tipos(_ decididos: [EventosDoFluxo]) -> [String] {
        decididos.flatMap(\.eventos).map(\.tipo).filter { $0.hasPrefix("precos.") }
    }

    private func saldo(_ cenario: Cenario) -> Int {
        (cenario.estado(.assinatura(cenario.ana.usuario)) as Assinatura).carteira.saldo(em: agora)
    }

    private func usos(_ cenario: Cenario) -> Int {
        (cenario.estado(.cupom(codigo)) as Cupom).dados?.usos.count ?? 0
    }

    @Test func creditsPayFirstAndMoneyTheRest() throws {
        var cenario = try cenario(creditos: 90)
        let decididos = try cenario.reservar(reserva, horas(48, 2), agora: agora)
        let cotacao = try cotacao(cenario, reserva)
        #expect(cotacao.linhas.map(\.valor) == [reais(12_000), reais(-9_000)])
        #expect(cotacao.total == reais(3_000) && cotacao.pagoComCreditos == reais(9_000))
        #expect(try cotacao.creditos == minutos(90))
        #expect(tipos(decididos) == ["precos.CreditosConsumidos"])
        #expect(saldo(cenario) == 0)
    }

    @Test func whatCreditsPayWhollyIsConfirmedAtOnce() throws {
        var cenario = try cenario(creditos: 500)
        try cenario.reservar(reserva, horas(48, 2), agora: agora)
        guard case .confirmada(let dados) = cenario.estado(.reserva(reserva)) as Reserva else { throw Inesperado() }
        #expect(dados.cotacao.total == .zero && saldo(cenario) == 380)
    }

    @Test func seatsUseCreditsEach() throws {
        var cenario = try cenario(creditos: 90)
        try cenario.reservar(reserva, horas(48, 1), lugares: 3, agora: agora)
        #expect(try cotacao(cenario, reserva).total == reais(9_000))
    }

    @Test func aFreeSpaceUsesNoCreditsAndNoCoupon() throws {
        var cenario = try cenario(
            creditos: 90,
            cupom: TermosDoCupom(desconto: .percentual(.metade), limiteDeUsos: 1),
            valorHora: 0
        )
        #expect(tipos(try cenario.reservar(reserva, horas(48, 1), cupom: codigo, agora: agora)).isEmpty)
        #expect(try cotacao(cenario, reserva).cupom == nil)
    }

    @Test func aCouponComesAfterCredits() throws {
        var cenario = try cenario(
            creditos: 60,
            cupom: TermosDoCupom(desconto: .percentual(try percentual(10)), limiteDeUsos: 1)
        )
        let decididos = try cenario.reservar(reserva, horas(48, 2), cupom: codigo, agora: agora)
        let cotacao = try cotacao(cenario, reserva)
        #expect(cotacao.linhas.map(\.valor) == [reais(12_000), reais(-6_000), reais(-600)])
        #expect(cotacao.total == reais(5_400) && cotacao.cupom == codigo && cotacao.descontoDoCupom == reais(600))
        #expect(Set(tipos(decididos)) == ["precos.CupomUsado", "precos.CreditosConsumidos"])
        #expect(throws: RecusaDeReservas.preco(.cupomEsgotado)) {
            try cenario.reservar(id(1_001), horas(72, 2), ator: cenario.bia, cupom: codigo, agora: agora)
        }
    }

    @Test func aFixedAmountNeverTakesMoreThanThePrice() throws {
        var cenario = try cenario(cupom: TermosDoCupom(desconto: .valor(reais(50_000)), limiteDeUsos: 1))
        try cenario.reservar(reserva, horas(48, 2), cupom: codigo, agora: agora)
        #expect(try cotacao(cenario, reserva).total == .zero && cotacao(cenario, reserva).descontoDoCupom == reais(12_000))
    }

    @Test func aCouponForLargeAmountsIsRefusedForSmallOnes() throws {
        var cenario = try cenario(
            cupom: TermosDoCupom(desconto: .valor(reais(500)), limiteDeUsos: 9, valorMinimo: reais(12_000))
        )
        #expect(throws: RecusaDeReservas.preco(.cupomAbaixoDoMinimo(reais(12_000)))) {
            try cenario.reservar(reserva, horas(48, 1), cupom: codigo, agora: agora)
        }
        try cenario.reservar(reserva, horas(48, 2), cupom: codigo, agora: agora)
    }

    @Test func anExpiryGivesEverythingBackInTheSameAppend() throws {
        var cenario = try cenario(creditos: 60, cupom: TermosDoCupom(desconto: .valor(reais(100)), limiteDeUsos: 1))
        try cenario.reservar(reserva, horas(48, 2), cupom: codigo, agora: agora)
        let decididos = try cenario.expirar(reserva, agora: agora + .minutos(15))
        #expect(Set(tipos(decididos)) == ["precos.CupomDevolvido", "precos.CreditosDevolvidos"])
        #expect(saldo(cenario) == 60 && usos(cenario) == 0)
        // A late payment takes them again, where they are still there.
        let dados = try #require((cenario.estado(.reserva(reserva)) as Reserva).dados)
        let beneficios = cenario.beneficios(de: cenario.ana.usuario, cupom: codigo)
        try cenario.gravar(try beneficios.retomada(por: dados, em: agora + .horas(1)))
        #expect(saldo(cenario) == 0 && usos(cenario) == 1)
        #expect(try cenario.beneficios(de: cenario.ana.usuario, cupom: codigo).retomada(por: dados, em: agora + .horas(1)) == [])
    }

    @Test func whatIsUsedMeanwhileCannotBeTakenAgain() throws {
        var cenario = try cenario(creditos: 60, cupom: TermosDoCupom(desconto: .valor(reais(100)), limiteDeUsos: 1))
        try cenario.reservar(reserva, horas(48, 2), cupom: codigo, agora: agora)
        try cenario.expirar(reserva, agora: agora + .minutos(15))
        let dados = try #require((cenario.estado(.reserva(reserva)) as Reserva).dados)
        try cenario.reservar(id(1_001), horas(72, 2), ator: cenario.bia, cupom: codigo, agora: agora + .minutos(16))
        #expect(throws: RecusaDePrecos.cupomEsgotado) {
            try cenario.beneficios(de: cenario.ana.usuario, cupom: codigo).retomada(por: dados, em: agora + .minutos(17))
        }
        try cenario.reservar(id(1_002), horas(96, 2), agora: agora + .minutos(18))
        #expect(throws: RecusaDePrecos.creditosInsuficientes) {
            try cenario.beneficios(de: cenario.ana.usuario, cupom: codigo).retomada(por: dados, em: agora + .minutos(19))
        }
    }

    /// (hours of notice, minutes that come back of sixty, whether the coupon does), of a booking that was confirmed.
    @Test(arguments: [(48, 60, true), (24, 60, true), (23, 30, false), (3, 0, false)])
    func aCancellationGivesBackTheShareThatThePolicyGives(aviso: Int, minutos: Int, cupom: Bool) throws {
        var cenario = try cenario(creditos: 60, cupom: TermosDoCupom(desconto: .valor(reais(100)), limiteDeUsos: 1))
        try cenario.reservar(reserva, horas(72, 2), cupom: codigo, agora: agora)
        try cenario.confirmar(reserva, agora: agora)
        try cenario.cancelar(reserva, ator: cenario.ana, pago: 5_900, agora: agora + .horas(72 - aviso))
        #expect(saldo(cenario) == minutos && usos(cenario) == (cupom ? 0 : 1))
    }

    @Test func aHoldThatIsGivenUpGivesEverythingBack() throws {
        var cenario = try cenario(creditos: 60, cupom: TermosDoCupom(desconto: .valor(reais(100)), limiteDeUsos: 1))
        try cenario.reservar(reserva, horas(3, 2), cupom: codigo, agora: agora)
        try cenario.cancelar(reserva, ator: cenario.ana, agora: agora + .minutos(1))
        #expect(saldo(cenario) == 60 && usos(cenario) == 0)
    }

    @Test func aMovedBookingKeepsItsCouponAndUsesWhatItNeeds() throws {
        let ontem = try data("2026-03-01")
        var cenario = try cenario(
            creditos: 90,
            cupom: TermosDoCupom(desconto: .percentual(.metade), validoAte: ontem, limiteDeUsos: 1)
        )
        try cenario.reservar(reserva, horas(48, 2), cupom: codigo, agora: agora)
        try cenario.confirmar(reserva, agora: agora)
        #expect(saldo(cenario) == 0)
        let depois = agora + .horas(20)
        // Another day: nothing is given or taken. The coupon is out of date by now, and stays.
        #expect(tipos(try cenario.remarcar(reserva, horas(72, 2), ator: cenario.recepcao, agora: depois)).isEmpty)
        #expect(try cotacao(cenario, reserva).total == reais(1_500))
        // Longer: there are no more credits.
        #expect(tipos(try cenario.remarcar(reserva, horas(72, 3), ator: cenario.recepcao, agora: depois)).isEmpty)
        #expect(try cotacao(cenario, reserva).total == reais(4_500))
        // Shorter: some come back, and with nothing left to pay the coupon does too.
        #expect(
            tipos(try cenario.remarcar(reserva, horas(72, 1), ator: cenario.recepcao, agora: depois))
                == ["precos.CreditosDevolvidos", "precos.CupomDevolvido"]
        )
        #expect(saldo(cenario) == 30 && usos(cenario) == 0)
        // Longer again: they are taken again.
        #expect(tipos(try cenario.remarcar(reserva, horas(72, 2), ator: cenario.recepcao, agora: depois)) == ["precos.CreditosConsumidos"])
        #expect(saldo(cenario) == 0)
        #expect(try cotacao(cenario, reserva).total == reais(3_000))
    }

    /// A payment that comes after the hold: with what the booking drew on it stands again, without it the money goes back.
    @Test(arguments: [false, true]) func aLatePaymentTakesCouponAndCreditsAgain(usados: Bool) throws {
        var cenario = try cenario(creditos: 60, cupom: TermosDoCupom(desconto: .valor(reais(100)), limiteDeUsos: 1))
        try cenario.reservar(reserva, horas(48, 2), cupom: codigo, agora: agora)
        try cenario.expirar(reserva, agora: agora + .minutos(15))
        if usados { try cenario.reservar(id(1_001), horas(96, 1), agora: agora + .minutos(16)) }
        let estado: Reserva = cenario.estado(.reserva(reserva))
        let dados = try #require(estado.dados)

        let decididos = ConfirmarPaga(agora: agora + .minutos(20)).decidir(
            reserva: estado,
            pagamento: try pago(dados),
            espaco: cenario.estado(.espaco(cenario.sala)),
            agendas: cenario.agendas(dados.diasDaAgenda),
            beneficios: cenario.beneficios(de: dados.usuario, cupom: dados.cotacao.cupom)
        )
        try cenario.gravar(decididos)

        let tipos = Set(decididos.flatMap(\.eventos).map(\.tipo))
        #expect(tipos.contains("precos.CupomUsado") == !usados && tipos.contains("precos.CreditosConsumidos") == !usados)
        #expect(tipos.contains("reservas.ReservaRetomada") == !usados && tipos.contains("pagamentos.EstornoSolicitado") == usados)
        #expect(usos(cenario) == (usados ? 0 : 1) && saldo(cenario) == 0)
    }

    private func pago(_ dados: DadosDaReserva) throws -> Pagamento {
        let causa = CausaDaCobranca.reserva(dados.reserva)
        let criada = CobrancaCriada(
            pagamento: causa.pagamento,
            causa: causa,
            usuario: dados.usuario,
            valor: dados.cotacao.total,
            expiraEm: agora + .minutos(14),
            em: agora
        )
        let aprovado = PagamentoAprovado(
            pagamento: causa.pagamento,
            causa: causa,
            usuario: dados.usuario,
            transacao: try #require(TransacaoID(causa.pagamento, tentativa: 1)),
            metodo: .pix,
            valor: dados.cotacao.total,
            quita: true,
            tardio: true,
            em: agora + .minutos(20)
        )
        return Pagamento.dobrar([.pagamentos(.cobrancaCriada(criada)), .pagamentos(.pagamentoAprovado(aprovado))])
    }
}
