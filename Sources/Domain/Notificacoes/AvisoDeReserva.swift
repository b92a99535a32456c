/// What somebody is told of a booking: in a line, in a sentence, and in words for a longer text.
package struct AvisoDeReserva: Hashable, Sendable {
    package let aviso: TipoDeAviso
    package let reserva: DadosDaReserva
    package let espaco: String
    package let unidade: String
    package let endereco: String

    package init(aviso: TipoDeAviso, reserva: DadosDaReserva, espaco: String, unidade: String, endereco: String) {
        self.aviso = aviso
        self.reserva = reserva
        self.espaco = espaco
        self.unidade = unidade
        self.endereco = endereco
    }

    /// What has happened.
    package func acontecimento(em idioma: Idioma) -> String {
        switch aviso {
        case .reservaConfirmada: idioma.escolher("Reserva confirmada", "Booking confirmed")
        case .reservaCancelada: idioma.escolher("Reserva cancelada", "Booking cancelled")
        case .reservaExpirada: idioma.escolher("Reserva expirada", "Booking expired")
        case .reservaRemarcada: idioma.escolher("Reserva remarcada", "Booking moved")
        case .mensagem: idioma.escolher("Mensagem", "Message")
        }
    }

    package func titulo(em idioma: Idioma) -> String { "\(acontecimento(em: idioma)): \(espaco), \(quando(em: idioma))" }

    package func texto(em idioma: Idioma) -> String {
        let (quando, lugar) = (quando(em: idioma), "\(espaco) (\(unidade))")
        switch aviso {
        case .reservaConfirmada:
            return idioma.escolher(
                "Sua reserva de \(lugar) para \(quando) está confirmada.", "Your booking of \(lugar) for \(quando) is confirmed."
            )
        case .reservaCancelada:
            return idioma.escolher(
                "Sua reserva de \(lugar) para \(quando) foi cancelada.", "Your booking of \(lugar) for \(quando) was cancelled."
            )
        case .reservaExpirada:
            return idioma.escolher(
                "O prazo para confirmar a reserva de \(lugar) para \(quando) acabou, e o horário foi liberado.",
                "The time to confirm the booking of \(lugar) for \(quando) has run out, and the slot is free again."
            )
        case .reservaRemarcada:
            return idioma.escolher(
                "Sua reserva de \(lugar) mudou para \(quando).", "Your booking of \(lugar) was moved to \(quando)."
            )
        case .mensagem:
            return lugar
        }
    }

    /// Date and time on the unit's wall clock; the second date only where it is another.
    package func quando(em idioma: Idioma) -> String {
        let (inicio, fim) = (reserva.horario.inicioLocal, reserva.horario.fimLocal)
        let ate = inicio.data == fim.data ? fim.hora.texto : "\(fim.data.extenso(em: idioma)), \(fim.hora)"
        return "\(inicio.data.extenso(em: idioma)), \(inicio.hora)–\(ate)"
    }
}

extension DataCivil {
    private static let meses = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]

    /// `24/11/2026`, or `24 Nov 2026`.
    func extenso(em idioma: Idioma) -> String {
        let partes = texto.split(separator: "-")
        return idioma.escolher(partes.reversed().joined(separator: "/"), "\(dia) \(Self.meses[mes - 1]) \(partes[0])")
    }
}
