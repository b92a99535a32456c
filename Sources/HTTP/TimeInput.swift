package import Domain
import HTTPTypes

/// Times as clients write them.
package enum TimeInput {
    /// An instant with an offset (RFC 3339), or a local time without one, read on the wall clock of `zone`.
    ///
    /// - Throws: 400 for a text that is no time; 422 for a local time that the clocks of the zone jump over. Of a local
    ///   time that happens twice the first is meant.
    package static func instant(_ text: String, field: String, zone: ZonaHoraria) throws(Problem) -> Instante {
        if let instant = Instante(text) { return instant }
        guard let local = DataHoraLocal(text) else {
            throw .invalid(field: field, "must be a time such as 2026-03-01T09:00:00-03:00, or a local time 2026-03-01T09:00")
        }
        switch zone.instantes(de: local) {
        case .unica(let instant), .ambigua(let instant, _): return instant
        case .inexistente(_, let next, _):
            throw Problem(
                .unprocessableContent,
                code: "nonexistent_local_time",
                portuguese: "Em \(local.texto) os relógios de \(zone.nome) são adiantados: a hora seguinte que existe é \(next.texto).",
                english: "At \(local.texto) the clocks of \(zone.nome) are set forward: the next time there is \(next.texto)."
            )
        }
    }

    package static func date(_ text: String, field: String) throws(Problem) -> DataCivil {
        guard let date = DataCivil(text) else { throw .invalid(field: field, "must be a date such as 2026-03-01") }
        return date
    }
}
