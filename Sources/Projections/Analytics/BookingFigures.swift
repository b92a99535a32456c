package import Domain
import Postgres

/// What was counted of bookings that begin in a stretch of days, and of the time that bookings take up in it. A booking *stands*
/// when it is active or completed.
package struct BookingFigures: Sendable, Equatable {
    package internal(set) var pending: Int64 = 0
    package internal(set) var active: Int64 = 0
    package internal(set) var completed: Int64 = 0
    package internal(set) var cancelled: Int64 = 0
    package internal(set) var expired: Int64 = 0
    /// Nobody came.
    package internal(set) var noShows: Int64 = 0
    /// Somebody checked in.
    package internal(set) var attended: Int64 = 0
    /// What the bookings that stand were priced at, and what is kept of those that were missed; whether paid or not.
    package internal(set) var booked: Dinheiro = .zero
    /// The lengths of the bookings that stand, in seconds.
    package internal(set) var sessionSeconds: Int64 = 0
    /// From asking to beginning, summed over the bookings that stand, in seconds.
    package internal(set) var leadSeconds: Int64 = 0
    /// Time that bookings that stand take up within the days, times their seats, in seconds. Buffers are not in it. A booking
    /// over midnight is split, so this may belong to a booking that began a day before.
    package internal(set) var occupiedSeconds: Int64 = 0

    package init() {}

    package var standing: Int64 { active + completed }

    private var decided: Int64 { standing + cancelled + expired + noShows }

    /// Of the bookings that were decided (all but the pending), the part that was given up; nil where none was.
    package var cancellationRate: Double? { ratio(cancelled, of: decided) }

    /// Of the bookings that were decided, the part whose hold ran out; nil where none was.
    package var expiryRate: Double? { ratio(expired, of: decided) }

    /// Of the bookings that were neither given up nor ran out, the part that nobody came to; nil where none was.
    package var noShowRate: Double? { ratio(noShows, of: standing + noShows) }

    /// Nil where no booking stands.
    package var averageSessionMinutes: Double? { ratio(sessionSeconds, of: standing).map { $0 / 60 } }

    /// Nil where no booking stands.
    package var averageLeadMinutes: Double? { ratio(leadSeconds, of: standing).map { $0 / 60 } }

    /// A row of `AnalyticsQueries.bookingColumns`.
    mutating func take(bookings row: PostgresRow) throws {
        pending = try row.get("pending", Int64.self)
        active = try row.get("active", Int64.self)
        completed = try row.get("completed", Int64.self)
        cancelled = try row.get("cancelled", Int64.self)
        expired = try row.get("expired", Int64.self)
        noShows = try row.get("no_shows", Int64.self)
        attended = try row.get("attended", Int64.self)
        booked = Dinheiro(centavos: try row.get("booked_cents", Int64.self))
        sessionSeconds = try row.get("session_seconds", Int64.self)
        leadSeconds = try row.get("lead_seconds", Int64.self)
    }
}

/// Nil where there is nothing to be a part of.
func ratio(_ part: Int64, of whole: Int64) -> Double? {
    whole > 0 ? Double(part) / Double(whole) : nil
}
