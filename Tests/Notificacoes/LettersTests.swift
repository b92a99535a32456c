import Domain
import HTTP
import SMTP
import Testing

@testable import NotificacoesService

/// Mails as people read them.
@Suite struct LettersTests {
    private func id<Mark>(_ number: UInt64) -> Identificador<Mark> { Identificador(alto: 0x0189_0A5D_AC96_774B, baixo: number) }

    private func notice(_ kind: TipoDeAviso) throws -> BookingNotice {
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
            cotacao: quote, criadaPor: id(1), em: start
        )
        let booking = try #require(Reserva.dobrar([.reservas(.reservaSolicitada(requested))]).dados)
        let words = AvisoDeReserva(
            aviso: kind, reserva: booking, espaco: "Sala <Ipê> & \"Cia\"", unidade: "Paulista", endereco: "Av. Paulista, 1000"
        )
        return BookingNotice(words: words, version: 3, changed: start)
    }

    private func message(_ kind: TipoDeAviso, _ language: IdiomaDoAviso) throws -> OutgoingMessage {
        let notice = try notice(kind)
        return OutgoingMessage(
            id: id(9), channel: .email, to: "ana@example.com", name: "Ana Conceição", language: language,
            title: notice.words.titulo(em: language.idioma), text: notice.words.texto(em: language.idioma), booking: notice,
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
        let portuguese = try Letters().body(of: message(.reservaConfirmada, .portugues))
        for part in [
            "Olá, Ana Conceição,", "está confirmada", "Espaço: Sala <Ipê> & \"Cia\"", "Quando: 02/03/2026, 09:00–10:30 (America/Sao_Paulo)",
            "Valor: R$\u{A0}90,00",
        ] { #expect(portuguese.text.contains(part), "\(part) in \(portuguese.text)") }
        let english = try Letters().body(of: message(.reservaConfirmada, .ingles))
        for part in ["Hello Ana Conceição,", "is confirmed", "When: 2 Mar 2026, 09:00–10:30"] {
            #expect(english.text.contains(part), "\(part) in \(english.text)")
        }
        #expect(!portuguese.text.contains("{{") && !portuguese.html.contains("{{") && !english.html.contains("{{"))
    }

    @Test("What people have named cannot become markup")
    func markup() throws {
        let html = try Letters().body(of: message(.reservaConfirmada, .portugues)).html
        #expect(html.contains("Sala &lt;Ipê&gt; &amp; &quot;Cia&quot;"))
        #expect(!html.contains("<Ipê>"))
    }

    @Test(
        "The invitation is of the booking, and is called off with it; what was never confirmed invites nobody",
        arguments: [
            (TipoDeAviso.reservaConfirmada, "REQUEST", "CONFIRMED"), (.reservaRemarcada, "REQUEST", "CONFIRMED"),
            (.reservaCancelada, "CANCEL", "CANCELLED"), (.reservaExpirada, nil, nil),
        ] as [(TipoDeAviso, String?, String?)]
    )
    func invitations(kind: TipoDeAviso, method: String?, status: String?) throws {
        let mail = try carrier().mail(for: message(kind, .portugues))
        #expect(mail.calendar?.method == method)
        if let status { #expect(mail.calendar?.text.contains("STATUS:\(status)\r\n") == true) }
        if method != nil {
            #expect(mail.calendar?.text.contains("SEQUENCE:3\r\n") == true)
            #expect(mail.calendar?.text.contains("UID:01890a5d-ac96-774b-0000-000000000007@coworkflow\r\n") == true)
        }
        #expect(mail.id == "01890a5d-ac96-774b-0000-000000000009@coworkflow.test")
        #expect(try mail.bytes() == carrier().mail(for: message(kind, .portugues)).bytes())
    }
}
