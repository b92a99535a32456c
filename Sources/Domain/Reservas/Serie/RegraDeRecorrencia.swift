/// By which rule the occurrences of a series follow each other: the part of RFC 5545's RRULE that bookings need. Daily, weekly with
/// weekdays, and monthly by days of the month or weekdays of it, every so many days, weeks or months, so often or until a moment.
///
/// Stored and shown as the RRULE that it is, in a canonical order of its parts.
package struct RegraDeRecorrencia: Hashable, Sendable {
    package enum Frequencia: String, Sendable {
        case diaria = "DAILY"
        case semanal = "WEEKLY"
        case mensal = "MONTHLY"
    }

    /// A weekday, of a month the n-th (`2TU`) or the n-th from its end (`-1FR`), or all of them.
    package struct Dia: Hashable, Sendable {
        /// Of the weekday in its month, from 1 to 5 or from -5 to -1.
        package let ordinal: Int?
        package let dia: DiaDaSemana

        package init(_ dia: DiaDaSemana, ordinal: Int? = nil) {
            self.dia = dia
            self.ordinal = ordinal
        }
    }

    /// When a series ends. The moments named are still part of it.
    package enum Termino: Hashable, Sendable {
        case vezes(Int)
        /// The last local date.
        case ateData(DataCivil)
        /// The last beginning, on the wall clock of the unit.
        case ateLocal(DataHoraLocal)
        /// The last beginning.
        case ate(Instante)
    }

    /// The most occurrences that a series has.
    package static let maximo = 366
    /// How many days after its first occurrence a series may still have others.
    package static let alcance = 5 * 366

    package let frequencia: Frequencia
    /// Every so many days, weeks or months, 1 to 366.
    package let intervalo: Int
    package let termino: Termino
    /// Days of the month, from 1 to 31 or, counted from its end, from -31 to -1. Empty where they do not matter.
    package let diasDoMes: [Int]
    /// Empty where they do not matter.
    package let dias: [Dia]
    /// On which day weeks begin, which matters where only every other one counts.
    package let inicioDaSemana: DiaDaSemana

    /// - Throws: `RecusaDeSerie.regraInvalida` for what RFC 5545 does not allow or this subset does not have, `longa` for more
    ///   occurrences than `maximo`.
    package init(
        _ frequencia: Frequencia,
        intervalo: Int = 1,
        termino: Termino,
        diasDoMes: [Int] = [],
        dias: [Dia] = [],
        inicioDaSemana: DiaDaSemana = .segunda
    ) throws(RecusaDeSerie) {
        guard (1...366).contains(intervalo) else { throw .regraInvalida(parte: "INTERVAL") }
        if case .vezes(let vezes) = termino {
            guard vezes >= 1 else { throw .regraInvalida(parte: "COUNT") }
            guard vezes <= Self.maximo else { throw .longa(maximo: Self.maximo) }
        }
        guard diasDoMes.allSatisfy({ (1...31).contains(abs($0)) }), diasDoMes.isEmpty || frequencia != .semanal else {
            throw .regraInvalida(parte: "BYMONTHDAY")
        }
        guard dias.allSatisfy({ $0.ordinal.map { (1...5).contains(abs($0)) && frequencia == .mensal } ?? true }) else {
            throw .regraInvalida(parte: "BYDAY")
        }
        self.frequencia = frequencia
        self.intervalo = intervalo
        self.termino = termino
        self.diasDoMes = diasDoMes
        self.dias = dias
        self.inicioDaSemana = inicioDaSemana
    }
}
