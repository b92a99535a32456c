/// A calendar as RFC 5545 writes it: what a calendar program takes as a file, a feed or an invitation.
package struct CalendarioICS: Sendable {
    package enum Metodo: Hashable, Sendable {
        /// To be looked at.
        case publicacao
        case convite(ConviteDeCalendario)
        /// Of what was an invitation.
        case cancelamento(ConviteDeCalendario)

        var texto: String {
            switch self {
            case .publicacao: "PUBLISH"
            case .convite: "REQUEST"
            case .cancelamento: "CANCEL"
            }
        }

        var convite: ConviteDeCalendario? {
            switch self {
            case .publicacao: nil
            case .convite(let convite), .cancelamento(let convite): convite
            }
        }
    }

    private let eventos: [EventoDeCalendario]
    private let metodo: Metodo
    private let nome: String?
    private let zonas: [String: ZonaHoraria]

    /// - Parameters:
    ///   - zonas: The zones of the events by their names. What is in a zone that is not given is written in UTC.
    ///   - nome: What a program that follows the calendar calls it.
    package init(_ eventos: [EventoDeCalendario], metodo: Metodo, zonas: [String: ZonaHoraria], nome: String? = nil) {
        self.eventos = eventos
        self.metodo = metodo
        self.zonas = zonas
        self.nome = nome
    }

    package var texto: String {
        var linhas = LinhasICS()
        linhas.acrescentar("BEGIN", "VCALENDAR")
        linhas.acrescentar("VERSION", "2.0")
        linhas.acrescentar("PRODID", "-//CoworkFlow//Reservas//PT")
        linhas.acrescentar("CALSCALE", "GREGORIAN")
        linhas.acrescentar("METHOD", metodo.texto)
        if let nome { linhas.acrescentar("X-WR-CALNAME", texto: nome) }
        for fuso in Set(eventos.map(\.fuso)).sorted() {
            guard let zona = zonaComRegras(fuso), let extensao = extensao(de: fuso) else { continue }
            zona.escreverVTIMEZONE(em: extensao, nas: &linhas)
        }
        for evento in eventos { escrever(evento, nas: &linhas) }
        linhas.acrescentar("END", "VCALENDAR")
        return linhas.texto
    }

    private func zonaComRegras(_ fuso: String) -> ZonaHoraria? {
        fuso == ZonaHoraria.utc.nome ? nil : zonas[fuso]
    }

    /// From the first beginning to the last end in a zone.
    private func extensao(de fuso: String) -> Intervalo? {
        let nela = eventos.lazy.filter { $0.fuso == fuso }.map(\.intervalo)
        guard let inicio = nela.map(\.inicio).min(), let fim = nela.map(\.fim).max() else { return nil }
        return Intervalo(inicio: inicio, fim: fim)
    }

    private func escrever(_ evento: EventoDeCalendario, nas linhas: inout LinhasICS) {
        linhas.acrescentar("BEGIN", "VEVENT")
        linhas.acrescentar("UID", evento.uid)
        linhas.acrescentar("SEQUENCE", String(evento.sequencia))
        linhas.acrescentar("DTSTAMP", evento.alterado.ics)
        linhas.acrescentar("LAST-MODIFIED", evento.alterado.ics)
        escrever("DTSTART", evento.intervalo.inicio, evento.fuso, nas: &linhas)
        escrever("DTEND", evento.intervalo.fim, evento.fuso, nas: &linhas)
        linhas.acrescentar("SUMMARY", texto: evento.titulo)
        linhas.acrescentar("LOCATION", texto: evento.lugar)
        linhas.acrescentar("STATUS", situacao(de: evento).rawValue)
        linhas.acrescentar("TRANSP", situacao(de: evento) == .cancelado ? "TRANSPARENT" : "OPAQUE")
        if let convite = metodo.convite {
            linhas.acrescentar("ORGANIZER;CN=\"CoworkFlow\"", "mailto:\(convite.organizador)")
            linhas.acrescentar(
                "ATTENDEE;CN=\(LinhasICS.parametro(convite.nome));ROLE=REQ-PARTICIPANT;PARTSTAT=ACCEPTED;RSVP=FALSE",
                "mailto:\(convite.participante)"
            )
        }
        linhas.acrescentar("END", "VEVENT")
    }

    private func situacao(de evento: EventoDeCalendario) -> EventoDeCalendario.Situacao {
        if case .cancelamento = metodo { return .cancelado }
        return evento.situacao
    }

    private func escrever(_ nome: String, _ instante: Instante, _ fuso: String, nas linhas: inout LinhasICS) {
        if let zona = zonaComRegras(fuso) {
            linhas.acrescentar("\(nome);TZID=\(fuso)", zona.local(de: instante).ics)
        } else {
            linhas.acrescentar(nome, instante.ics)
        }
    }
}

extension DataHoraLocal {
    /// `20260301T090000`.
    var ics: String { String(texto.prefix(19).filter { $0 != "-" && $0 != ":" }) }
}

extension Instante {
    /// `20260301T120000Z`.
    var ics: String { "\(DataHoraLocal(microssegundos: microssegundos).ics)Z" }
}
