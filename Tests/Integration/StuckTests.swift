import Domain
import FoundationEssentials
import HTTP
import Testing

@testable import coworkflow

/// What the sweep takes for stuck, from events alone.
@Suite struct OpenWorkTests {
    private func id<Mark>(_ number: UInt64) -> Identificador<Mark> { Identificador(alto: 0x0189_0A5D_AC96_774B, baixo: number) }

    private func time(_ text: String) throws -> Instante { try #require(Instante(text)) }

    private let zones = ZoneCatalog()

    /// The kinds that are stuck at a time after these events.
    private func stuck(_ events: [(String, EventoDoDominio)], at moment: Instante) throws -> [StuckSweep.Item.Kind] {
        let zones = zones
        var open = OpenWork(zone: { try zones.zone($0) })
        for (stream, event) in events { try open.apply(event, in: stream) }
        return open.stuck(by: moment).map(\.kind)
    }

    /// Nothing is late before a time, and what is after it is no more once it was settled.
    private func check(
        _ kind: StuckSweep.Item.Kind,
        _ events: [(String, EventoDoDominio)],
        due: Instante,
        settledBy end: (String, EventoDoDominio)
    ) throws {
        #expect(try stuck(events, at: due) == [], "not due yet")
        #expect(try stuck(events, at: due + .segundos(1)) == [kind])
        #expect(try stuck(events + [end], at: due + .segundos(1)) == [], "settled")
    }

    private func refund(at transaction: Int) throws -> [(String, EventoDoDominio)] {
        let payment: PagamentoID = id(6)
        let asked = EstornoSolicitado(
            pagamento: payment, causa: .reserva(id(6)), usuario: id(1), estorno: id(30),
            transacao: try #require(TransacaoID(payment, tentativa: transaction)), valor: Dinheiro(centavos: 6_000), motivo: .cancelamento,
            em: try time("2026-03-02T12:00:00Z")
        )
        return [("pagamento-6", .pagamentos(.estornoSolicitado(asked)))]
    }

    private func refunded() throws -> (String, EventoDoDominio) {
        let payment: PagamentoID = id(6)
        let done = PagamentoEstornado(
            pagamento: payment, causa: .reserva(id(6)), usuario: id(1), estorno: id(30),
            transacao: try #require(TransacaoID(payment, tentativa: 1)), valor: Dinheiro(centavos: 6_000),
            em: try time("2026-03-03T12:00:00Z")
        )
        return ("pagamento-6", .pagamentos(.pagamentoEstornado(done)))
    }

    @Test("Cash that nobody has handed over, and money of which the provider says nothing")
    func refunds() throws {
        let asked = try time("2026-03-02T12:00:00Z")
        try check(
            .cashNotHandedOver, refund(at: TransacaoID.maiorTentativa), due: asked + OpenWork.handingOver, settledBy: refunded()
        )
        try check(.refundNotAnswered, refund(at: 1), due: asked + OpenWork.providerAnswer, settledBy: refunded())
    }

    @Test("Who waits in line for what has begun")
    func lines() throws {
        let start = try time("2026-03-05T12:00:00Z")
        let span = try #require(Intervalo(inicio: start, fim: start + .horas(1)))
        let joined = EsperaInscrita(
            inscricao: id(8), usuario: id(1), espaco: id(2), unidade: id(3), dia: start.diaUTC, fuso: "America/Sao_Paulo", intervalo: span,
            lugares: 1, em: start - .horas(24)
        )
        let over = EsperaVencida(
            inscricao: id(8), usuario: id(1), espaco: id(2), dia: start.diaUTC, motivo: .inicioPassou, reserva: nil, em: start
        )
        try check(
            .waitNotClosed, [("espera-2", .reservas(.esperaInscrita(joined)))], due: start,
            settledBy: ("espera-2", .reservas(.esperaVencida(over)))
        )
    }

    @Test("Who is in and taken to have left")
    func presences() throws {
        let start = try time("2026-03-05T12:00:00Z")
        let span = try #require(Intervalo(inicio: start, fim: start + .horas(1)))
        let entered = CheckinRealizado(
            reserva: id(7), usuario: id(1), espaco: id(2), unidade: id(3), intervalo: span, por: id(1), meio: .membro,
            encerraEm: start + .horas(3), em: start
        )
        let left = CheckoutRealizado(
            reserva: id(7), usuario: id(1), espaco: id(2), unidade: id(3), intervalo: span, entrada: start, meio: .prazo,
            em: start + .horas(3)
        )
        try check(
            .presenceNotClosed, [("presenca-7", .checkin(.checkinRealizado(entered)))], due: start + .horas(3),
            settledBy: ("presenca-7", .checkin(.checkoutRealizado(left)))
        )
    }

    @Test("Subscriptions that should have been renewed, or ended for want of payment")
    func subscriptions() throws {
        let (start, zone) = (try time("2026-03-02T12:00:00Z"), try zones.zone("America/Sao_Paulo"))
        let period = PeriodoDaAssinatura.primeiro(em: start, zona: zone)
        let begun = EventoDoDominio.precos(
            .assinaturaIniciada(
                AssinaturaIniciada(
                    usuario: id(1), plano: try #require(PlanoID("premium")), planoVersao: VersaoDeRegra(1),
                    mensalidade: Dinheiro(centavos: 29_900), periodo: period, venceEm: start + .horas(120), por: id(1), em: start
                )))
        let next = period.seguinte(zona: zone)
        let renewed = EventoDoDominio.precos(
            .assinaturaRenovada(
                AssinaturaRenovada(
                    usuario: id(1), plano: try #require(PlanoID("premium")), planoVersao: VersaoDeRegra(1),
                    mensalidade: Dinheiro(centavos: 29_900), periodo: next, venceEm: next.inicio + .horas(120), em: period.fim
                )))
        try check(.subscriptionNotRenewed, [("assinatura-1", begun)], due: period.fim, settledBy: ("assinatura-1", renewed))

        let cause = CausaDaCobranca.mensalidade(id(1), inicio: start)
        let closed = CobrancaExpirada(
            pagamento: cause.pagamento, causa: cause, motivo: .prazo, expiraEm: start + .horas(240), em: start + .horas(240)
        )
        let ended = AssinaturaCancelada(
            usuario: id(1), plano: try #require(PlanoID("premium")), motivo: .faltaDePagamento, terminaEm: start + .horas(241),
            em: start + .horas(241)
        )
        try check(
            .subscriptionNotEnded, [("assinatura-1", begun), ("pagamento-9", .pagamentos(.cobrancaExpirada(closed)))],
            due: start + .horas(240) + EncerrarPorFaltaDePagamento.espera,
            settledBy: ("assinatura-1", .precos(.assinaturaCancelada(ended)))
        )
    }

    @Test("Messages that were neither sent nor given up")
    func messages() throws {
        let (asked, send) = (try time("2026-03-02T12:00:00Z"), try time("2026-03-02T22:00:00Z"))
        let text = Selado("1.01890a5d-ac96-774b-bcce-b302099a0001.c2VsYWRv")
        let request = NotificacaoSolicitada(
            notificacao: id(9), aviso: .reservaConfirmada, canal: .email, destinatario: id(1), idioma: .portugues, titulo: text,
            texto: text, enviarEm: send, em: asked
        )
        let sent = NotificacaoEnviada(notificacao: id(9), tentativa: 3, em: send)
        try check(
            .messageNotSettled, [("notificacao-9", .notificacoes(.notificacaoSolicitada(request)))],
            due: send + RegistrarTentativa.prazo + .minutos(6), settledBy: ("notificacao-9", .notificacoes(.notificacaoEnviada(sent)))
        )
    }

    @Test("Days of units that are over and not recorded, by the unit's clock")
    func days() throws {
        let made = UnidadeCriada(
            unidade: id(3), nome: "Paulista", fuso: "America/Sao_Paulo", endereco: "", em: try time("2026-03-02T12:00:00Z")
        )
        let end = try time("2026-03-03T03:00:00Z")
        let closed = OcupacaoDiariaApurada(
            unidade: id(3), dia: try #require(DataCivil("2026-03-02")), revisao: 1, fuso: "America/Sao_Paulo", espacos: [],
            proximoFechamento: end + .horas(24), em: end
        )
        let events = [("unidade-3", EventoDoDominio.espacos(.unidadeCriada(made)))]
        let first = ("ocupacao-3", EventoDoDominio.analytics(.ocupacaoDiariaApurada(closed)))
        try check(.dayNotClosed, events, due: end, settledBy: first)
        #expect(try stuck(events + [first], at: end + .horas(25)) == [.dayNotClosed])
        // A correction of an earlier day closes no other
        let again = OcupacaoDiariaApurada(
            unidade: id(3), dia: closed.dia, revisao: 2, fuso: closed.fuso, espacos: [], em: end + .horas(1)
        )
        let corrected = ("ocupacao-3", EventoDoDominio.analytics(.ocupacaoDiariaApurada(again)))
        #expect(try stuck(events + [first, corrected], at: end + .horas(25)) == [.dayNotClosed])
    }
}
