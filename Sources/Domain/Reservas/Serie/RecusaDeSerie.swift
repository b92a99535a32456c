/// The rules of series that say no.
package enum RecusaDeSerie: Recusa {
    /// A part of the RRULE, by its name, is missing, wrong, or not of those that bookings know.
    case regraInvalida(parte: String)
    /// More occurrences, or farther ones, than a series may have.
    case longa(maximo: Int)
    /// The rule has no occurrence at all.
    case vazia
    case naoEncontrada
    /// The booking is no occurrence of the series that could be changed any more.
    case ocorrenciaNaoEncontrada
    /// All or nothing was wanted, and so many occurrences cannot be had; the first of them, and why.
    case comConflitos(quantas: Int, primeira: DataHoraLocal, codigo: String)
    /// No occurrence at all can be had; why not the first.
    case nenhuma(codigo: String)

    package var codigo: String {
        switch self {
        case .regraInvalida: "invalid_recurrence"
        case .longa: "recurrence_too_long"
        case .vazia: "recurrence_empty"
        case .naoEncontrada: "series_not_found"
        case .ocorrenciaNaoEncontrada: "occurrence_not_found"
        case .comConflitos: "series_conflicts"
        case .nenhuma: "series_impossible"
        }
    }

    package var especie: EspecieDeRecusa {
        switch self {
        case .regraInvalida, .longa, .vazia: .regra
        case .naoEncontrada, .ocorrenciaNaoEncontrada: .naoEncontrado
        case .comConflitos, .nenhuma: .conflito
        }
    }

    package func frase(em idioma: Idioma) -> String {
        switch self {
        case .regraInvalida(let parte):
            idioma.escolher("A regra de repetição não vale: veja \(parte).", "The recurrence rule is not valid: see \(parte).")
        case .longa(let maximo):
            idioma.escolher(
                "Uma série tem no máximo \(maximo) ocorrências, em até cinco anos.",
                "A series has \(maximo) occurrences at most, within five years."
            )
        case .vazia: idioma.escolher("A regra de repetição não dá nenhuma data.", "The recurrence rule gives no date.")
        case .naoEncontrada: idioma.escolher("Série não encontrada.", "Series not found.")
        case .ocorrenciaNaoEncontrada:
            idioma.escolher("Esta ocorrência da série não pode mais mudar.", "This occurrence of the series cannot change any more.")
        case .comConflitos(let quantas, let primeira, let codigo):
            idioma.escolher(
                "Ocorrências que não podem ser reservadas: \(quantas); a primeira em \(primeira.data) \(primeira.hora) (\(codigo)).",
                "Occurrences that cannot be booked: \(quantas); the first on \(primeira.data) \(primeira.hora) (\(codigo))."
            )
        case .nenhuma(let codigo):
            idioma.escolher("Nenhuma ocorrência pode ser reservada (\(codigo)).", "No occurrence can be booked (\(codigo)).")
        }
    }
}
