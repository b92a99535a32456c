package import Domain
import Postgres

/// A series as it was last planned.
package struct SeriesRecord: Sendable, Equatable {
    package let id: SerieID
    package let user: UsuarioID
    package let space: EspacoID
    package let unit: UnidadeID
    package let zone: String
    package let rule: String
    package let minutes: Int
    package let seats: Int
    /// The bookings that were made, in the order of the rule, each with its place in it.
    package let planned: [OcorrenciaDaSerie]
    package let skipped: [OcorrenciaPulada]
    package let createdBy: UsuarioID
    package let createdAt: Instante

    static let columns = ReservasModel.series.columns.map(\.name).joined(separator: ", ")

    init(row: PostgresRow) throws {
        id = try row.id("id")
        user = try row.id("user_id")
        space = try row.id("space_id")
        unit = try row.id("unit_id")
        zone = try row.get("time_zone")
        rule = try row.get("rule")
        minutes = Int(try row.get("minutes", Int32.self))
        seats = Int(try row.get("seats", Int32.self))
        planned = try row.json("planned")
        skipped = try row.json("skipped")
        createdBy = try row.id("created_by")
        createdAt = try row.instant("created_at")
    }
}

/// A series and what became of its bookings.
package struct SeriesSummary: Sendable, Equatable {
    package let series: SeriesRecord
    /// How many were made.
    package let bookings: Int
    /// How many of them are pending or active.
    package let open: Int
    /// From the beginning of the first to the end of the last, whatever became of them; nil where none was made.
    package let span: Intervalo?

    init(row: PostgresRow) throws {
        series = try SeriesRecord(row: row)
        bookings = Int(try row.get("bookings", Int64.self))
        open = Int(try row.get("open", Int64.self))
        let (start, end): (Instante?, Instante?) = (try row.instant("first_start"), try row.instant("last_end"))
        span = if let start, let end { Intervalo(inicio: start, fim: end) } else { nil }
    }
}

/// Somebody's place in a line.
package struct WaitlistRecord: Sendable, Equatable {
    package let id: EsperaID
    package let user: UsuarioID
    package let space: EspacoID
    package let unit: UnidadeID
    /// The UTC day whose line it is.
    package let day: DataCivil
    package let zone: String
    package let span: Intervalo
    package let seats: Int
    package let status: WaitlistStatus
    package let joinedAt: Instante
    /// How many wait for an overlapping span of the same line, this one included; nil for one who waits no more.
    package let place: Int?
    package let booking: ReservaID?
    package let offerExpiresAt: Instante?
    package let closedAt: Instante?
    package let closeReason: String?
    package let line: Int64

    static let columns = ReservasModel.waitlist.columns.map { "w.\($0.name)" }.joined(separator: ", ")

    init(row: PostgresRow) throws {
        id = try row.id("id")
        user = try row.id("user_id")
        space = try row.id("space_id")
        unit = try row.id("unit_id")
        day = try row.day("day")
        zone = try row.get("time_zone")
        span = try row.interval("starts_at", "ends_at")
        seats = Int(try row.get("seats", Int32.self))
        status = try row.parsed("status") { WaitlistStatus(rawValue: $0) }
        joinedAt = try row.instant("joined_at")
        place = try row.get("place", Int64?.self).map { Int($0) }
        booking = try row.id("booking_id")
        offerExpiresAt = try row.instant("offer_expires_at")
        closedAt = try row.instant("closed_at")
        closeReason = try row.get("close_reason")
        line = try row.get("line")
    }
}

/// Somebody who comes along to a booking.
package struct GuestRecord: Sendable, Equatable {
    package let name: String
    package let email: String?

    init(row: PostgresRow) throws {
        name = try row.get("name")
        email = try row.get("email")
    }
}
