package import Domain
import FoundationEssentials
import Postgres

extension ReservasQueries {
    /// A series, nil where there is none.
    package func series(_ id: SerieID) async throws -> SeriesRecord? {
        try await pool.rows(
            PostgresStatement("select \(SeriesRecord.columns) from \(schema).reservas_series where id = $1", id.uuid),
            SeriesRecord.init(row:)
        ).first
    }

    /// The bookings of a series, in order of time: no more than a series may have.
    package func bookings(of series: SerieID) async throws -> [BookingRecord] {
        try await pool.rows(
            PostgresStatement(
                """
                select \(BookingRecord.columns) from \(schema).reservas_bookings
                 where series_id = $1 order by starts_at, id limit \(RegraDeRecorrencia.maximo)
                """,
                series.uuid
            ),
            BookingRecord.init(row:)
        )
    }

    /// Who comes along to a booking.
    package func guests(of booking: ReservaID) async throws -> [GuestRecord] {
        try await pool.rows(
            PostgresStatement("select name, email from \(schema).reservas_guests where booking_id = $1 order by number", booking.uuid),
            GuestRecord.init(row:)
        )
    }

    /// Places in lines, the newest first.
    package func waitlist(
        user: UsuarioID?,
        space: EspacoID?,
        status: WaitlistStatus?,
        limit: Int,
        after cursor: Cursor?
    ) async throws -> ResultPage<WaitlistRecord> {
        // Who waits is told how many are before them.
        let place = """
            case when w.status = 'waiting' then (
                select count(*) from \(schema).reservas_waitlist o
                 where o.space_id = w.space_id and o.day = w.day and o.line <= w.line and o.status = 'waiting'
                   and o.starts_at < w.ends_at and o.ends_at > w.starts_at) end as place
            """
        var select = SelectBuilder("select \(WaitlistRecord.columns), \(place) from \(schema).reservas_waitlist w")
        if let user { select.require("w.user_id = \(select.bind(user.uuid))") }
        if let space { select.require("w.space_id = \(select.bind(space.uuid))") }
        if let status { select.require("w.status = \(select.bind(status.rawValue))") }
        if let cursor {
            guard let line = Int64(cursor.key) else { throw InvalidCursor() }
            select.require("w.line < \(select.bind(line))")
        }
        let rows = try await pool.rows(select.page(orderBy: "w.line desc", limit: limit), WaitlistRecord.init(row:))
        return ResultPage(rows, limit: limit) { Cursor(key: String($0.line), id: $0.id.texto) }
    }
}
