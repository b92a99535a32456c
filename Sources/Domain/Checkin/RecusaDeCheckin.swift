/// The rules of `checkin` that say no.
package enum RecusaDeCheckin: Recusa {
    case reservaNaoEncontrada
    case soEquipe
    /// Holds its slot unpaid.
    case naoConfirmada
    /// Expired or cancelled.
    case encerrada
    /// Check-in opens at this local time.
    case cedo(abre: DataHoraLocal)
    /// The booking ended at this local time.
    case tarde(fim: DataHoraLocal)
    case naoCompareceu
    /// Nobody came in, so nobody can leave.
    case semEntrada
    case jaSaiu
    case codigoInvalido
    case codigoVencido
    /// It was shown on the way in.
    case codigoUsado
    case valorForaDosLimites
    /// No display of the space.
    case painelNaoEncontrado

    package var codigo: String {
        switch self {
        case .reservaNaoEncontrada: "reservation_not_found"
        case .soEquipe: "staff_only"
        case .naoConfirmada: "not_confirmed"
        case .encerrada: "reservation_closed"
        case .cedo: "too_early"
        case .tarde: "too_late"
        case .naoCompareceu: "no_show"
        case .semEntrada: "not_checked_in"
        case .jaSaiu: "already_checked_out"
        case .codigoInvalido: "invalid_code"
        case .codigoVencido: "code_expired"
        case .codigoUsado: "code_used"
        case .valorForaDosLimites: "amount_out_of_range"
        case .painelNaoEncontrado: "display_not_found"
        }
    }

    package var especie: EspecieDeRecusa {
        switch self {
        case .reservaNaoEncontrada, .painelNaoEncontrado: .naoEncontrado
        case .soEquipe: .proibido
        case .naoConfirmada, .encerrada, .jaSaiu, .codigoUsado: .conflito
        case .cedo, .tarde, .naoCompareceu, .semEntrada, .codigoInvalido, .codigoVencido: .inoportuno
        case .valorForaDosLimites: .regra
        }
    }

    package func frase(em idioma: Idioma) -> String {
        switch self {
        case .painelNaoEncontrado: idioma.escolher("Painel não encontrado neste espaço.", "Display not found at this space.")
        case .reservaNaoEncontrada: idioma.escolher("Reserva não encontrada.", "Reservation not found.")
        case .soEquipe: idioma.escolher("Só a equipe pode fazer isto.", "Only staff may do this.")
        case .naoConfirmada: idioma.escolher("A reserva ainda não foi confirmada.", "The booking is not confirmed yet.")
        case .encerrada: idioma.escolher("A reserva já está encerrada.", "The booking is already closed.")
        case .cedo(let abre):
            idioma.escolher(
                "Ainda é cedo: a entrada abre em \(abre.data) às \(abre.hora).",
                "It is too early: check-in opens on \(abre.data) at \(abre.hora)."
            )
        case .tarde(let fim):
            idioma.escolher(
                "Já é tarde: a reserva terminou em \(fim.data) às \(fim.hora).",
                "It is too late: the booking ended on \(fim.data) at \(fim.hora)."
            )
        case .naoCompareceu:
            idioma.escolher(
                "Já é tarde: ninguém chegou no prazo e o horário foi liberado.",
                "It is too late: nobody came in time and the slot was given up."
            )
        case .semEntrada: idioma.escolher("Ainda não houve entrada nesta reserva.", "Nobody has checked in to this booking yet.")
        case .jaSaiu: idioma.escolher("A saída desta reserva já foi registrada.", "This booking was already checked out of.")
        case .codigoInvalido: idioma.escolher("Este código não é válido.", "This code is not valid.")
        case .codigoVencido: idioma.escolher("Este código venceu: peça um novo.", "This code has expired: ask for a new one.")
        case .codigoUsado: idioma.escolher("Este código já foi usado na entrada.", "This code was already used on the way in.")
        case .valorForaDosLimites: idioma.escolher("O valor está fora dos limites.", "The amount is out of range.")
        }
    }
}
