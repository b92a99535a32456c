package import Domain
import FoundationEssentials
package import Postgres

/// What is asked of bookings. Who may see which is for the caller to know.
package struct ReservasQueries: Sendable {
    /// The read models that the queries read.
    package static let models: Set<String> = ["reservas"]

    let pool: PostgresPool
    let schema: String

    /// - Parameter pool: connections of a role that may read the schema.
    package init(pool: PostgresPool, schema: String = "read") {
        self.pool = pool
        self.schema = schema
    }

    /// A booking, nil where there is none.
    package func booking(_ id: ReservaID) async throws -> BookingRecord? {
        try await pool.rows(
            PostgresStatement("select \(BookingRecord.columns) from \(schema).reservas_bookings where id = $1", id.uuid),
            BookingRecord.init(row:)
        ).first
    }

    /// The bookings that pass the filter, the newest first.
    package func bookings(
        _ filter: BookingFilter = BookingFilter(),
        limit: Int,
        after cursor: Cursor? = nil
    ) async throws -> ResultPage<BookingRecord> {
        let bookings = try await pool.rows(try statement(filter, limit: limit, after: cursor), BookingRecord.init(row:))
        return ResultPage(bookings, limit: limit) { Cursor($0.createdAt, $0.id.uuid) }
    }

    func statement(_ filter: BookingFilter, limit: Int, after cursor: Cursor?) throws -> PostgresStatement {
        var select = SelectBuilder("select \(BookingRecord.columns) from \(schema).reservas_bookings")
        select.require(visibleTo: filter.viewer)
        if let user = filter.user { select.require("user_id = \(select.bind(user.uuid))") }
        if let space = filter.space { select.require("space_id = \(select.bind(space.uuid))") }
        if let unit = filter.unit { select.require("unit_id = \(select.bind(unit.uuid))") }
        if let status = filter.status { select.require("status = \(select.bind(status.rawValue))") }
        if let from = filter.from {
            // No booking is longer than the domain allows: the second condition says nothing new, but an index knows it.
            let longest = RegrasDeReserva.maiorDuracao.duracao
            select.require("ends_at > \(select.bind(PostgresTimestamp(from)))")
            select.require("starts_at > \(select.bind(PostgresTimestamp(from - longest)))")
        }
        if let to = filter.to { select.require("starts_at < \(select.bind(PostgresTimestamp(to)))") }
        if let cursor {
            let (time, id) = try cursor.instantAndID()
            select.require("(created_at, id) < (\(select.bind(PostgresTimestamp(time))), \(select.bind(id)))")
        }
        // Bookings of one time were mostly made at one time, which the planner does not know: going through all from the newest,
        // it would find those of a week long ago late. A week bounds what there is to sort.
        return select.page(orderBy: "created_at desc, id desc", limit: limit, filterFirst: filter.from != nil && filter.to != nil)
    }
}
