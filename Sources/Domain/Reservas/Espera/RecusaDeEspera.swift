/// The rules of the waitlist that say no.
package enum RecusaDeEspera: Recusa {
    /// There is nothing to wait for: the span can be booked.
    case livre
    /// They wait for an overlapping span already.
    case jaEspera
    /// As many wait as may.
    case cheia
    /// Nobody waits for more than a day.
    case longa
    case naoEncontrada
    /// The wait is over.
    case encerrada

    package var codigo: String {
        switch self {
        case .livre: "slot_free"
        case .jaEspera: "already_waiting"
        case .cheia: "waitlist_full"
        case .longa: "waitlist_span_too_long"
        case .naoEncontrada: "waitlist_entry_not_found"
        case .encerrada: "waitlist_entry_closed"
        }
    }

    package var especie: EspecieDeRecusa {
        switch self {
        case .livre, .jaEspera, .cheia, .encerrada: .conflito
        case .longa: .regra
        case .naoEncontrada: .naoEncontrado
        }
    }

    package func frase(em idioma: Idioma) -> String {
        switch self {
        case .livre: idioma.escolher("Este horário está livre: pode ser reservado.", "This time is free: it can be booked.")
        case .jaEspera:
            idioma.escolher("Você já está na fila para este horário.", "You are in line for this time already.")
        case .cheia: idioma.escolher("A fila de espera deste dia está cheia.", "The waitlist of this day is full.")
        case .longa: idioma.escolher("A fila de espera é para até 24 horas.", "The waitlist is for 24 hours at most.")
        case .naoEncontrada: idioma.escolher("Inscrição na fila de espera não encontrada.", "Waitlist entry not found.")
        case .encerrada: idioma.escolher("A espera já terminou.", "The wait is already over.")
        }
    }
}
