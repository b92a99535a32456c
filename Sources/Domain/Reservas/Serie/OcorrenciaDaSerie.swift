/// A booking of a series and its place in it.
package struct OcorrenciaDaSerie: Hashable, Sendable, Codable {
    /// Made from the series and `original`, so it never changes.
    package let reserva: ReservaID
    /// When it begins by the rule: what tells it from the others, whatever becomes of it.
    package let original: DataHoraLocal
    /// When it begins as the whole series was last planned.
    package let inicio: DataHoraLocal

    package init(reserva: ReservaID, original: DataHoraLocal, inicio: DataHoraLocal) {
        self.reserva = reserva
        self.original = original
        self.inicio = inicio
    }
}

/// An occurrence that was not done as the rest, and the rule that refused it.
package struct OcorrenciaPulada: Hashable, Sendable, Codable {
    package let original: DataHoraLocal
    /// `RecusaDeReservas.codigo`.
    package let codigo: String

    package init(original: DataHoraLocal, codigo: String) {
        self.original = original
        self.codigo = codigo
    }
}

/// Which occurrences a change of a series is for.
package enum AlcanceDaSerie: String, Sendable, Codable, CaseIterable {
    case esta
    case seguintes
    case todas
}

/// What becomes of a series when some of its occurrences cannot be booked.
package enum ConflitoNaSerie: Sendable {
    /// They are left out.
    case pular
    /// Nothing is booked at all.
    case recusar
}
