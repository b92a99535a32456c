import Domain
import FoundationEssentials
package import HTTP
package import SMTP

/// Hands mail to a mail server.
package struct EmailCarrier: Carrier {
    /// Longer than this nobody waits for their turn: the timer's claim must not run out meanwhile.
    private static let patience = Duration.seconds(8)

    private let pool: SMTPPool
    private let sender: MailMessage.Mailbox
    private let zones: ZoneCatalog
    private let letters: Letters

    /// - Parameter sender: whom mail is from; its domain also ends every Message-ID.
    /// - Throws: where a template of this program cannot be read, which tests show.
    package init(pool: SMTPPool, sender: MailMessage.Mailbox, zones: ZoneCatalog) throws {
        self.pool = pool
        self.sender = sender
        self.zones = zones
        letters = try Letters()
    }

    package func deliver(_ message: OutgoingMessage) async throws(DeliveryFailure) {
        let bytes: [UInt8]
        do {
            bytes = try mail(for: message).bytes()
        } catch {
            throw DeliveryFailure(isTransient: false, reason: "the message cannot be written as mail: \(error)")
        }
        do throws(SMTPError) {
            try await pool.send(from: sender.address, to: message.to, bytes, patience: Self.patience)
        } catch {
            throw DeliveryFailure(isTransient: error.isTransient, reason: "\(error)")
        }
    }

    func mail(for message: OutgoingMessage) throws -> MailMessage {
        let body = letters.body(of: message)
        return MailMessage(
            id: "\(message.id.texto)@\(sender.address.split(separator: "@").last ?? "coworkflow")",
            from: sender,
            to: MailMessage.Mailbox(name: message.name, address: message.to),
            subject: message.title,
            text: body.text,
            html: body.html,
            calendar: try message.told.flatMap { try calendar($0, for: message) },
            language: message.language.rawValue,
            date: message.at.segundos
        )
    }

    /// An invitation, or that it is off, whichever way the booking was lost; nothing for a booking that was never confirmed, nor for what
    /// leaves it as it was. One that waits for the difference of a move is tentative.
    private func calendar(_ told: ToldNotice, for message: OutgoingMessage) throws -> MailMessage.Calendar? {
        guard case .reserva(let notice) = told.notice, let state = told.booking, notice.reserva.dados.confirmadaEm != nil else {
            return nil
        }
        let invitation = ConviteDeCalendario(organizador: sender.address, participante: message.to, nome: message.name)
        let (method, name, status): (CalendarioICS.Metodo, String, EventoDeCalendario.Situacao)
        switch notice.fato {
        case .confirmada, .remarcada:
            let waits = notice.reserva.dados.devido != nil
            (method, name, status) = (.convite(invitation), "REQUEST", waits ? .provisorio : .confirmado)
        case .cancelada, .expirada, .naoComparecida: (method, name, status) = (.cancelamento(invitation), "CANCEL", .cancelado)
        case .aguardaAprovacao, .aDecidir, .aprovada, .naoAprovada, .oferecidaDaFila, .excedida: return nil
        }
        let (words, schedule) = (notice.reserva, notice.reserva.dados.horario)
        let event = EventoDeCalendario(
            reserva: words.dados.reserva,
            sequencia: state.version,
            situacao: status,
            intervalo: schedule.intervalo,
            fuso: schedule.fuso,
            titulo: words.espaco,
            lugar: "\(words.unidade), \(words.endereco)",
            alterado: state.changed
        )
        let zone = try zones.zone(schedule.fuso)
        return MailMessage.Calendar(
            method: name, text: CalendarioICS([event], metodo: method, zonas: [schedule.fuso: zone]).texto
        )
    }
}
