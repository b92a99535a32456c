import Domain
import Testing

/// Calendars as RFC 5545 writes them.
@Suite struct CalendarioTests {
    private func evento(
        _ intervalo: Intervalo, fuso: String = "America/Sao_Paulo", titulo: String = "Sala Ipê",
        situacao: EventoDeCalendario.Situacao = .confirmado, sequencia: Int = 2
    ) throws -> EventoDeCalendario {
        EventoDeCalendario(
            reserva: id(7), sequencia: sequencia, situacao: situacao, intervalo: intervalo, fuso: fuso, titulo: titulo,
            lugar: "Paulista, Av. Paulista, 1000", alterado: try instante("2026-02-01T10:00:00Z")
        )
    }

    private func linhas(
        _ eventos: [EventoDeCalendario], _ metodo: CalendarioICS.Metodo = .publicacao, fuso: String = "America/Sao_Paulo"
    ) throws -> [String] {
        let texto = CalendarioICS(eventos, metodo: metodo, zonas: [fuso: try zona(fuso)]).texto
        #expect(texto.hasSuffix("END:VCALENDAR\r\n"))
        for linha in texto.split(separator: "\r\n") { #expect(linha.utf8.count <= 75, "\(linha)") }
        // Unfolded.
        return texto.replacing("\r\n ", with: "").split(separator: "\r\n").map(String.init)
    }

    @Test("A booking on the wall clock of its zone, with the zone's rules")
    func simples() throws {
        let linhas = try linhas([evento(intervalo("2026-03-02T12:00:00Z", "2026-03-02T13:30:00Z"))])
        #expect(linhas.prefix(3) == ["BEGIN:VCALENDAR", "VERSION:2.0", "PRODID:-//CoworkFlow//Reservas//PT"])
        for linha in [
            "METHOD:PUBLISH", "TZID:America/Sao_Paulo", "BEGIN:STANDARD", "DTSTART:20190217T000000", "TZOFFSETFROM:-0200",
            "TZOFFSETTO:-0300", "UID:01890a5d-ac96-774b-bcce-000000000007@coworkflow", "SEQUENCE:2", "DTSTAMP:20260201T100000Z",
            "DTSTART;TZID=America/Sao_Paulo:20260302T090000", "DTEND;TZID=America/Sao_Paulo:20260302T103000", "SUMMARY:Sala Ipê",
            "LOCATION:Paulista\\, Av. Paulista\\, 1000", "STATUS:CONFIRMED",
        ] { #expect(linhas.contains(linha), "\(linha) in \(linhas)") }
        #expect(linhas.filter { $0.hasPrefix("BEGIN:") } == ["BEGIN:VCALENDAR", "BEGIN:VTIMEZONE", "BEGIN:STANDARD", "BEGIN:VEVENT"])
    }

    @Test("Over the end of summer time the zone has both halves")
    func mudanca() throws {
        let linhas = try linhas([evento(intervalo("2019-02-16T12:00:00Z", "2019-02-17T15:00:00Z"))])
        #expect(linhas.filter { $0 == "BEGIN:DAYLIGHT" || $0 == "BEGIN:STANDARD" } == ["BEGIN:DAYLIGHT", "BEGIN:STANDARD"])
        #expect(linhas.contains("DTSTART;TZID=America/Sao_Paulo:20190216T100000"))
        #expect(linhas.contains("DTEND;TZID=America/Sao_Paulo:20190217T120000"))
    }

    @Test("A zone whose clocks are set for ever has the stretches that are needed, and UTC needs none")
    func outras() throws {
        let nova = try linhas(
            [evento(intervalo("2030-07-01T12:00:00Z", "2030-07-01T13:00:00Z"), fuso: "America/New_York")], fuso: "America/New_York")
        #expect(nova.contains("BEGIN:DAYLIGHT"))
        #expect(nova.contains("DTSTART:20300310T020000"))
        #expect(nova.contains("DTSTART;TZID=America/New_York:20300701T080000"))
        let utc = try linhas([evento(intervalo("2030-07-01T12:00:00Z", "2030-07-01T13:00:00Z"), fuso: "UTC")])
        #expect(utc.contains("DTSTART:20300701T120000Z"))
        #expect(!utc.contains("BEGIN:VTIMEZONE"))
    }

    @Test("An invitation and its cancellation name who and whom, and are of the same event")
    func convite() throws {
        let convite = ConviteDeCalendario(organizador: "no-reply@example.com", participante: "ana@example.com", nome: "Ana \"A\"\r\nB")
        let horario = try intervalo("2026-03-02T12:00:00Z", "2026-03-02T13:30:00Z")
        let pedido = try linhas([evento(horario)], .convite(convite))
        let cancelado = try linhas([evento(horario, sequencia: 3)], .cancelamento(convite))
        #expect(pedido.contains("METHOD:REQUEST"))
        #expect(cancelado.contains("METHOD:CANCEL"))
        #expect(cancelado.contains("STATUS:CANCELLED"))
        #expect(cancelado.contains("SEQUENCE:3"))
        #expect(pedido.filter { $0.hasPrefix("UID:") } == cancelado.filter { $0.hasPrefix("UID:") })
        #expect(pedido.contains("ORGANIZER;CN=\"CoworkFlow\":mailto:no-reply@example.com"))
        #expect(pedido.contains { $0.hasPrefix("ATTENDEE;CN=\"Ana AB\";") && $0.hasSuffix(":mailto:ana@example.com") })
    }

    @Test("Whatever a text holds, it stays one property")
    func textos() throws {
        let titulo = "a;b,c\\d\r\nEND:VEVENT\nx\u{0}y " + String(repeating: "ção ", count: 60)
        let linhas = try linhas([evento(intervalo("2026-03-02T12:00:00Z", "2026-03-02T13:30:00Z"), titulo: titulo)])
        #expect(linhas.filter { $0 == "END:VEVENT" }.count == 1)
        let esperado = "SUMMARY:a\\;b\\,c\\\\d\\nEND:VEVENT\\nxy " + String(repeating: "ção ", count: 60)
        #expect(linhas.contains(esperado))
    }
}
