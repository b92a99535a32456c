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

    /// Series, the newest first, each with what became of its bookings.
    ///
    /// - Parameter viewer: who asks; nil where everything may be seen.
    package func series(
        visibleTo viewer: Ator?,
        user: UsuarioID?,
        space: EspacoID?,
        limit: Int,
        after cursor: Cursor?
    ) async throws -> ResultPage<SeriesSummary> {
        let statement = try seriesStatement(visibleTo: viewer, user: user, space: space, limit: limit, after: cursor)
        let rows = try await pool.rows(statement, SeriesSummary.init(row:))
        return ResultPage(rows, limit: limit) { Cursor($0.series.createdAt, $0.series.id.uuid) }
    }

    func seriesStatement(
        visibleTo viewer: Ator?,
        user: UsuarioID?,
        space: EspacoID?,
        limit: Int,
        after cursor: Cursor?
    ) throws -> PostgresStatement {
        var select = SelectBuilder(
            """
            select \(SeriesRecord.columns), b.bookings, b.open, b.first_start, b.last_end
              from \(schema).reservas_series
             cross join lateral (
                   select count(*) as bookings, count(*) filter (where status in ('pending', 'active')) as open,
                          min(starts_at) as first_start, max(ends_at) as last_end
                     from \(schema).reservas_bookings where series_id = reservas_series.id) b
            """
        )
        select.require(visibleTo: viewer)
        if let user { select.require("user_id = \(select.bind(user.uuid))") }
        if let space { select.require("space_id = \(select.bind(space.uuid))") }
        if let cursor {
            let (time, id) = try cursor.instantAndID()
            select.require("(created_at, id) < (\(select.bind(PostgresTimestamp(time))), \(select.bind(id)))")
        }
        return select.page(orderBy: "created_at desc, id desc", limit: limit)
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
    ///
    /// - Parameter viewer: who asks; nil where everything may be seen.
    package func waitlist(
        visibleTo viewer: Ator?,
        user: UsuarioID?,
        space: EspacoID?,
        status: WaitlistStatus?,
        limit: Int,
        after cursor: Cursor?
    ) async throws -> ResultPage<WaitlistRecord> {
        let statement = try waitlistStatement(
            visibleTo: viewer, user: user, space: space, status: status, limit: limit, after: cursor
        )
        let rows = try await pool.rows(statement, WaitlistRecord.init(row:))
        return ResultPage(rows, limit: limit) { Cursor(key: String($0.line), id: $0.id.texto) }
    }

    func waitlistStatement(
        visibleTo viewer: Ator?,
        user: UsuarioID?,
        space: EspacoID?,
        status: WaitlistStatus?,
        limit: Int,
        after cursor: Cursor?
    ) throws -> PostgresStatement {
        // Who waits is told how many are before them.
        let place = """
            case when w.status = 'waiting' then (
                select count(*) from \(schema).reservas_waitlist o
                 where o.space_id = w.space_id and o.day = w.day and o.line <= w.line and o.status = 'waiting'
                   and o.starts_at < w.ends_at and o.ends_at > w.starts_at) end as place
            """
        var select = SelectBuilder("select \(WaitlistRecord.columns), \(place) from \(schema).reservas_waitlist w")
        select.require(visibleTo: viewer, in: "w")
        if let user { select.require("w.user_id = \(select.bind(user.uuid))") }
        if let space { select.require("w.space_id = \(select.bind(space.uuid))") }
        if let status { select.require("w.status = \(select.bind(status.rawValue))") }
        if let cursor {
            guard let line = Int64(cursor.key) else { throw InvalidCursor() }
            select.require("w.line < \(select.bind(line))")
        }
        return select.page(orderBy: "w.line desc", limit: limit)
    }
}
