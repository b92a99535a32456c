package import Domain
import Postgres

/// A unit's local day as it was recorded when it closed.
package struct ClosingRecord: Sendable, Equatable {
    package let unit: UnidadeID
    package let day: DataCivil
    /// The first is 1; a later one corrects it.
    package let revision: Int
    package let timeZone: String
    package let spaces: [OcupacaoDoEspaco]
    package let closedAt: Instante

    init(row: PostgresRow) throws {
        unit = try row.id("unit_id")
        day = try row.day("day")
        revision = Int(try row.get("revision", Int32.self))
        timeZone = try row.get("time_zone")
        spaces = try row.json("spaces")
        closedAt = try row.instant("closed_at")
    }
}

extension AnalyticsQueries {
    /// The closed days of the range, the latest revision of each, by date. Of a space, only its own part.
    package func closings(_ range: AnalyticsRange) async throws -> [ClosingRecord] {
        try await pool.rows(closingsStatement(range), ClosingRecord.init(row:))
    }

    func closingsStatement(_ range: AnalyticsRange) -> PostgresStatement {
        PostgresStatement(
            """
            select unit_id, day, revision, time_zone, closed_at,
                   case when $4::uuid is null then spaces else
                       coalesce((select jsonb_agg(s) from jsonb_array_elements(spaces) s where s->>'espaco' = $4::text), '[]') end as spaces
              from \(schema).analytics_closings
             where day between $1 and $2 and ($3::uuid is null or unit_id = $3)
             order by day, unit_id
            """,
            PostgresDate(range.from),
            PostgresDate(range.to),
            range.unit?.uuid,
            range.space?.uuid
        )
    }
}
