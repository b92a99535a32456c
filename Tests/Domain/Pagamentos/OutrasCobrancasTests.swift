import Testing

@testable import Domain

/// Money at the desk, and for what is no booking's price: time stayed on, the fee of a subscription.
@Suite struct OutrasCobrancasTests {
    let agora = Instante(segundos: 1_772_463_600)
    let reserva: ReservaID = id(1)

    private func slot(_ de: Int = 10, _ ate: Int = 11) throws -> Intervalo {
        try intervalo("2026-03-09T\(de):00:00-03:00", "2026-03-09T\(ate):00:00-03:00")
    }

    /// Held, with its charge.
    private func cobrado() throws -> Cenario {
        var cenario = try Cenario()
        try cenario.reservar(reserva, slot(), agora: agora)
        try cenario.acompanhar(reserva, agora: agora)
        return cenario
    }

    // MARK: The desk

    @Test func theDeskTakesThePriceOfAHeldBookingWhichStandsAtOnce() throws {
        var cenario = try cobrado()
        let ana = cenario.ana
        #expect(throws: RecusaDePagamentos.soEquipe) { try cenario.receberNoBalcao(reserva, ator: ana, agora: agora) }
        #expect(throws: RecusaDePagamentos.valorDiferente(devido: reais(6_000))) {
            try cenario.receberNoBalcao(reserva, valor: 5_999, agora: agora)
        }
        try cenario.receberNoBalcao(reserva, valor: 6_000, agora: agora)
        guard case .confirmada = cenario.reserva(reserva) else { throw Inesperado() }
        #expect(try cenario.pago(reserva) == 6_000)
        #expect(throws: RecusaDePagamentos.jaPago) { try cenario.receberNoBalcao(reserva, agora: agora) }
        // The policy has nothing to do, and gives nothing back
        #expect(try cenario.confirmarPaga(reserva, agora: agora).isEmpty)
        #expect(try cenario.acompanhar(reserva, agora: agora).isEmpty)
        // A PIX that was under way comes: it is none of the desk's, and goes back
        try cenario.aprovar(reserva, valor: 6_000, agora: agora)
        #expect(cenario.estornos(reserva).map(\.motivo) == [.pagamentoIndevido])
        try cenario.devolverTudo(reserva, agora: agora)
        #expect(try cenario.razao(reserva) == [.caixa: 6_000, .receitaAntecipada: 6_000])
    }

    @Test func theDeskTakesWhatABookingThatWasConfirmedUnpaidOwesBeforeAndAfterItsEnd() throws {
        for concluida in [false, true] {
            var cenario = try cobrado()
            try cenario.confirmar(reserva, agora: agora)
            try cenario.acompanhar(reserva, agora: agora)
            if concluida {
                cenario.registrar(.reserva(reserva), .reservas(.reservaConcluida(ReservaConcluida(reserva: reserva, em: try slot().fim))))
                #expect(try cenario.razao(reserva) == [.aReceber: 6_000, .receitaDeReservas: 6_000])
            }
            try cenario.receberNoBalcao(reserva, agora: agora)
            let outra: ContaContabil = concluida ? .receitaDeReservas : .receitaAntecipada
            #expect(try cenario.razao(reserva) == [.caixa: 6_000, outra: 6_000])
            #expect(try cenario.acompanhar(reserva, agora: agora).isEmpty)
            #expect(try cenario.confirmarPaga(reserva, agora: agora).isEmpty)
        }
    }

    @Test func theDeskTakesWhatAMoveByStaffMadeABookingCostMore() throws {
        var cenario = try cobrado()
        try cenario.pagar(reserva, .reserva(reserva), agora: agora)
        try cenario.remarcar(reserva, slot(10, 12), ator: cenario.recepcao, agora: agora)
        try cenario.acompanhar(reserva, agora: agora)
        try cenario.receberNoBalcao(reserva, valor: 6_000, agora: agora)
        #expect(cenario.pagamento(.diferenca(reserva, remarcacao: 1)).pago == reais(6_000))
        #expect(throws: RecusaDePagamentos.jaPago) { try cenario.receberNoBalcao(reserva, agora: agora) }
        #expect(try cenario.pago(reserva) == 12_000)
    }

    @Test func whatTheDeskTookTheDeskHandsBack() throws {
        var cenario = try cobrado()
        try cenario.receberNoBalcao(reserva, agora: agora)
        let estornar = EstornarPagamento(
            estorno: id(50), ator: cenario.recepcao, valor: reais(1_000), justificativa: nil, agora: agora
        )
        try cenario.gravar(estornar.decidir(pagamento: cenario.pagamento(reserva)))
        #expect(cenario.estornos(reserva).map(\.situacao) == [.realizado])

        let ana = cenario.ana
        try cenario.cancelar(reserva, ator: ana, pago: cenario.pago(reserva), agora: agora)
        try cenario.acompanhar(reserva, agora: agora)
        let pedido = try #require(cenario.estornos(reserva).last)
        #expect(pedido.situacao == .solicitado && pedido.valor == reais(5_000))
        func entregar(_ ator: Ator) throws -> [EventosDoFluxo] {
            try DevolverNoBalcao(estorno: pedido.estorno, ator: ator, agora: agora).decidir(pagamento: cenario.pagamento(reserva))
        }
        #expect(throws: RecusaDePagamentos.soEquipe) { try entregar(ana) }
        let recepcao = cenario.recepcao
        try cenario.gravar(entregar(recepcao))
        #expect(try entregar(recepcao).isEmpty)
        #expect(try cenario.razao(reserva).isEmpty)
    }

    @Test func whatAProviderTookTheDeskDoesNotHandBack() throws {
        var cenario = try cobrado()
        try cenario.pagar(reserva, .reserva(reserva), agora: agora)
        try cenario.cancelar(reserva, ator: cenario.ana, pago: 6_000, agora: agora)
        try cenario.acompanhar(reserva, agora: agora)
        let pedido = try #require(cenario.estornos(reserva).last)
        let (recepcao, pagamento) = (cenario.recepcao, cenario.pagamento(reserva))
        #expect(throws: RecusaDePagamentos.estornoDoProvedor) {
            try DevolverNoBalcao(estorno: pedido.estorno, ator: recepcao, agora: agora).decidir(pagamento: pagamento)
        }
    }

    // MARK: Overtime

    private func excedente(_ centavos: Int64) throws -> ExcedenteApurado {
        ExcedenteApurado(
            reserva: reserva, usuario: id(1), espaco: id(100), unidade: id(101), intervalo: try slot(11, 12), tolerancia: .quinze,
            passo: .trinta, passos: 2,
            preco: PrecoDoExcedente(
                tarifarioVersao: VersaoDeRegra(1), valorHora: reais(6_000), milesimos: 1000, lugares: 1, desconto: .zero),
            valor: reais(centavos), em: try slot().fim + .minutos(40)
        )
    }

    @Test func overtimeIsChargedOnceAndPaidAtTheProviderOrAtTheDesk() throws {
        for noBalcao in [false, true] {
            var cenario = try cobrado()
            try cenario.pagar(reserva, .reserva(reserva), agora: agora)
            cenario.registrar(.reserva(reserva), .reservas(.reservaConcluida(ReservaConcluida(reserva: reserva, em: try slot().fim))))
            cenario.registrar(.presenca(reserva), .checkin(.excedenteApurado(try excedente(6_000))))
            let causa = CausaDaCobranca.excedente(reserva)
            func cobrar() throws -> [EventosDoFluxo] {
                CobrarExcedente(agora: agora).decidir(excedente: cenario.estado(.presenca(reserva)), pagamento: cenario.pagamento(causa))
            }
            try cenario.gravar(cobrar())
            #expect(try cobrar().isEmpty)
            #expect(try cenario.razao(reserva)[.aReceber] == 6_000)
            if noBalcao {
                // After its time at the provider, too
                let prazo = try #require(cenario.pagamento(causa).dados).expiraEm
                try cenario.gravar(ExpirarCobranca(agora: prazo).decidir(pagamento: cenario.pagamento(causa)))
                let receber = ReceberNoBalcao(ator: cenario.recepcao, metodo: .maquininha, referencia: "NSU 12", agora: prazo)
                try cenario.gravar(receber.decidir(pagamento: cenario.pagamento(causa), mensalidade: nil))
                let pagamento = cenario.pagamento(causa)
                #expect(throws: RecusaDePagamentos.jaPago) { try receber.decidir(pagamento: pagamento, mensalidade: nil) }
            } else {
                // Another amount first, which pays nothing and goes back
                try cenario.aprovar(causa, valor: 5_999, tentativa: 1, agora: agora)
                try cenario.aprovar(causa, valor: 6_000, tentativa: 2, agora: agora)
                let pedido = try #require(cenario.pagamento(causa).dados?.estornos.first)
                let feito = RegistrarEstorno(estorno: pedido.estorno, desfecho: .realizado(nil), agora: agora)
                try cenario.gravar(feito.decidir(pagamento: cenario.pagamento(causa)))
            }
            #expect(try cenario.razao(reserva) == [.caixa: 12_000, .receitaDeReservas: 12_000])
            // Overtime is no part of the booking's price: nothing of it goes back with that
            #expect(try cenario.pago(reserva) == 6_000)
        }
    }

    @Test func whatCostsNothingIsNotCharged() throws {
        var cenario = try cobrado()
        let nada = CobrarExcedente(agora: agora)
        #expect(nada.decidir(excedente: .nenhum, pagamento: .inexistente).isEmpty)
        cenario.registrar(.presenca(reserva), .checkin(.excedenteApurado(try excedente(0))))
        #expect(nada.decidir(excedente: cenario.estado(.presenca(reserva)), pagamento: .inexistente).isEmpty)
    }

    // MARK: Fees

    /// A subscription of Ana's, as its stream and that of its charge.
    private struct Assinante {
        let usuario: UsuarioID = id(1)
        let zona: ZonaHoraria
        let inicio = Instante(segundos: 1_772_463_600)
        var fluxo: [EventoDoDominio] = []
        var cobranca: [EventoDoDominio] = []
        /// Both, in order.
        var fatos: [Fato] = []

        init(mensalidade: Int64 = 31_000) throws {
            zona = try zonaDoSistema("America/Sao_Paulo")
            let periodo = PeriodoDaAssinatura.primeiro(em: inicio, zona: zona)
            let iniciada = AssinaturaIniciada(
                usuario: usuario, plano: .premium, planoVersao: VersaoDeRegra(1), mensalidade: reais(mensalidade), periodo: periodo,
                venceEm: inicio + .horas(120), por: usuario, em: inicio
            )
            let creditos = CreditosConcedidos(usuario: usuario, lote: id(70), minutos: try minutos(600), origem: .plano, em: inicio)
            let cortesia = CreditosConcedidos(usuario: usuario, lote: id(71), minutos: try minutos(60), origem: .equipe, em: inicio)
            for evento in [EventoDePrecos.assinaturaIniciada(iniciada), .creditosConcedidos(creditos), .creditosConcedidos(cortesia)] {
                gravar(.assinatura(usuario), .precos(evento))
            }
        }

        var causa: CausaDaCobranca { .mensalidade(usuario, inicio: inicio) }
        var pagamento: Pagamento { .dobrar(cobranca) }
        var assinatura: Assinatura { .dobrar(fluxo) }
        var mensalidades: Mensalidades { .dobrar(fluxo) }
        var limite: Instante { inicio + .horas(240) }

        mutating func gravar(_ fluxo: NomeDeFluxo, _ evento: EventoDoDominio) {
            fatos.append(Fato(id: Domain.Identificador(alto: 0, baixo: UInt64(fatos.count + 1)), fluxo: fluxo, evento: evento))
            if fluxo == .assinatura(usuario) { self.fluxo.append(evento) } else { cobranca.append(evento) }
        }

        mutating func gravar(_ decididos: [EventosDoFluxo]) throws {
            _ = try gravados(decididos)
            for parte in decididos { for evento in parte.eventos { gravar(parte.fluxo, evento) } }
        }

        @discardableResult
        mutating func cobrar(em agora: Instante) throws -> [EventosDoFluxo] {
            let mensalidade = try #require(mensalidades.da(causa))
            let decididos = CobrarMensalidade(agora: agora).decidir(mensalidade: mensalidade, pagamento: pagamento)
            try gravar(decididos)
            return decididos
        }

        mutating func expirar(em agora: Instante) throws { try gravar(ExpirarCobranca(agora: agora).decidir(pagamento: pagamento)) }

        @discardableResult
        mutating func encerrar(em agora: Instante) throws -> [EventosDoFluxo] {
            let decididos = EncerrarPorFaltaDePagamento(causa: causa, agora: agora)
                .decidir(assinatura: assinatura, mensalidades: mensalidades, pagamento: pagamento)
            try gravar(decididos)
            return decididos
        }

        mutating func pagar(em agora: Instante) throws {
            let transacao = try #require(TransacaoID(causa.pagamento, tentativa: 1))
            let valor = try #require(pagamento.dados).valor
            try gravar(RegistrarAprovacao(transacao: transacao, metodo: .pix, valor: valor, agora: agora).decidir(pagamento: pagamento))
        }

        mutating func devolverTudo(em agora: Instante) throws {
            for pedido in pagamento.dados?.estornos ?? [] {
                try gravar(RegistrarEstorno(estorno: pedido.estorno, desfecho: .realizado(nil), agora: agora).decidir(pagamento: pagamento))
            }
        }

        /// The ledger when so much time has passed.
        func razao(em agora: Instante) throws -> [ContaContabil: Int64] {
            var saldos: [ContaContabil: Int64] = [:]
            for linha in try RazaoDaAssinatura.lancamentos(de: fatos, zona: zona, agora: agora).flatMap(\.partidas.linhas) {
                let centavos = linha.lado == .debito ? linha.valor.centavos : -linha.valor.centavos
                saldos[linha.conta, default: 0] += linha.conta.grupo.devedor ? centavos : -centavos
            }
            return saldos.filter { $0.value != 0 }
        }
    }

    @Test func whatWasPaidForEarlierPeriodsIsKeptWhenALaterOneIsNotPaid() throws {
        var ana = try Assinante()
        try ana.cobrar(em: ana.inicio)
        try ana.pagar(em: ana.inicio + .horas(1))
        let seguinte = try #require(ana.assinatura.dados).periodo.seguinte(zona: ana.zona)
        let renovada = AssinaturaRenovada(
            usuario: ana.usuario, plano: .premium, planoVersao: VersaoDeRegra(1), mensalidade: reais(31_000), periodo: seguinte,
            venceEm: seguinte.inicio + .horas(120), em: seguinte.inicio
        )
        ana.gravar(.assinatura(ana.usuario), .precos(.assinaturaRenovada(renovada)))
        let fim = seguinte.inicio + .horas(241)
        let encerrada = AssinaturaCancelada(
            usuario: ana.usuario, plano: .premium, motivo: .faltaDePagamento, terminaEm: fim, em: fim
        )
        ana.gravar(.assinatura(ana.usuario), .precos(.assinaturaCancelada(encerrada)))

        #expect(try ana.cobrar(em: fim).isEmpty)
        #expect(ana.pagamento.pago == reais(31_000))
        #expect(try ana.razao(em: fim) == [.caixa: 31_000, .receitaDePlanos: 31_000])
    }

    @Test func aFeeIsChargedOnceAndWhenItIsPaidTheSubscriptionGoesOn() throws {
        var ana = try Assinante()
        try ana.cobrar(em: ana.inicio)
        guard case .aberto(let dados) = ana.pagamento else { throw Inesperado() }
        #expect(dados.valor == reais(31_000) && dados.expiraEm == ana.limite && dados.unidade == nil && dados.causa == ana.causa)
        #expect(try ana.cobrar(em: ana.inicio).isEmpty)
        try ana.pagar(em: ana.inicio + .horas(1))
        #expect(try ana.cobrar(em: ana.inicio + .horas(1)).isEmpty)
        try ana.expirar(em: ana.limite)
        #expect(try ana.encerrar(em: ana.limite + .minutos(15)).isEmpty)
        #expect(ana.assinatura.vigora(em: ana.limite + .minutos(15)))
        let fim = try #require(ana.assinatura.dados).periodo.fim
        #expect(try ana.razao(em: fim) == [.caixa: 31_000, .receitaDePlanos: 31_000])
    }

    @Test func whoDoesNotPayLosesTheSubscriptionAndItsUnusedMinutesAndOwesNothing() throws {
        var ana = try Assinante()
        try ana.cobrar(em: ana.inicio)
        #expect(try ana.encerrar(em: ana.limite - .minutos(1)).isEmpty)
        try ana.expirar(em: ana.limite)
        let fim = ana.limite + .minutos(15)
        #expect(try ana.razao(em: fim)[.aReceber] == 31_000)

        try ana.encerrar(em: fim)

        guard case .precos(.assinaturaCancelada(let cancelada)) = ana.fluxo.last else { throw Inesperado() }
        #expect(cancelada.motivo == .faltaDePagamento && cancelada.terminaEm == fim && cancelada.lotesEncerrados == [id(70)])
        #expect(!ana.assinatura.vigora(em: fim) && ana.assinatura.plano(em: fim) == .basic)
        // What staff gave stays
        #expect(ana.assinatura.carteira.saldo(em: fim) == 60)
        #expect(try ana.encerrar(em: fim).isEmpty)
        for depois in [fim, fim + .horas(24 * 60)] { #expect(try ana.razao(em: depois).isEmpty) }
        // What comes later goes back, and the desk takes nothing
        let receber = ReceberNoBalcao(ator: Ator(usuario: id(3), papel: .recepcao), metodo: .dinheiro, agora: fim)
        let (pagamento, mensalidade) = (ana.pagamento, ana.mensalidades.da(ana.causa))
        #expect(throws: RecusaDePagamentos.cobrancaEncerrada) { try receber.decidir(pagamento: pagamento, mensalidade: mensalidade) }
        try ana.pagar(em: fim + .minutos(1))
        try ana.cobrar(em: fim + .minutos(1))
        #expect(ana.pagamento.dados?.estornos.map(\.motivo) == [.atraso])
        #expect(try ana.cobrar(em: fim + .minutos(2)).isEmpty)
        try ana.devolverTudo(em: fim + .minutos(3))
        #expect(try ana.razao(em: fim + .horas(24)).isEmpty)
    }

    @Test func aPaymentInTheLastMomentKeepsTheSubscription() throws {
        var ana = try Assinante()
        try ana.cobrar(em: ana.inicio)
        try ana.expirar(em: ana.limite)
        try ana.pagar(em: ana.limite + .minutos(10))
        #expect(try ana.cobrar(em: ana.limite + .minutos(10)).isEmpty)
        #expect(try ana.encerrar(em: ana.limite + .minutos(15)).isEmpty)
    }

    @Test func theDeskTakesAFeeAndAPaidOneThatIsGivenBackLessensRevenue() throws {
        var ana = try Assinante()
        try ana.cobrar(em: ana.inicio)
        let recepcao = Ator(usuario: id(3), papel: .recepcao)
        let receber = ReceberNoBalcao(ator: recepcao, metodo: .dinheiro, valor: reais(31_000), agora: ana.inicio)
        try ana.gravar(receber.decidir(pagamento: ana.pagamento, mensalidade: ana.mensalidades.da(ana.causa)))
        #expect(try ana.razao(em: ana.inicio) == [.caixa: 31_000, .receitaAntecipada: 31_000])
        let estornar = EstornarPagamento(estorno: id(50), ator: recepcao, valor: reais(1_000), justificativa: nil, agora: ana.inicio)
        try ana.gravar(estornar.decidir(pagamento: ana.pagamento))
        let fim = try #require(ana.assinatura.dados).periodo.fim
        #expect(try ana.razao(em: fim) == [.caixa: 30_000, .estornos: 1_000, .receitaDePlanos: 31_000])
    }

    @Test func whoIsErasedOwesNothingOfAnOpenFeeAndItsChargeCloses() throws {
        var ana = try Assinante()
        try ana.cobrar(em: ana.inicio)
        let apagada = ana.inicio + .horas(48)
        let encerrar = EncerrarAssinatura(usuario: ana.usuario, motivo: .contaApagada, agora: apagada)
        try ana.gravar(encerrar.decidir(assinatura: ana.assinatura))
        try ana.cobrar(em: apagada)
        guard case .encerrado = ana.pagamento else { throw Inesperado() }
        #expect(try ana.razao(em: ana.limite).isEmpty)
    }

    // MARK: Stored

    @Test("What a charge is for is stored as an object with one field, and read again")
    func stored() throws {
        let causas: [(CausaDaCobranca, String)] = [
            (.reserva(id(6)), #"{"reserva":"\#((id(6) as ReservaID).texto)"}"#),
            (.diferenca(id(6), remarcacao: 2), #"{"diferenca":{"remarcacao":2,"reserva":"\#((id(6) as ReservaID).texto)"}}"#),
            (.excedente(id(6)), #"{"excedente":"\#((id(6) as ReservaID).texto)"}"#),
            (
                .mensalidade(id(1), inicio: agora),
                #"{"mensalidade":{"inicio":"\#(agora.texto)","usuario":"\#((id(1) as UsuarioID).texto)"}}"#
            ),
        ]
        for (causa, texto) in causas {
            let expirada = CobrancaExpirada(pagamento: causa.pagamento, causa: causa, motivo: .prazo, expiraEm: agora, em: agora)
            let escrito = try CodecDeEventos.padrao.codificar(.pagamentos(.cobrancaExpirada(expirada)))
            #expect(String(decoding: escrito.carga, as: UTF8.self).contains("\"causa\":\(texto)"))
            #expect(try CodecDeEventos.padrao.decodificar(escrito) == .pagamentos(.cobrancaExpirada(expirada)))
        }
    }
}
