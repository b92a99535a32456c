import Domain
import FoundationEssentials
import Postgres

@testable import Projections

/// The figures of analytics computed in another way: by the server alone, from the log's own JSON and from the server's rules of
/// zones, minute by minute.
struct AnalyticsOracle {
    let database: TestDatabase

    /// Makes what the figures are counted from: a row a booking, a row a minute that a booking takes up, a row a minute that a
    /// space is open.
    func prepare(first: DataCivil, last: DataCivil) async throws {
        try await database.pool.withConnection { connection in
            try connection.executeScript(Self.places)
            try connection.executeScript(Self.bookings)
            _ = try connection.execute(Self.openMinutes, PostgresDate(first), PostgresDate(last))
            _ = try connection.execute("create index on oracle.open_minutes (day)")
        }
    }

    func figures(_ range: AnalyticsRange) async throws -> AnalyticsFigures {
        try await database.pool.withConnection { connection in
            var figures = AnalyticsFigures()
            for row in try Self.rows(connection, range, "*", "bookings") {
                let day: DataCivil = try row.day("day")
                let space: EspacoID = try row.id("space_id")
                try figures.total.count(row)
                try figures.days[day, default: BookingFigures()].count(row)
                try figures.spaces[space, default: BookingFigures()].count(row)
                try figures.units[try row.id("unit_id"), default: BookingFigures()].count(row)
            }
            for row in try Self.rows(
                connection, range, "day, space_id, unit_id, seats, count(*) * 60 as seconds", "booked_minutes", "group by 1, 2, 3, 4")
            {
                let seconds = try row.get("seconds", Int64.self) * Int64(try row.get("seats", Int32.self))
                figures.total.occupiedSeconds += seconds
                figures.days[try row.day("day"), default: BookingFigures()].occupiedSeconds += seconds
                figures.spaces[try row.id("space_id"), default: BookingFigures()].occupiedSeconds += seconds
                figures.units[try row.id("unit_id"), default: BookingFigures()].occupiedSeconds += seconds
            }
            for row in try Self.rows(connection, range, "\(Self.hourOfWeek), sum(seats) * 60 as seconds", "booked_minutes", "group by 1, 2")
            {
                figures.hours[try row.hourOfWeek] = try row.get("seconds")
            }
            figures.activeMembers =
                try Self.rows(connection, range, "count(distinct user_id)", "bookings", "and status in ('active', 'completed')").first?.get(
                    0) ?? 0
            for row in try Self.rows(connection, range.before, "*", "bookings") { try figures.before.count(row) }
            figures.newMembers =
                try Self.rows(
                    connection, range, "count(distinct user_id)", "bookings",
                    """
                    and status in ('active', 'completed') and user_id not in (
                        select e.user_id from oracle.bookings e where e.day < $1 and e.status in ('active', 'completed'))
                    """
                ).first?.get(0) ?? 0
            figures.activeMembersBefore =
                try Self.rows(connection, range.before, "count(distinct user_id)", "bookings", "and status in ('active', 'completed')")
                .first?.get(0) ?? 0
            return figures
        }
    }

    private static func rows(
        _ connection: isolated PostgresConnection,
        _ range: AnalyticsRange,
        _ select: String,
        _ table: String,
        _ more: String = ""
    ) throws -> PostgresRows {
        try connection.query(
            """
            select \(select) from oracle.\(table)
             where day between $1 and $2 and ($3::uuid is null or space_id = $3) and ($4::uuid is null or unit_id = $4) \(more)
            """,
            PostgresDate(range.from), PostgresDate(range.to), range.space?.uuid, range.unit?.uuid
        )
    }

    /// Of all: what the range does not bound.
    func open(_ status: BookingStatus, _ range: AnalyticsRange) async throws -> Int64 {
        try await database.pool.withConnection { connection in
            try connection.query(
                """
                select count(*) from oracle.bookings
                 where status = $1 and ($2::uuid is null or space_id = $2) and ($3::uuid is null or unit_id = $3)
                """,
                status.rawValue, range.space?.uuid, range.unit?.uuid
            ).first?.get(0) ?? -1
        }
    }

    func accounts() async throws -> Int64 {
        try await database.pool.withConnection { connection in
            try connection.query("select count(*) from log.readable where type = 'usuarios.UsuarioCadastrado'").first?.get(0) ?? -1
        }
    }

    func newAccounts(_ range: AnalyticsRange, clock: String) async throws -> [DataCivil: Int64] {
        try await database.pool.withConnection { connection in
            let rows = try connection.query(
                """
                select day, count(*) as count
                  from (select ((payload->>'em')::timestamptz at time zone $1)::date as day
                          from log.readable where type = 'usuarios.UsuarioCadastrado') as registered
                 where day between $2 and $3 group by day
                """,
                clock, PostgresDate(range.from), PostgresDate(range.to)
            )
            return try Dictionary(uniqueKeysWithValues: rows.map { (try $0.day("day"), try $0.get("count", Int64.self)) })
        }
    }

    /// Open seconds by day, space and hour of the week.
    func available(_ range: AnalyticsRange) async throws -> (
        days: [DataCivil: Int64], spaces: [EspacoID: Int64], hours: [HourOfWeek: Int64]
    ) {
        try await database.pool.withConnection { connection in
            let rows = try connection.query(
                """
                select day, space_id, \(Self.hourOfWeek), sum(seats) * 60 as seconds from oracle.open_minutes
                 where day between $1 and $2 and ($3::uuid is null or space_id = $3) and ($4::uuid is null or unit_id = $4)
                 group by 1, 2, 3, 4
                """,
                PostgresDate(range.from), PostgresDate(range.to), range.space?.uuid, range.unit?.uuid
            )
            var days: [DataCivil: Int64] = [:]
            var spaces: [EspacoID: Int64] = [:]
            var hours: [HourOfWeek: Int64] = [:]
            for row in rows {
                let seconds: Int64 = try row.get("seconds")
                days[try row.day("day"), default: 0] += seconds
                spaces[try row.id("space_id"), default: 0] += seconds
                hours[try row.hourOfWeek, default: 0] += seconds
            }
            return (days, spaces, hours)
        }
    }

    private static let hourOfWeek = "extract(isodow from local)::int as weekday, extract(hour from local)::int as hour"

    private static let places = """
        create schema oracle;
        create table oracle.events as
            select position, type, payload::jsonb as payload, (payload->>'em')::timestamptz as at from log.readable;
        create table oracle.catalogue as
            select position, type, payload, at, (payload->>'espaco')::uuid as space_id
              from oracle.events where type like 'espacos.%' and payload ? 'espaco';
        create index on oracle.catalogue (space_id, type);
        create index on oracle.events ((payload->>'reserva'));
        create table oracle.spaces as
            select (e.payload->>'espaco')::uuid as space_id, (e.payload->>'unidade')::uuid as unit_id, u.payload->>'fuso' as zone
              from oracle.events e
              join oracle.events u on u.type = 'espacos.UnidadeCriada' and u.payload->>'unidade' = e.payload->>'unidade'
             where e.type = 'espacos.EspacoCriado';
        """

    private static let bookings = """
        create table oracle.bookings as
        select (asked.payload->>'reserva')::uuid as id, (asked.payload->>'usuario')::uuid as user_id,
               (asked.payload->>'espaco')::uuid as space_id, (asked.payload->>'unidade')::uuid as unit_id,
               asked.at as requested_at, (s.schedule->'intervalo'->>'inicio')::timestamptz as starts_at,
               (s.schedule->'intervalo'->>'fim')::timestamptz as ends_at, (s.schedule->>'lugares')::int as seats,
               s.schedule->>'fuso' as zone, (s.price->'total'->>'centavos')::bigint as cents,
               (((s.schedule->'intervalo'->>'inicio')::timestamptz) at time zone (s.schedule->>'fuso'))::date as day,
               coalesce(
                   (select case type when 'reservas.ReservaConfirmada' then 'active' when 'reservas.ReservaExpirada' then 'expired'
                                     when 'reservas.ReservaCancelada' then 'cancelled' when 'reservas.ReservaNaoComparecida' then 'no_show'
                                     else 'completed' end
                      from oracle.events e
                     where e.payload->>'reserva' = asked.payload->>'reserva'
                       and type in ('reservas.ReservaConfirmada', 'reservas.ReservaExpirada', 'reservas.ReservaCancelada',
                                    'reservas.ReservaConcluida', 'reservas.ReservaNaoComparecida')
                     order by position desc limit 1),
                   case when asked.payload ? 'expira_em' then 'pending' else 'active' end
               ) as status,
               coalesce(
                   (select (e.payload->'reembolso'->'valor'->>'centavos')::bigint from oracle.events e
                     where e.payload->>'reserva' = asked.payload->>'reserva' and type = 'reservas.ReservaNaoComparecida'
                     order by position desc limit 1), 0
               ) as refund_cents,
               exists (select from oracle.events e
                        where e.payload->>'reserva' = asked.payload->>'reserva' and type = 'checkin.CheckinRealizado') as attended
          from oracle.events asked
         cross join lateral (
               select coalesce(e.payload->'para', e.payload->'horario') as schedule, e.payload->'cotacao' as price
                 from oracle.events e
                where e.payload->>'reserva' = asked.payload->>'reserva'
                  and e.type in ('reservas.ReservaSolicitada', 'reservas.ReservaRemarcada')
                order by position desc limit 1) as s
         where asked.type = 'reservas.ReservaSolicitada';
        create table oracle.booked_minutes as
        select b.id, b.space_id, b.unit_id, b.seats, minute at time zone b.zone as local, (minute at time zone b.zone)::date as day
          from oracle.bookings b
         cross join lateral generate_series(b.starts_at, b.ends_at - interval '1 minute', interval '1 minute') as minute
         where b.status in ('active', 'completed');
        create index on oracle.booked_minutes (day);
        """

    /// Each minute that a space is open, by what was defined before the end of its local day.
    private static let openMinutes = """
        create table oracle.open_minutes as
        with days as (
            select s.*, day::date as day, (day + interval '1 day') at time zone s.zone as ends_at
              from oracle.spaces s cross join generate_series($1::date::timestamp, $2::date::timestamp, interval '1 day') as day
        ), defined as (
            select d.*,
                   (select e.payload->'ficha'->>'lugares' from oracle.catalogue e
                     where e.space_id = d.space_id and e.at < d.ends_at
                       and e.type in ('espacos.EspacoCriado', 'espacos.EspacoAtualizado')
                     order by at desc, position desc limit 1)::int as seats,
                   (select e.type <> 'espacos.EspacoDesativado' from oracle.catalogue e
                     where e.space_id = d.space_id and e.at < d.ends_at
                       and e.type in ('espacos.EspacoCriado', 'espacos.EspacoDesativado', 'espacos.EspacoReativado')
                     order by at desc, position desc limit 1) as active,
                   (select e.payload from oracle.catalogue e
                     where e.space_id = d.space_id and e.at < d.ends_at and e.type = 'espacos.HorarioDefinido'
                     order by at desc, position desc limit 1) as hours
              from days d
        ), minutes as (
            select d.*, minute at time zone d.zone as local
              from defined d
             cross join lateral generate_series(
                   d.ends_at - interval '26 hours', d.ends_at - interval '1 minute', interval '1 minute') as minute
             where d.active and (minute at time zone d.zone)::date = d.day
        )
        select m.space_id, m.unit_id, m.seats, m.day, m.local
          from minutes m
         where exists (
               select from jsonb_array_elements(
                   m.hours->'semana'->(array['segunda', 'terca', 'quarta', 'quinta', 'sexta', 'sabado', 'domingo'])[extract(isodow from m.day)::int]
               ) as open
                where m.local >= m.day + (open->>'abre')::interval and m.local < m.day + (open->>'fecha')::interval)
           and not ((m.hours->>'fecha_em_feriados')::boolean and to_char(m.day, 'MM-DD') in ('11-02', '11-15'))
           and not exists (
               select from oracle.catalogue c
                where c.type = 'espacos.FechamentoDefinido' and c.space_id = m.space_id and c.at < m.ends_at
                  and m.local >= (c.payload->'fechamento'->'periodo'->>'inicio')::timestamp
                  and m.local < (c.payload->'fechamento'->'periodo'->>'fim')::timestamp
                  and not exists (
                      select from oracle.catalogue r
                       where r.space_id = c.space_id and r.at < m.ends_at
                         and (r.at, r.position) > (c.at, c.position)
                         and (r.type = 'espacos.FechamentoRemovido' and r.payload->>'fechamento' = c.payload->'fechamento'->>'id'
                              or r.type = 'espacos.FechamentoDefinido'
                                 and r.payload->'fechamento'->>'id' = c.payload->'fechamento'->>'id')))
        """
}

extension PostgresRow {
    fileprivate var hourOfWeek: HourOfWeek {
        get throws { HourOfWeek(weekday: Int(try get("weekday", Int32.self)), hour: Int(try get("hour", Int32.self))) }
    }
}

extension BookingFigures {
    /// Counts a row of `oracle.bookings`.
    fileprivate mutating func count(_ row: PostgresRow) throws {
        switch try row.get("status", String.self) {
        case "pending": pending += 1
        case "active": active += 1
        case "completed": completed += 1
        case "cancelled": cancelled += 1
        case "no_show":
            noShows += 1
            let kept = try row.get("cents", Int64.self) - (try row.get("refund_cents", Int64.self))
            booked = Dinheiro(centavos: booked.centavos + kept)
        default: expired += 1
        }
        if try row.get("attended", Bool.self) { attended += 1 }
        guard ["active", "completed"].contains(try row.get("status", String.self)) else { return }
        let begins: Instante = try row.instant("starts_at")
        let ends: Instante = try row.instant("ends_at")
        let requested: Instante = try row.instant("requested_at")
        booked = Dinheiro(centavos: booked.centavos + (try row.get("cents", Int64.self)))
        sessionSeconds += (ends - begins).microssegundos / 1_000_000
        leadSeconds += (begins - requested).microssegundos / 1_000_000
    }
}
