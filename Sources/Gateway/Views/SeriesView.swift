import Domain
import Projections

/// A series and what became of its occurrences.
struct SeriesView: Encodable, Sendable {
    struct Occurrence: Encodable, Sendable {
        let reservationId: String
        /// When it begins by the rule, on the wall clock of the unit.
        let originalStart: String
        let startTime: String
        let endTime: String
        let status: String
        let totalPriceCents: Int64
    }

    struct Skipped: Encodable, Sendable {
        let originalStart: String
        let code: String
    }

    let id: String
    let userId: String
    let spaceId: String
    let unitId: String
    let rrule: String
    let timezone: String
    let durationMinutes: Int
    let seats: Int
    let createdBy: String
    let createdAt: String
    let occurrences: [Occurrence]
    /// What could not be booked when the series was made.
    let skipped: [Skipped]

    init(_ series: SeriesRecord, _ bookings: [BookingRecord], zone: ZonaHoraria) {
        id = series.id.texto
        userId = series.user.texto
        spaceId = series.space.texto
        unitId = series.unit.texto
        rrule = series.rule
        timezone = series.zone
        durationMinutes = series.minutes
        seats = series.seats
        createdBy = series.createdBy.texto
        createdAt = series.createdAt.texto(em: zone)
        let originals = Dictionary(series.planned.map { ($0.reserva, $0.original) }) { first, _ in first }
        occurrences = bookings.compactMap { booking in
            originals[booking.id].map { original in
                Occurrence(
                    reservationId: booking.id.texto,
                    originalStart: original.texto,
                    startTime: booking.schedule.intervalo.inicio.texto(em: zone),
                    endTime: booking.schedule.intervalo.fim.texto(em: zone),
                    status: booking.status.rawValue,
                    totalPriceCents: booking.quote.total.centavos
                )
            }
        }
        skipped = series.skipped.map { Skipped(originalStart: $0.original.texto, code: $0.codigo) }
    }
}

/// A series in a list.
struct SeriesSummaryView: Encodable, Sendable {
    let id: String
    let userId: String
    let spaceId: String
    let unitId: String
    let rrule: String
    let timezone: String
    let durationMinutes: Int
    let seats: Int
    let createdBy: String
    let createdAt: String
    /// How many bookings were made.
    let occurrenceCount: Int
    /// How many of them are pending or active.
    let openCount: Int
    /// How many could not be booked when the series was made.
    let skippedCount: Int
    let firstStart: String?
    let lastEnd: String?

    init(_ summary: SeriesSummary, zone: ZonaHoraria) {
        let series = summary.series
        id = series.id.texto
        userId = series.user.texto
        spaceId = series.space.texto
        unitId = series.unit.texto
        rrule = series.rule
        timezone = series.zone
        durationMinutes = series.minutes
        seats = series.seats
        createdBy = series.createdBy.texto
        createdAt = series.createdAt.texto(em: zone)
        occurrenceCount = summary.bookings
        openCount = summary.open
        skippedCount = series.skipped.count
        firstStart = summary.span?.inicio.texto(em: zone)
        lastEnd = summary.span?.fim.texto(em: zone)
    }
}
