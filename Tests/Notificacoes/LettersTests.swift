import Domain
import HTTP
import SMTP
import Testing

@testable import NotificacoesService

/// Mails as people read them.
@Suite struct LettersTests {
    private func id<Mark>(_ number: UInt64) -> Identificador<Mark> { Identificador(alto: 0x0189_0A5D_AC96_774B, baixo: number) }

    /// - Parameter confirmed: Whether it came to stand before what is told of it.
    private func booking(confirmed: Bool = true, waits: Bool = false) throws -> (words: ReservaDescrita, state: BookingState) {
        let start = try #require(Instante("2026-03-02T12:00:00Z"))
        let interval = try #require(Intervalo(inicio: start, fim: start + .minutos(90)))
        let zone = try ZoneCatalog().zone("America/Sao_Paulo")
        let line = LinhaDeTempo(
            dia: start.diaUTC, intervalo: interval, lugares: 1, valorHora: Dinheiro(centavos: 6_000), milesimos: 1000,
            valor: Dinheiro(centavos: 9_000)
        )
        let quote = Cotacao(
            tarifarioVersao: VersaoDeRegra(1), plano: .basic, planoVersao: VersaoDeRegra(1), linhas: [.tempo(line)],
            total: Dinheiro(centavos: 9_000)
        )
        let requested = ReservaSolicitada(
            reserva: id(7), usuario: id(1), espaco: id(2), unidade: id(3),
            horario: HorarioDaReserva(interval, ocupacao: interval, zona: zone, lugares: 1),
            regras: RegrasAplicadas(versao: VersaoDeRegra(1), bufferAntes: .zero, bufferDepois: .zero, cancelamento: .padrao),
            cotacao: quote, expiraEm: start, criadaPor: id(1), em: start
        )
        var events: [EventoDeReservas] = [.reservaSolicitada(requested)]
        if confirmed { events.append(.reservaConfirmada(ReservaConfirmada(reserva: id(7), motivo: .operador, em: start))) }
        if waits {
            let moved = ReservaRemarcada(
                reserva: id(7), de: requested.horario, para: requested.horario, regras: requested.regras, cotacao: quote,
                diferenca: Dinheiro(centavos: 3_000), por: id(1), em: start, aPagar: Dinheiro(centavos: 3_000), pagarAte: start
            )
            events.append(.reservaRemarcada(moved))
        }
        let booking = try #require(Reserva.dobrar(events.map(EventoDoDominio.reservas)).dados)
        let words = ReservaDescrita(
            dados: booking, espaco: "Sala <Ipê> & \"Cia\"", unidade: "Paulista", endereco: "Av. Paulista, 1000"
        )
        return (words, BookingState(id: id(7), version: 3, changed: start))
    }

    private func notice(_ fact: AvisoDeReserva.Fato, confirmed: Bool = true, waits: Bool = false) throws -> ToldNotice {
        let booking = try booking(confirmed: confirmed, waits: waits)
        let notice = AvisoDeReserva(fact, de: booking.words, zona: try ZoneCatalog().zone("America/Sao_Paulo"))
        return ToldNotice(notice: .reserva(notice), booking: booking.state)
    }

    private func message(_ told: ToldNotice, _ language: IdiomaDoAviso) throws -> OutgoingMessage {
        OutgoingMessage(
            id: id(9), channel: .email, to: "ana@example.com", name: "Ana Conceição", language: language,
            title: told.notice.titulo(em: language.idioma), text: told.notice.texto(em: language.idioma), told: told,
            at: try #require(Instante("2026-03-01T12:00:00Z"))
        )
    }

    private func carrier() throws -> EmailCarrier {
        try EmailCarrier(
            pool: SMTPPool(SMTPConfiguration(url: "smtp://127.0.0.1:1")),
            sender: .init(name: "CoworkFlow", address: "no-reply@coworkflow.test"), zones: ZoneCatalog()
        )
    }

    @Test("A mail says in its reader's language what, where, when and how much")
    func words() throws {
        let portuguese = try Letters().body(of: message(notice(.confirmada), .portugues))
        for part in [
            "Olá, Ana Conceição,", "está confirmada", "Espaço: Sala <Ipê> & \"Cia\"", "Quando: 02/03/2026, 09:00–10:30 (America/Sao_Paulo)",
            "Valor da reserva: R$\u{A0}90,00",
        ] { #expect(portuguese.text.contains(part), "\(part) in \(portuguese.text)") }
        let english = try Letters().body(of: message(notice(.confirmada), .ingles))
        for part in ["Hello Ana Conceição,", "is confirmed", "When: 2 Mar 2026, 09:00–10:30"] {
            #expect(english.text.contains(part), "\(part) in \(english.text)")
        }
        #expect(!portuguese.text.contains("{{") && !portuguese.html.contains("{{") && !english.html.contains("{{"))
    }

    @Test("What people have named cannot become markup")
    func markup() throws {
        let html = try Letters().body(of: message(notice(.confirmada), .portugues)).html
        #expect(html.contains("Sala &lt;Ipê&gt; &amp; &quot;Cia&quot;"))
        #expect(!html.contains("<Ipê>"))
    }

    @Test("A receipt says what was paid, how, when and for which booking, in text and in HTML, and invites nobody")
    func receipt() throws {
        let booking = try booking()
        let cause = CausaDaCobranca.reserva(id(7))
        let transaction = try #require(TransacaoID(cause.pagamento, tentativa: 1))
        let paid = AvisoDePagamento(
            .recebido(transaction, .pix), causa: cause, valor: Dinheiro(centavos: 9_000),
            em: try #require(Instante("2026-03-01T12:05:00Z")), reserva: booking.words, zona: try ZoneCatalog().zone("America/Sao_Paulo")
        )
        let told = ToldNotice(notice: .pagamento(paid), booking: booking.state)
        let portuguese = try Letters().body(of: message(told, .portugues))
        for part in [
            "Recebemos R$\u{A0}90,00 por PIX: reserva, Sala <Ipê> & \"Cia\" (Paulista), 02/03/2026, 09:00–10:30.",
            "Em: 01/03/2026, 09:05 (America/Sao_Paulo)", "Forma de pagamento: PIX", "Transação: \(transaction.texto)",
        ] { #expect(portuguese.text.contains(part), "\(part) in \(portuguese.text)") }
        #expect(portuguese.html.contains("<td>\(transaction.texto)</td>"))
        let english = try Letters().body(of: message(told, .ingles))
        for part in ["We received R$\u{A0}90,00 by PIX", "On: 1 Mar 2026, 09:05", "Method: PIX"] {
            #expect(english.text.contains(part), "\(part) in \(english.text)")
        }
        #expect(try carrier().mail(for: message(told, .portugues)).calendar == nil)
    }

    @Test("What somebody wrote has no table")
    func written() throws {
        let letter = try Letters().body(
            of: OutgoingMessage(
                id: id(9), channel: .email, to: "ana@example.com", name: "", language: .portugues, title: "Obras",
                text: "Na sexta.\nAté logo.", told: nil, at: try #require(Instante("2026-03-01T12:00:00Z"))
            )
        )
        #expect(letter.text.hasPrefix("Na sexta.\nAté logo.\n\n--\n"))
        #expect(!letter.html.contains("margin-top:8px"))
    }

    private static let later = Instante("2026-03-02T12:00:00Z") ?? .init(microssegundos: 0)

    @Test(
        "The invitation is of the booking, and is called off with it, however that was lost; what was never confirmed invites nobody",
        arguments: [
            (AvisoDeReserva.Fato.confirmada, "REQUEST", "CONFIRMED"), (.remarcada, "REQUEST", "CONFIRMED"),
            (.cancelada, "CANCEL", "CANCELLED"), (.expirada, "CANCEL", "CANCELLED"),
            (.naoComparecida(reembolso: .zero), "CANCEL", "CANCELLED"), (.naoAprovada, nil, nil), (.aguardaAprovacao(ate: later), nil, nil),
            (.aDecidir(ate: later), nil, nil), (.aprovada(pagarAte: later), nil, nil), (.oferecidaDaFila(pagarAte: later), nil, nil),
            (.excedida(.zero, valor: .zero), nil, nil),
        ] as [(AvisoDeReserva.Fato, String?, String?)]
    )
    func invitations(fact: AvisoDeReserva.Fato, method: String?, status: String?) throws {
        let mail = try carrier().mail(for: message(notice(fact), .portugues))
        #expect(mail.calendar?.method == method)
        if let status { #expect(mail.calendar?.text.contains("STATUS:\(status)\r\n") == true) }
        if method != nil {
            #expect(mail.calendar?.text.contains("SEQUENCE:3\r\n") == true)
            #expect(mail.calendar?.text.contains("UID:01890a5d-ac96-774b-0000-000000000007@coworkflow\r\n") == true)
        }
        #expect(mail.id == "01890a5d-ac96-774b-0000-000000000009@coworkflow.test")
        #expect(try mail.bytes() == carrier().mail(for: message(notice(fact), .portugues)).bytes())
        // Nobody was invited to what never stood
        #expect(try fact == .confirmada || carrier().mail(for: message(notice(fact, confirmed: false), .portugues)).calendar == nil)
    }

    @Test("A booking that was moved and waits for the difference is tentative")
    func tentative() throws {
        let mail = try carrier().mail(for: message(notice(.remarcada, waits: true), .portugues))
        #expect(mail.calendar?.method == "REQUEST" && mail.calendar?.text.contains("STATUS:TENTATIVE\r\n") == true)
    }
}
