import Testing

@testable import Domain

/// What happens to one booking, in the order of the log.
struct Diario {
    let reserva: ReservaID = id(6)
    let zona: ZonaHoraria
    var fatos: [Fato] = []

    init(zona: String = "America/Sao_Paulo") throws {
        self.zona = try zonaDoSistema(zona)
    }

    mutating func houve(_ evento: EventoDeReservas) {
        fatos.append(Fato(id: id(UInt64(fatos.count + 1)), fluxo: .reserva(reserva), evento: .reservas(evento)))
    }

    private func cotacao(_ centavos: Int64) -> Cotacao {
        Cotacao(tarifarioVersao: VersaoDeRegra(1), plano: .basic, planoVersao: VersaoDeRegra(1), linhas: [], total: reais(centavos))
    }

    private var regras: RegrasAplicadas {
        get throws {
            RegrasAplicadas(
                versao: VersaoDeRegra(1), bufferAntes: try minutos(0), bufferDepois: try minutos(0), cancelamento: .padrao
            )
        }
    }

    /// As it was asked for.
    var horario: HorarioDaReserva {
        get throws {
            guard case .reservas(.reservaSolicitada(let solicitacao)) = fatos.first?.evento else { throw Vazio() }
            return solicitacao.horario
        }
    }

    struct Vazio: Error {}

    mutating func remarcar(_ centavos: Int64, em: Instante) throws {
        let remarcacao = ReservaRemarcada(
            reserva: reserva, de: try horario, para: try horario, regras: try regras, cotacao: cotacao(centavos), diferenca: .zero,
            por: id(1), em: em
        )
        houve(.reservaRemarcada(remarcacao))
    }

    mutating func pedir(_ centavos: Int64, _ inicio: String, _ fim: String) throws {
        let intervalo = try intervalo(inicio, fim)
        let horario = HorarioDaReserva(intervalo, ocupacao: intervalo, zona: zona, lugares: 1)
        let solicitacao = ReservaSolicitada(
            reserva: reserva, usuario: id(1), espaco: id(100), unidade: id(101), horario: horario, regras: try regras,
            cotacao: cotacao(centavos),
            expiraEm: intervalo.inicio, criadaPor: id(1), em: intervalo.inicio - .horas(48)
        )
        houve(.reservaSolicitada(solicitacao))
    }

    mutating func confirmar(_ em: String) throws {
        houve(.reservaConfirmada(ReservaConfirmada(reserva: reserva, motivo: .operador, por: id(3), em: try instante(em))))
    }

    mutating func concluir(_ em: String) throws {
        houve(.reservaConcluida(ReservaConcluida(reserva: reserva, em: try instante(em))))
    }

    var lancamentos: [LancamentoProposto] {
        get throws { try RazaoDaReserva.lancamentos(de: fatos, zona: zona) }
    }

    var pagamento: PagamentoID { CausaDaCobranca.reserva(reserva).pagamento }

    mutating func houve(_ evento: EventoDePagamentos) {
        fatos.append(Fato(id: id(UInt64(fatos.count + 1)), fluxo: .pagamento(pagamento), evento: .pagamentos(evento)))
    }

    mutating func pagar(_ centavos: Int64, tentativa: Int = 1, quita: Bool = true, em: Instante) throws {
        let aprovado = PagamentoAprovado(
            pagamento: pagamento, causa: .reserva(reserva), usuario: id(1), unidade: id(101),
            transacao: try #require(TransacaoID(pagamento, tentativa: tentativa)), metodo: .pix, valor: reais(centavos),
            quita: quita, tardio: false, em: em
        )
        houve(.pagamentoAprovado(aprovado))
    }

    mutating func estornar(_ centavos: Int64, em: Instante) throws {
        let estornado = PagamentoEstornado(
            pagamento: pagamento, causa: .reserva(reserva), usuario: id(1), unidade: id(101),
            estorno: EstornoID(de: pagamento, fatos.count),
            transacao: try #require(TransacaoID(pagamento, tentativa: 1)), valor: reais(centavos), em: em
        )
        houve(.pagamentoEstornado(estornado))
    }

    mutating func pedirEstorno(_ centavos: Int64, em: Instante) throws {
        let pedido = EstornoSolicitado(
            pagamento: pagamento, causa: .reserva(reserva), usuario: id(1), unidade: id(101),
            estorno: EstornoID(de: pagamento, fatos.count),
            transacao: try #require(TransacaoID(pagamento, tentativa: 1)), valor: reais(centavos), motivo: .operador, em: em
        )
        houve(.estornoSolicitado(pedido))
    }

    static func reembolso(pago: Int64, valor: Int64) -> Reembolso {
        Reembolso(
            regrasVersao: VersaoDeRegra(1), antecedencia: .quatroHoras, percentual: .metade, pago: reais(pago), valor: reais(valor),
            excepcional: false
        )
    }

    mutating func cancelar(pago: Int64, valor: Int64, em: Instante) {
        let reembolso = Self.reembolso(pago: pago, valor: valor)
        houve(.reservaCancelada(ReservaCancelada(reserva: reserva, motivo: .membro, por: id(1), reembolso: reembolso, em: em)))
    }
}

@Suite struct RazaoDaReservaTests {
    @Test func aBookingThatIsUsedUnpaidIsOwedOnTheDayItEnds() throws {
        var diario = try Diario()
        try diario.pedir(12_000, "2026-03-31T22:00:00-03:00", "2026-04-01T00:00:00-03:00")
        try diario.confirmar("2026-03-30T10:00:00Z")
        #expect(try diario.lancamentos.isEmpty)
        // The timer was late: it counts on the day that it ended all the same, which is the one that ends at that midnight
        try diario.concluir("2026-04-02T15:00:00Z")

        let lancamento = try #require(try diario.lancamentos.first)
        #expect(
            lancamento.partidas.linhas == [
                Partida(.debito, .aReceber, reais(12_000)), Partida(.credito, .receitaDeReservas, reais(12_000)),
            ])
        #expect(lancamento.data == (try data("2026-03-31")))
        #expect(lancamento.historico == .usoDaReserva)
        #expect(lancamento.lancamento == id(3))
        #expect(lancamento.causa?.tipo == ReservaConcluida.tipo)
        #expect(lancamento.unidade == id(101))
    }

    @Test func whatCostsNothingEntersNothing() throws {
        var diario = try Diario()
        try diario.pedir(0, "2026-03-31T10:00:00-03:00", "2026-03-31T11:00:00-03:00")
        try diario.concluir("2026-03-31T14:00:00Z")
        #expect(try diario.lancamentos.isEmpty)
    }

    @Test func anExpiredHoldEntersNothing() throws {
        var diario = try Diario()
        try diario.pedir(500, "2026-03-31T10:00:00-03:00", "2026-03-31T11:00:00-03:00")
        let expira = try instante("2026-03-29T13:15:00Z")
        diario.houve(.reservaExpirada(ReservaExpirada(reserva: diario.reserva, expiraEm: expira, em: expira)))
        // Nothing is concluded after that; were it, it would earn nothing
        try diario.concluir("2026-03-31T14:00:00Z")
        #expect(try diario.lancamentos.isEmpty)
    }

    @Test func theSameHistoryAsksForTheSameEntriesAndALongerOneKeepsThem() throws {
        var diario = try Diario()
        try diario.pedir(900, "2026-03-31T10:00:00-03:00", "2026-03-31T11:00:00-03:00")
        try diario.confirmar("2026-03-30T10:00:00Z")
        try diario.concluir("2026-03-31T14:00:00Z")
        let primeira = try diario.lancamentos
        try diario.concluir("2026-03-31T15:00:00Z")
        #expect(try diario.lancamentos == primeira)
        let comando = RegistrarLancamentos(propostos: primeira, agora: try instante("2026-03-31T14:00:01Z"))
        let periodos = Periodos([try #require(MesCivil("2026-03")): .aberto])
        let decididos = comando.decidir(estados: [:], periodos: periodos)
        #expect(decididos.map(\.fluxo) == [.lancamento(primeira[0].lancamento)])
        let estado = Lancamento.dobrar(try gravados(decididos))
        #expect(comando.decidir(estados: [primeira[0].lancamento: estado], periodos: periodos).isEmpty)
    }

    @Test func whatIsPaidIsEarnedWhenItIsUsed() throws {
        var diario = try Diario()
        try diario.pedir(9_000, "2026-03-31T10:00:00-03:00", "2026-03-31T11:00:00-03:00")
        // Late in the evening of the 29th in São Paulo
        try diario.pagar(9_000, em: try instante("2026-03-30T02:30:00Z"))
        try diario.confirmar("2026-03-30T02:30:01Z")
        try diario.concluir("2026-03-31T14:00:00Z")
        let lancamentos = try diario.lancamentos
        #expect(lancamentos.map(\.historico) == [.recebimento, .usoDaReserva])
        #expect(lancamentos[0].data == (try data("2026-03-29")))
        #expect(
            lancamentos[0].partidas.linhas == [
                Partida(.debito, .caixa, reais(9_000)), Partida(.credito, .receitaAntecipada, reais(9_000)),
            ])
        #expect(
            lancamentos[1].partidas.linhas == [
                Partida(.debito, .receitaAntecipada, reais(9_000)), Partida(.credito, .receitaDeReservas, reais(9_000)),
            ])
    }

    @Test func ofACancelledBookingWhatDoesNotGoBackIsEarnedAtOnce() throws {
        var diario = try Diario()
        try diario.pedir(9_000, "2026-03-31T10:00:00-03:00", "2026-03-31T11:00:00-03:00")
        try diario.pagar(9_000, em: try instante("2026-03-30T12:00:00Z"))
        try diario.confirmar("2026-03-30T12:00:01Z")
        diario.cancelar(pago: 9_000, valor: 4_500, em: try instante("2026-03-31T02:00:00Z"))
        try diario.estornar(4_500, em: try instante("2026-04-01T12:00:00Z"))
        let lancamentos = try diario.lancamentos
        #expect(lancamentos.map(\.historico) == [.recebimento, .taxaDeCancelamento, .estorno])
        #expect(lancamentos[1].data == (try data("2026-03-30")))
        #expect(lancamentos[1].partidas.total == reais(4_500))
        #expect(
            lancamentos[2].partidas.linhas == [
                Partida(.debito, .receitaAntecipada, reais(4_500)), Partida(.credito, .caixa, reais(4_500)),
            ])
    }

    @Test func whatGoesBackAfterItWasEarnedLessensTheRevenueAndALatePaymentPaysWhatIsOwed() throws {
        var diario = try Diario()
        try diario.pedir(9_000, "2026-03-31T10:00:00-03:00", "2026-03-31T11:00:00-03:00")
        try diario.confirmar("2026-03-30T12:00:01Z")
        try diario.concluir("2026-03-31T14:00:00Z")
        try diario.pagar(9_000, em: try instante("2026-04-02T12:00:00Z"))
        try diario.estornar(1_000, em: try instante("2026-04-03T12:00:00Z"))
        let lancamentos = try diario.lancamentos
        #expect(lancamentos[1].partidas.linhas == [Partida(.debito, .caixa, reais(9_000)), Partida(.credito, .aReceber, reais(9_000))])
        #expect(lancamentos[2].partidas.linhas == [Partida(.debito, .estornos, reais(1_000)), Partida(.credito, .caixa, reais(1_000))])
    }
}
