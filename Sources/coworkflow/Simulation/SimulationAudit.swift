import Domain
import EventStore
import FoundationEssentials
import HTTP
import Logging
import Postgres
import Projections

/// A figure of the business: the same plan gives the same.
struct SimulationFigure: Sendable, Equatable {
    let name: String
    let value: String
}

/// Something that must hold.
struct SimulationCheck: Sendable, Equatable {
    let name: String
    /// Nil where it holds.
    let problem: String?
}

/// Counts and checks what a simulation has left, from the log's own bytes: what read models and services say is compared with that.
struct SimulationAudit: Sendable {
    let settings: Settings
    /// Of a login that may read everything.
    let pool: PostgresPool
    let client: SimulationClient
    let clock: SimulatedClock
    let plan: SimulationPlan
    let logger: Logger

    func ask(_ sql: String, _ parameters: any PostgresEncodable...) async throws -> PostgresRows {
        try await pool.withConnection { connection in
            try connection.execute("set jit = off")
            // What is made of JSON has no statistics: taken for a few rows, a quarter's bookings would be compared each with each.
            try connection.execute("set enable_nestloop = off")
            return try connection.query(sql, parameters: parameters)
        }
    }

    /// The last state of each booking, and its price and time as last agreed. `price` is nil for who cannot be.
    static let bookings = """
        with told as (
            select stream, position, type, convert_from(payload, 'UTF8')::jsonb as payload
              from log.events
             where stream like 'reserva-%' and type in (
                'reservas.ReservaSolicitada', 'reservas.ReservaConfirmada', 'reservas.ReservaExpirada', 'reservas.ReservaRemarcada',
                'reservas.ReservaCancelada', 'reservas.ReservaConcluida', 'reservas.ReservaRetomada', 'reservas.ReservaNaoComparecida')
        ), first as (
            select stream, payload, payload ->> 'reserva' as id, payload ->> 'espaco' as space, payload ->> 'usuario' as member
              from told where type = 'reservas.ReservaSolicitada'
        ), agreed as (
            select distinct on (stream) stream, payload -> 'cotacao' as quote, coalesce(payload -> 'para', payload -> 'horario') as time
              from told where type in ('reservas.ReservaSolicitada', 'reservas.ReservaRemarcada') order by stream, position desc
        ), last as (
            select distinct on (stream) stream, type, payload from told order by stream, position desc
        ), bookings as (
            select f.id, f.space, f.member,
                   case
                       when l.type = 'reservas.ReservaConfirmada' then 'active'
                       when l.type = 'reservas.ReservaExpirada' then 'expired'
                       when l.type = 'reservas.ReservaCancelada' then 'cancelled'
                       when l.type = 'reservas.ReservaConcluida' then 'completed'
                       when l.type = 'reservas.ReservaNaoComparecida' then 'no_show'
                       when l.type = 'reservas.ReservaRemarcada' then
                           case when l.payload ? 'pagar_ate' then 'pending' else 'active' end
                       when l.payload ? 'expira_em' then 'pending'
                       when l.type = 'reservas.ReservaSolicitada' then 'active'
                       else 'pending'
                   end as status,
                   (a.quote #>> '{total,centavos}')::bigint as cents,
                   coalesce(case when l.type = 'reservas.ReservaNaoComparecida' then (l.payload #>> '{reembolso,valor,centavos}')::bigint end, 0)
                       as refund,
                   (a.time #>> '{intervalo,inicio}')::timestamptz as starts, (a.time #>> '{intervalo,fim}')::timestamptz as ends,
                   (a.time ->> 'inicio_local')::timestamp as local, (a.time ->> 'lugares')::int as seats
              from first f join agreed a using (stream) join last l using (stream)
        )
        """
}
