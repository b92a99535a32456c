/// A booking as a calendar shows it.
package struct EventoDeCalendario: Hashable, Sendable {
    package enum Situacao: String, Sendable {
        case provisorio = "TENTATIVE"
        case confirmado = "CONFIRMED"
        case cancelado = "CANCELLED"
    }

    package let reserva: ReservaID
    /// Grows with every change of the booking.
    package let sequencia: Int
    package let situacao: Situacao
    package let intervalo: Intervalo
    /// IANA name of the zone it is shown in.
    package let fuso: String
    package let titulo: String
    package let lugar: String
    /// When the booking last changed.
    package let alterado: Instante

    package init(
        reserva: ReservaID,
        sequencia: Int,
        situacao: Situacao,
        intervalo: Intervalo,
        fuso: String,
        titulo: String,
        lugar: String,
        alterado: Instante
    ) {
        self.reserva = reserva
        self.sequencia = sequencia
        self.situacao = situacao
        self.intervalo = intervalo
        self.fuso = fuso
        self.titulo = titulo
        self.lugar = lugar
        self.alterado = alterado
    }

    /// The same for one booking for ever, whatever becomes of it.
    var uid: String { "\(reserva.texto)@coworkflow" }
}

/// Who invites whom (RFC 5546). Addresses are plain `local@domain`.
package struct ConviteDeCalendario: Hashable, Sendable {
    package let organizador: String
    package let participante: String
    package let nome: String

    package init(organizador: String, participante: String, nome: String) {
        self.organizador = organizador
        self.participante = participante
        self.nome = nome
    }
}
