package import Domain
import FoundationEssentials
package import Postgres

/// What is asked of the catalogue.
package struct CatalogoQueries: Sendable {
    /// The read models that the queries read; the search for free spaces reads more.
    package static let models: Set<String> = ["catalogo"]

    /// The read models that `spaces` reads with a filter.
    package static func models(for filter: SpaceFilter) -> Set<String> {
        filter.free == nil ? models : models.union(AgendaQueries.models)
    }

    private let pool: PostgresPool
    private let schema: String

    /// - Parameter pool: connections of a role that may read the schema.
    package init(pool: PostgresPool, schema: String = "read") {
        self.pool = pool
        self.schema = schema
    }

    /// Every unit, by name.
    package func units() async throws -> [UnitRecord] {
        try await pool.rows(
            PostgresStatement("select \(UnitRecord.columns) from \(schema).catalogo_units order by name, id"),
            UnitRecord.init(row:)
        )
    }

    /// A unit, nil where there is none.
    package func unit(_ id: UnidadeID) async throws -> UnitRecord? {
        try await pool.rows(
            PostgresStatement("select \(UnitRecord.columns) from \(schema).catalogo_units where id = $1", id.uuid),
            UnitRecord.init(row:)
        ).first
    }

    /// The spaces that pass the filter, by name.
    package func spaces(
        _ filter: SpaceFilter = SpaceFilter(),
        limit: Int,
        after cursor: Cursor? = nil
    ) async throws -> ResultPage<SpaceRecord> {
        let spaces = try await pool.rows(try statement(filter, limit: limit, after: cursor), SpaceRecord.init(row:))
        return ResultPage(spaces, limit: limit) { Cursor(key: $0.data.ficha.nome, id: $0.data.espaco.texto) }
    }

    /// A space, active or not; nil where there is none.
    package func space(_ id: EspacoID) async throws -> SpaceRecord? {
        try await pool.rows(
            PostgresStatement("\(spacesBase) where s.id = $1", id.uuid),
            SpaceRecord.init(row:)
        ).first
    }

    /// The tariff for bookings that begin on a date, local to the unit; nil where none is in force by then.
    package func tariff(of unit: UnidadeID, on date: DataCivil) async throws -> TariffRecord? {
        try await tariffs(of: [unit], on: date)[unit]
    }

    /// The tariff of each unit for bookings that begin on a date, where there is one.
    package func tariffs(of units: [UnidadeID], on date: DataCivil) async throws -> [UnidadeID: TariffRecord] {
        let tariffs = try await pool.rows(
            PostgresStatement(
                """
                select distinct on (unit_id) \(TariffRecord.columns)
                  from \(schema).catalogo_tariffs
                 where unit_id = any($1) and effective_from <= $2
                 order by unit_id, effective_from desc, version desc
                """,
                PostgresArray(units.map(\.uuid)),
                PostgresDate(date)
            ),
            TariffRecord.init(row:)
        )
        return Dictionary(tariffs.map { ($0.unit, $0) }) { first, _ in first }
    }

    /// The plans in force, the cheapest first.
    package func plans() async throws -> [PlanRecord] {
        try await pool.rows(
            PostgresStatement("select \(PlanRecord.columns) from \(schema).catalogo_plans order by monthly_cents, id"),
            PlanRecord.init(row:)
        )
    }

    func statement(_ filter: SpaceFilter, limit: Int, after cursor: Cursor?) throws -> PostgresStatement {
        var select = SelectBuilder(spacesBase)
        if !filter.includesInactive { select.require("s.active") }
        if let unit = filter.unit { select.require("s.unit_id = \(select.bind(unit.uuid))") }
        if let type = filter.type { select.require("s.type = \(select.bind(type.rawValue))") }
        if let capacity = filter.minimumCapacity { select.require("s.capacity >= \(select.bind(capacity))") }
        if !filter.amenities.isEmpty {
            select.require("s.amenities @> \(select.bind(PostgresJSON(utf8: Array(try JSONEncoder().encode(filter.amenities)))))")
        }
        if let free = filter.free { select.require(condition(for: free, in: &select)) }
        if let cursor {
            guard let id = UUID(uuidString: cursor.id) else { throw InvalidCursor() }
            select.require("(s.name, s.id) > (\(select.bind(cursor.key)), \(select.bind(id)))")
        }
        return select.page(orderBy: "s.name, s.id", limit: limit)
    }

    private var spacesBase: String {
        """
        select s.id, s.unit_id, s.name, s.type, s.capacity, s.seats, s.amenities, s.description, s.active, s.created_at,
               s.rules, s.rules_version, s.hours, s.closed_on_holidays, u.time_zone,
               (select jsonb_agg(c.closure order by c.closure #>> '{periodo,inicio}', c.id)
                  from \(schema).catalogo_closures c where c.space_id = s.id) as closures
          from \(schema).catalogo_spaces s
          join \(schema).catalogo_units u on u.id = s.unit_id
        """
    }

    /// That at no time of the wish, the buffers that the space would add included, too many seats are taken: going through
    /// the beginnings and ends of what is taken in order of time, ends first, the running sum of seats never exceeds what the
    /// wish leaves. What is taken around the wish's borders counts with its whole length, which changes no maximum, since
    /// whatever meets outside also meets at the border.
    private func condition(for free: FreeTime, in select: inout SelectBuilder) -> String {
        let from = select.bind(PostgresTimestamp(free.interval.inicio))
        let to = select.bind(PostgresTimestamp(free.interval.fim))
        let seats = select.bind(free.seats)
        let begins = "(\(from) - make_interval(mins => s.buffer_before_min))"
        let ends = "(\(to) + make_interval(mins => s.buffer_after_min))"
        return """
            s.seats >= \(seats) + coalesce((
                   select max(running.taken)
                     from (select sum(edge.seats) over (order by edge.at, edge.seats) as taken
                             from \(schema).agenda_occupied o
                            cross join lateral (values (o.starts_at, o.seats), (o.ends_at, -o.seats)) as edge(at, seats)
                            where o.space_id = s.id
                              and o.day between (\(begins) at time zone 'UTC')::date and (\(ends) at time zone 'UTC')::date
                              and o.day = greatest((\(begins) at time zone 'UTC')::date, (o.starts_at at time zone 'UTC')::date)
                              and o.starts_at < \(ends) and o.ends_at > \(begins)) as running
               ), 0)
            """
    }
}
