import Domain
import HTTP

/// What would become of each occurrence of a series.
struct SeriesPreviewView: Encodable, Sendable {
    struct Occurrence: Encodable, Sendable {
        let startTime: String
        let endTime: String
        /// `free`, `conflict` where somebody else is in the way, or `refused` by a rule.
        let status: String
        let code: String?
        let detail: String?
        let totalPrice: Double?
        let totalPriceCents: Int64?
        /// Free times near it, where it is not free; only for the first few of those.
        let alternatives: [Problem.Alternative]?
    }

    let rrule: String
    let timezone: String
    let count: Int
    let free: Int
    /// Of all that are free.
    let totalPrice: Double
    let totalPriceCents: Int64
    let currency: String
    let occurrences: [Occurrence]
}

extension SeriesPreviewView.Occurrence {
    init(
        _ occurrence: OcorrenciaPrevista,
        _ span: Intervalo,
        _ zone: ZonaHoraria,
        _ language: Idioma,
        alternatives: [Intervalo]?
    ) {
        startTime = span.inicio.texto(em: zone)
        endTime = span.fim.texto(em: zone)
        let refusal = occurrence.recusa
        status =
            switch refusal {
            case nil: "free"
            case .conflito, .lugaresInsuficientes: "conflict"
            default: "refused"
            }
        code = refusal?.codigo
        detail = refusal?.frase(em: language)
        let total = occurrence.preparo?.cotacao.total
        totalPrice = total?.decimal
        totalPriceCents = total?.centavos
        self.alternatives = alternatives?.map {
            .init(startTime: $0.inicio.texto(em: zone), endTime: $0.fim.texto(em: zone))
        }
    }
}

/// A series as commands answer it: what was done to which occurrence.
struct SeriesView: Encodable, Sendable {
    struct Occurrence: Encodable, Sendable {
        let reservationId: String?
        /// When it begins by the rule, on the wall clock of the unit.
        let originalStart: String
        /// `booked`, `moved`, `cancelled` or `skipped`.
        let status: String
        /// Why it was skipped.
        let code: String?
    }

    let id: String
    let occurrences: [Occurrence]
    let done: Int
    let skipped: Int

    init(_ series: SerieID, _ done: [OcorrenciaDaSerie], _ what: String, skipped: [OcorrenciaPulada]) {
        id = series.texto
        let all =
            done.map { Occurrence(reservationId: $0.reserva.texto, originalStart: $0.original.texto, status: what, code: nil) }
            + skipped.map { Occurrence(reservationId: nil, originalStart: $0.original.texto, status: "skipped", code: $0.codigo) }
        occurrences = all.sorted { $0.originalStart < $1.originalStart }
        self.done = done.count
        self.skipped = skipped.count
    }
}
