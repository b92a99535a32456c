package import Domain
package import Postgres

/// What is asked of presence. Who may ask is for the caller to know.
package struct PresencasQueries: Sendable {
    /// The read models that the queries read.
    package static let models: Set<String> = ["presencas", "reservas", "contas", "catalogo"]

    private let pool: PostgresPool
    private let schema: String

    /// - Parameter pool: connections of a role that may read the schema.
    package init(pool: PostgresPool, schema: String = "read") {
        self.pool = pool
        self.schema = schema
    }

    /// Who is in a unit, and who is expected until `horizon`, those that should have come already included; by time.
    package func floor(of unit: UnidadeID, at now: Instante, until horizon: Instante, limit: Int) async throws -> [VisitRecord] {
        try await pool.rows(floorStatement(of: unit, at: now, until: horizon, limit: limit), VisitRecord.init(row:))
    }

    /// The bookings of a space that fall into an interval and stand, were missed, or were over early; by time.
    package func day(of space: EspacoID, during interval: Intervalo) async throws -> [VisitRecord] {
        try await pool.rows(dayStatement(of: space, during: interval), VisitRecord.init(row:))
    }

    /// The displays of a space that may show its day, or might when they were taken back, the newest first; those whose time is over are
    /// left out. Bounded: nobody sets hundreds up.
    package func displays(of space: EspacoID, at now: Instante) async throws -> [DisplayRecord] {
        try await pool.rows(
            PostgresStatement(
                """
                select id, space_id, created_by, created_at, expires_at, revoked_at from \(schema).presencas_displays
                 where space_id = $1 and expires_at > $2 order by created_at desc, id desc limit 200
                """,
                space.uuid,
                PostgresTimestamp(now)
            ),
            DisplayRecord.init(row:)
        )
    }

    /// Whether a display was taken back. One that is not known yet was not.
    package func isRevoked(_ display: CodigoID) async throws -> Bool {
        try await pool.rows(
            PostgresStatement(
                "select revoked_at is not null as revoked from \(schema).presencas_displays where id = $1", display.uuid
            )
        ) { row in try row.get("revoked", Bool.self) }.first ?? false
    }

    func floorStatement(of unit: UnidadeID, at now: Instante, until horizon: Instante, limit: Int) -> PostgresStatement {
        // No booking is longer than the domain allows: an index knows where to begin.
        let longest = RegrasDeReserva.maiorDuracao.duracao
        return PostgresStatement(
            """
            \(VisitRecord.select(schema: schema))
             where b.id in (
                   select booking_id from \(schema).presencas_visits
                    where unit_id = $1 and checked_in_at is not null and checked_out_at is null
                   union all
                   select e.id from \(schema).reservas_bookings e
                    where e.unit_id = $1 and e.status = 'active' and e.starts_at > $2 and e.starts_at < $4 and e.ends_at > $3
                      and not exists (select from \(schema).presencas_visits p where p.booking_id = e.id))
             order by b.starts_at, b.id
             limit $5
            """,
            unit.uuid,
            PostgresTimestamp(now - longest),
            PostgresTimestamp(now),
            PostgresTimestamp(horizon),
            Int64(limit)
        )
    }

    func dayStatement(of space: EspacoID, during interval: Intervalo) -> PostgresStatement {
        PostgresStatement(
            """
            \(VisitRecord.select(schema: schema))
             where b.space_id = $1 and b.starts_at > $2 and b.starts_at < $4 and b.ends_at > $3
               and b.status in ('active', 'completed', 'no_show')
             order by b.starts_at, b.id
             limit 500
            """,
            space.uuid,
            PostgresTimestamp(interval.inicio - RegrasDeReserva.maiorDuracao.duracao),
            PostgresTimestamp(interval.inicio),
            PostgresTimestamp(interval.fim)
        )
    }
}
