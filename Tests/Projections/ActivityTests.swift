import Domain
import Testing

@testable import Projections

@Suite("What somebody may watch for")
struct ActivityTests {
    /// A line as it is compared: what happened to what, whom it concerns, and which booking.
    private struct Line: Equatable {
        let type: String
        var user = 3
        var booking: Int?
        /// The number of space and unit alike; nil where it belongs to none.
        var place: Int?
    }

    private func expect(_ log: TestLog, _ lines: [Line]) async throws {
        try await ReadSide.after(log) { read in
            let activity = try await read.notificacoes.activity(after: 0, limit: 100)
            #expect(activity.map(\.type) == lines.map(\.type))
            for (found, line) in zip(activity, lines) {
                #expect(found.user == Samples.id(line.user), "\(line.type)")
                #expect(found.booking == line.booking.map { Samples.id($0) }, "\(line.type)")
                #expect(found.space == line.place.map { Samples.id($0) }, "\(line.type)")
                #expect(found.unit == line.place.map { Samples.id($0) }, "\(line.type)")
            }
        }
    }

    /// A charge of member 3.
    private struct Charge {
        let id: PagamentoID
        let cause: CausaDaCobranca

        init(_ cause: CausaDaCobranca) {
            id = cause.pagamento
            self.cause = cause
        }

        func made(unit: UnidadeID?) -> EventoDePagamentos {
            .cobrancaCriada(
                CobrancaCriada(
                    pagamento: id, causa: cause, usuario: Samples.id(3), unidade: unit, valor: Dinheiro(centavos: 6_000),
                    expiraEm: Samples.time(14), em: Samples.time(0)
                )
            )
        }

        func closed(_ reason: MotivoDoEncerramento) -> EventoDePagamentos {
            .cobrancaExpirada(
                CobrancaExpirada(pagamento: id, causa: cause, motivo: reason, expiraEm: Samples.time(14), em: Samples.time(14))
            )
        }

        func approved(_ number: Int, settles: Bool) throws -> EventoDePagamentos {
            .pagamentoAprovado(
                PagamentoAprovado(
                    pagamento: id, causa: cause, usuario: Samples.id(3), transacao: try transaction(number), metodo: .pix,
                    valor: Dinheiro(centavos: 6_000), quita: settles, tardio: false, em: Samples.time(5)
                )
            )
        }

        func refused() throws -> EventoDePagamentos {
            .pagamentoRecusado(
                PagamentoRecusado(
                    pagamento: id, causa: cause, transacao: try transaction(1), metodo: .cartao, motivo: .cartaoRecusado,
                    em: Samples.time(4)
                )
            )
        }

        func refunded(_ number: Int) throws -> EventoDePagamentos {
            .pagamentoEstornado(
                PagamentoEstornado(
                    pagamento: id, causa: cause, usuario: Samples.id(3), estorno: Samples.id(number), transacao: try transaction(number),
                    valor: Dinheiro(centavos: 6_000), em: Samples.time(6)
                )
            )
        }

        private func transaction(_ number: Int) throws -> TransacaoID {
            guard let transaction = TransacaoID(id, tentativa: number) else { throw Samples.Impossible() }
            return transaction
        }
    }

    @Test("What becomes of a booking's charge; what pays nothing is told of when it went back")
    func charge() async throws {
        var log = TestLog()
        try log.book(1, user: 3, space: 4, unit: 4, try Samples.interval(60, 120), expires: 15)
        let charge = Charge(.reserva(Samples.id(1)))
        for event in [
            charge.made(unit: Samples.id(4)), try charge.refused(), try charge.approved(2, settles: true),
            try charge.approved(3, settles: false), try charge.refunded(3),
        ] {
            try log.record(.pagamento(charge.id), .pagamentos(event))
        }
        let types = ["reservation.requested", "payment.created", "payment.refused", "payment.paid", "payment.refunded"]
        try await expect(log, types.map { Line(type: $0, booking: 1, place: 4) })
    }

    @Test("A charge that is for no booking is told of to who owes it, in events too that do not name them")
    func subscription() async throws {
        var log = TestLog()
        for (days, reason) in [(0, .prazo), (30, .semObjeto)] as [(Int, MotivoDoEncerramento)] {
            let charge = Charge(.mensalidade(Samples.id(3), inicio: Samples.time(days * 1440)))
            for event in [charge.made(unit: nil), charge.closed(reason)] { try log.record(.pagamento(charge.id), .pagamentos(event)) }
        }
        let types = ["payment.created", "payment.expired", "payment.created", "payment.cancelled"]
        try await expect(log, types.map { Line(type: $0) })
    }

    @Test("Who comes, stays on and leaves; that nobody came is told of once")
    func presence() async throws {
        var log = TestLog()
        let interval = try Samples.interval(60, 120)
        for number in 1...2 { try log.book(number, user: 3, space: 4, unit: 4, interval) }
        let (user, space, unit): (UsuarioID, EspacoID, UnidadeID) = (Samples.id(3), Samples.id(4), Samples.id(4))
        let (came, missed): (ReservaID, ReservaID) = (Samples.id(1), Samples.id(2))
        let checkIn = CheckinRealizado(
            reserva: came, usuario: user, espaco: space, unidade: unit, intervalo: interval, por: user, meio: .membro,
            encerraEm: Samples.time(180), em: Samples.time(60)
        )
        let checkOut = CheckoutRealizado(
            reserva: came, usuario: user, espaco: space, unidade: unit, intervalo: interval, entrada: Samples.time(60), por: user,
            meio: .membro, em: Samples.time(150)
        )
        let overtime = ExcedenteApurado(
            reserva: came, usuario: user, espaco: space, unidade: unit, intervalo: try Samples.interval(120, 150), tolerancia: .quinze,
            passo: .trinta, passos: 1,
            preco: PrecoDoExcedente(
                tarifarioVersao: VersaoDeRegra(1), valorHora: Dinheiro(centavos: 6_000), milesimos: 1000, lugares: 1, desconto: .zero
            ),
            valor: Dinheiro(centavos: 3_000), em: Samples.time(150)
        )
        let events: [EventoDeCheckin] = [.checkinRealizado(checkIn), .checkoutRealizado(checkOut), .excedenteApurado(overtime)]
        for event in events { try log.record(.presenca(came), .checkin(event)) }
        let absence = NaoComparecimentoRegistrado(
            reserva: missed, usuario: user, espaco: space, unidade: unit, intervalo: interval, tolerancia: .quinze,
            limite: Samples.time(75), em: Samples.time(75)
        )
        try log.record(.presenca(missed), .checkin(.naoComparecimentoRegistrado(absence)))
        let lost = ReservaNaoComparecida(reserva: missed, limite: Samples.time(75), reembolso: Samples.refund(0), em: Samples.time(75))
        try log.record(2, .reservaNaoComparecida(lost))

        let requested = (1...2).map { Line(type: "reservation.requested", booking: $0, place: 4) }
        let happened = ["checked_in", "checked_out", "overtime"].map { Line(type: "reservation.\($0)", booking: 1, place: 4) }
        try await expect(log, requested + happened + [Line(type: "reservation.no_show", booking: 2, place: 4)])
    }

    @Test("An approval is wanted, and granted or refused")
    func approval() async throws {
        var log = TestLog()
        let interval = try Samples.interval(60, 120)
        for number in 1...2 {
            let request = ReservaSolicitada(
                reserva: Samples.id(number), usuario: Samples.id(3), espaco: Samples.id(4), unidade: Samples.id(4),
                horario: Samples.schedule(interval), regras: Samples.appliedRules, cotacao: Samples.quote(10_000, over: interval),
                expiraEm: Samples.time(30), criadaPor: Samples.id(3), em: Samples.time(0), aprovacaoAte: Samples.time(30)
            )
            try log.record(number, .reservaSolicitada(request))
        }
        let approved = ReservaAprovada(reserva: Samples.id(1), por: Samples.id(8), expiraEm: Samples.time(20), em: Samples.time(5))
        try log.record(1, .reservaAprovada(approved))
        let rejected = ReservaCancelada(
            reserva: Samples.id(2), motivo: .naoAprovada, por: Samples.id(8), reembolso: Samples.refund(0), em: Samples.time(6)
        )
        try log.record(2, .reservaCancelada(rejected))
        let wanted = (1...2).map { Line(type: "reservation.approval_requested", booking: $0, place: 4) }
        let decided = [
            Line(type: "reservation.approved", booking: 1, place: 4), Line(type: "reservation.rejected", booking: 2, place: 4),
        ]
        try await expect(log, wanted + decided)
    }

    @Test("Somebody waits, is offered the time, and takes it, lets it lapse or leaves")
    func line() async throws {
        var log = TestLog()
        let interval = try Samples.interval(60, 120)
        let (user, space, day): (UsuarioID, EspacoID, DataCivil) = (Samples.id(3), Samples.id(4), interval.inicio.diaUTC)
        let time = Samples.time(10)
        let stream = NomeDeFluxo.espera(space, day)
        for number in 1...3 {
            let joined = EsperaInscrita(
                inscricao: Samples.id(number), usuario: user, espaco: space, unidade: Samples.id(4), dia: day, fuso: "America/Sao_Paulo",
                intervalo: interval, lugares: 1, em: time
            )
            try log.record(stream, .reservas(.esperaInscrita(joined)))
        }
        // The holds are recorded in the same append, and need not come first
        for number in 1...2 {
            let offered = EsperaOferecida(
                inscricao: Samples.id(number), usuario: user, espaco: space, dia: day, reserva: Samples.id(number + 10), em: time
            )
            try log.record(stream, .reservas(.esperaOferecida(offered)))
        }
        let booked = EsperaAtendida(inscricao: Samples.id(1), usuario: user, espaco: space, dia: day, reserva: Samples.id(11), em: time)
        let lapsed = EsperaVencida(
            inscricao: Samples.id(2), usuario: user, espaco: space, dia: day, motivo: .ofertaExpirou, reserva: Samples.id(12), em: time
        )
        let left = EsperaRetirada(inscricao: Samples.id(3), usuario: user, espaco: space, dia: day, por: user, em: time)
        for event in [EventoDeReservas.esperaAtendida(booked), .esperaVencida(lapsed), .esperaRetirada(left)] {
            try log.record(stream, .reservas(event))
        }
        let happened =
            [
                ("joined", nil), ("joined", nil), ("joined", nil), ("offered", 11), ("offered", 12), ("booked", 11), ("expired", 12),
                ("withdrawn", nil),
            ] as [(String, Int?)]
        try await expect(log, happened.map { Line(type: "waitlist.\($0)", booking: $1, place: 4) })
    }
}
