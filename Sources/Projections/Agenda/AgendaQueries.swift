package import Domain
import FoundationEssentials
package import Postgres

/// What is asked of the agenda.
package struct AgendaQueries: Sendable {
    /// The read models that the queries read.
    package static let models: Set<String> = ["agenda"]

    private let pool: PostgresPool
    private let schema: String

    /// - Parameter pool: connections of a role that may read the schema.
    package init(pool: PostgresPool, schema: String = "read") {
        self.pool = pool
        self.schema = schema
    }

    /// When seats of these spaces are taken within an interval, buffers included; by space, then by time. What reaches
    /// over the interval's ends is told with its whole length.
    package func busy(_ spaces: [EspacoID], during interval: Intervalo) async throws -> [BusyRecord] {
        try await pool.rows(busyStatement(spaces, during: interval), BusyRecord.init(row:))
    }

    /// The agenda days of each space, as the domain looks for free slots in them.
    ///
    /// - Parameter days: for each space the UTC days wanted, as `Vagas.diasDaAgenda` names them.
    package func agendas(_ days: [EspacoID: [DataCivil]]) async throws -> [EspacoID: Agendas] {
        let wanted = days.flatMap { space, days in days.map { (space: space, day: $0) } }
        let rows = try await pool.rows(daysStatement(wanted)) { row in
            HorarioOcupado(
                espaco: try row.id("space_id"),
                dia: try row.day("day"),
                reserva: try row.id("booking_id"),
                intervalo: try row.interval("starts_at", "ends_at"),
                lugares: Int(try row.get("seats", Int32.self)),
                // Agendas do not remember when they were written.
                em: try row.instant("starts_at")
            )
        }
        var agendas = days.mapValues { days in Dictionary(days.map { ($0, Agenda.inicial) }) { first, _ in first } }
        for row in rows {
            let agenda = agendas[row.espaco]?[row.dia] ?? .inicial
            agendas[row.espaco]?[row.dia] = agenda.evoluindo(com: .horarioOcupado(row))
        }
        return agendas.mapValues { Agendas($0) }
    }

    /// A booking over several days is told once, on the first of them that is asked for.
    func busyStatement(_ spaces: [EspacoID], during interval: Intervalo) -> PostgresStatement {
        let days = interval.diasUTC
        let first = PostgresDate(days.first ?? interval.inicio.diaUTC)
        let last = PostgresDate(days.last ?? interval.inicio.diaUTC)
        return PostgresStatement(
            """
            select o.space_id, o.booking_id, o.starts_at, o.ends_at, o.seats, b.starts_at as booked_from, b.ends_at as booked_to
              from \(schema).agenda_occupied o
              left join \(schema).agenda_bookings b on b.id = o.booking_id
             where o.space_id = any($1) and o.day between $2 and $3
               and o.day = greatest($2, (o.starts_at at time zone 'UTC')::date)
               and o.starts_at < $5 and o.ends_at > $4
             order by o.space_id, o.starts_at, o.booking_id
            """,
            PostgresArray(spaces.map(\.uuid)),
            first,
            last,
            PostgresTimestamp(interval.inicio),
            PostgresTimestamp(interval.fim)
        )
    }

    func daysStatement(_ wanted: [(space: EspacoID, day: DataCivil)]) -> PostgresStatement {
        PostgresStatement(
            """
            select o.space_id, o.day, o.booking_id, o.starts_at, o.ends_at, o.seats
              from unnest($1, $2) as wanted(space_id, day)
              join \(schema).agenda_occupied o on o.space_id = wanted.space_id and o.day = wanted.day
            """,
            PostgresArray(wanted.map(\.space.uuid)),
            PostgresArray(wanted.map { PostgresDate($0.day) })
        )
    }
}
