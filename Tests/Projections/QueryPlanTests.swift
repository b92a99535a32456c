import Domain
import EventStore
import FoundationEssentials
import Postgres
import Testing

@testable import Projections

/// How the server answers the queries when there is much to look through: never by reading a big table from end to end.
@Suite("Query plans over 200,000 rows")
struct QueryPlanTests {
    @Test("Lists and searches go by indexes")
    func plans() async throws {
        try await TestDatabase.with { database in
            try await Self.fill(database)
            // A page far down each list, as the cursor of another page gives it
            let far = Cursor(Samples.time(-100_000), UUID())
            let some: UsuarioID = try #require(UsuarioID("00000000-0000-0000-0000-000000000007"))
            let space: EspacoID = try #require(EspacoID("00000000-0000-0000-0000-000000000007"))
            let desk = Ator(usuario: some, papel: .recepcao, unidades: [try #require(UnidadeID("00000000-0000-0000-0000-000000000003"))])
            let week = try Samples.interval(-100_000, -100_000 + 7 * 1440)
            let contas = ContasQueries(pool: database.gateway)
            let catalogo = CatalogoQueries(pool: database.gateway)
            let agenda = AgendaQueries(pool: database.gateway)
            let pagamentos = PagamentosQueries(pool: database.gateway)
            let notificacoes = NotificacoesQueries(pool: database.gateway)
            let razao = RazaoQueries(pool: database.gateway)
            let line = Cursor(key: "100000", id: "")
            let ledger = Cursor(key: week.inicio.diaUTC.texto, id: "100000 1")
            let month = (from: week.inicio.diaUTC, to: week.inicio.diaUTC.somandoDias(30))
            let page: [ReservaID] = try (1...50).map { number in
                let digits = String(number * 1_000, radix: 16)
                let zeros = String(repeating: "0", count: 12 - digits.count)
                return try #require(ReservaID("00000000-0000-0000-0000-\(zeros)\(digits)"))
            }
            let reservas = ReservasQueries(pool: database.gateway)
            let analytics = AnalyticsQueries(pool: database.gateway, zone: BookingHistory.zone)
            let days = try #require(AnalyticsRange(from: week.inicio.diaUTC, to: week.fim.diaUTC))
            let ofSpace = try #require(AnalyticsRange(from: days.from.somandoDias(-60), to: days.to, space: space))
            let statements: [(String, PostgresStatement)] = [
                ("figures of a week", analytics.bookings(days)), ("time taken up in a week", analytics.occupied(days)),
                ("hours of a week", analytics.hours(days)), ("members of a week", analytics.members(days)),
                ("figures of a space in two months", analytics.bookings(ofSpace)),
                ("hours of a space in two months", analytics.hours(ofSpace)),
                ("accounts of a week", analytics.registrations(days, clock: .utc)),
                ("accounts", try contas.statement(UserFilter(), limit: 50, after: far)),
                ("accounts by address", try contas.statement(UserFilter(search: "p1999"), limit: 50, after: nil)),
                ("audit", try contas.statement(AuditFilter(), limit: 50, after: Cursor(key: "100000", id: ""))),
                ("audit by actor", try contas.statement(AuditFilter(actor: "7"), limit: 50, after: nil)),
                ("audit by subject", try contas.statement(AuditFilter(subject: "usuario-7"), limit: 50, after: nil)),
                (
                    "audit of a day",
                    try contas.statement(AuditFilter(from: Samples.time(-101_440), to: Samples.time(-100_000)), limit: 50, after: nil)
                ),
                ("audit since a day", try contas.statement(AuditFilter(from: Samples.time(18_560)), limit: 50, after: nil)),
                ("bookings", try reservas.statement(BookingFilter(), limit: 50, after: far)),
                ("bookings of a member", try reservas.statement(BookingFilter(user: some), limit: 50, after: far)),
                ("bookings for a unit's desk", try reservas.statement(BookingFilter(viewer: desk), limit: 50, after: far)),
                ("payments for a unit's desk", try pagamentos.statement(PaymentFilter(viewer: desk), limit: 50, after: far)),
                (
                    "waitlist for a unit's desk",
                    try reservas.waitlistStatement(visibleTo: desk, user: nil, space: nil, status: nil, limit: 50, after: line)
                ),
                ("series for a unit's desk", try reservas.seriesStatement(visibleTo: desk, user: nil, space: nil, limit: 50, after: far)),
                ("bookings of a space", try reservas.statement(BookingFilter(space: space), limit: 50, after: nil)),
                (
                    "bookings of a space in a week",
                    try reservas.statement(BookingFilter(space: space, from: week.inicio, to: week.fim), limit: 50, after: nil)
                ),
                ("bookings of a week", try reservas.statement(BookingFilter(from: week.inicio, to: week.fim), limit: 50, after: nil)),
                ("holds", try reservas.statement(BookingFilter(status: .pending), limit: 50, after: nil)),
                ("busy", agenda.busyStatement([space], during: week)),
                ("agenda days", agenda.daysStatement(week.diasUTC.map { (space: space, day: $0) })),
                ("waitlist", try reservas.waitlistStatement(visibleTo: nil, user: nil, space: nil, status: nil, limit: 50, after: line)),
                (
                    "waitlist of a member",
                    try reservas.waitlistStatement(visibleTo: nil, user: some, space: nil, status: nil, limit: 50, after: line)
                ),
                (
                    "waitlist of a space",
                    try reservas.waitlistStatement(visibleTo: nil, user: nil, space: space, status: nil, limit: 50, after: line)
                ),
                (
                    "who waits",
                    try reservas.waitlistStatement(visibleTo: nil, user: nil, space: nil, status: .waiting, limit: 50, after: nil)
                ),
                (
                    "who was offered something of a space",
                    try reservas.waitlistStatement(visibleTo: nil, user: nil, space: space, status: .offered, limit: 50, after: nil)
                ),
                ("series", try reservas.seriesStatement(visibleTo: nil, user: nil, space: nil, limit: 50, after: far)),
                ("series of a member", try reservas.seriesStatement(visibleTo: nil, user: some, space: nil, limit: 50, after: far)),
                ("series of a space", try reservas.seriesStatement(visibleTo: nil, user: nil, space: space, limit: 50, after: far)),
                ("notices", try notificacoes.noticesStatement(of: some, unreadOnly: false, limit: 50, after: far)),
                ("unread notices", try notificacoes.noticesStatement(of: some, unreadOnly: true, limit: 50, after: nil)),
                ("payments", try pagamentos.statement(PaymentFilter(), limit: 50, after: far)),
                ("payments of a member", try pagamentos.statement(PaymentFilter(user: some), limit: 50, after: far)),
                ("payments of a booking", try pagamentos.statement(PaymentFilter(booking: page[0]), limit: 50, after: nil)),
                ("open payments", try pagamentos.statement(PaymentFilter(status: .pending), limit: 50, after: nil)),
                ("payments of a page of bookings", pagamentos.statement(of: page)),
                ("ledger", try razao.statement(LedgerFilter(), limit: 50, after: ledger)),
                ("ledger of a month", try razao.statement(LedgerFilter(from: month.from, to: month.to), limit: 50, after: nil)),
                ("ledger of an account", try razao.statement(LedgerFilter(from: month.from, account: .caixa), limit: 50, after: nil)),
                ("ledger of a booking", try razao.statement(LedgerFilter(booking: page[0]), limit: 50, after: nil)),
                (
                    "deliveries of a webhook",
                    WebhookDeliveries.logStatement(of: (Samples.id(7) as WebhookID).uuid, before: 100_000, limit: 50)
                ),
                ("free spaces", try catalogo.statement(SpaceFilter(free: FreeTime(interval: week)), limit: 50, after: nil)),
            ]
            for (name, statement) in statements {
                // When
                let plan = try await database.pool.withConnection { connection in
                    try connection.query("explain (analyze, costs off, timing off) \(statement.sql)", parameters: statement.parameters)
                        .map { try $0.get(0, String.self) }
                }
                // Then
                for table in [
                    "contas_users", "contas_audit", "agenda_occupied", "agenda_bookings", "reservas_bookings", "analytics_bookings",
                    "analytics_stretches", "analytics_accounts", "reservas_waitlist", "reservas_series", "notificacoes_notices",
                    "pagamentos_payments", "pagamentos_sums", "razao_lines", "webhook_deliveries",
                ] {
                    let scans = plan.filter { $0.contains("Seq Scan on \(table)") }
                    #expect(scans.isEmpty, "\(name):\n\(plan.joined(separator: "\n"))")
                }
                let rejected = plan.filter { $0.contains("Rows Removed by Filter: ") }
                    .compactMap { $0.split(separator: " ").last.flatMap { Int($0) } }
                #expect(rejected.allSatisfy { $0 < 1000 }, "\(name):\n\(plan.joined(separator: "\n"))")
            }
        }
    }

    /// 200,000 rows in each of the big tables: 100 spaces, 2,000 members, a booking a minute going back from the samples' noon
    /// and forward from it.
    private static func fill(_ database: TestDatabase) async throws {
        for model in Projections.models {
            let target = ProjectionTarget(model, opener: PlainOpener(), pool: database.projector, logger: TestDatabase.logger)
            _ = try await target.acquire()
        }
        let noon = PostgresTimestamp(Samples.time(0))
        try await database.projector.transaction { connection in
            try connection.executeScript(
                """
                create function pg_temp.id(n bigint) returns uuid language sql immutable as $$
                    select lpad(to_hex(n), 32, '0')::uuid
                $$
                """
            )
            let fillings = [
                """
                insert into read.contas_users
                select pg_temp.id(n), 'Pessoa ' || n, 'p' || n || '@exemplo.com', 'membro', false, at, at
                """,
                "insert into read.contas_audit select n, at, (n % 2000)::text, 'tipo' || n % 20, 'usuario-' || n % 50000, '{}'",
                """
                insert into read.agenda_occupied
                select pg_temp.id(n % 100), (at at time zone 'UTC')::date, pg_temp.id(n), at, at + interval '1 hour', 1
                """,
                "insert into read.agenda_bookings select pg_temp.id(n), at, at + interval '1 hour'",
                """
                insert into read.reservas_bookings
                select pg_temp.id(n), pg_temp.id(n % 2000), pg_temp.id(n % 100), pg_temp.id(n % 5), at, at + interval '1 hour', at,
                       at + interval '1 hour', 'America/Sao_Paulo', '', '', 1, case when n % 5000 = 0 then 'pending' else 'active' end,
                       1, '{}', 1, null, pg_temp.id(n % 2000), at, null, null, null, null, null, null, null, null, null, null, n
                """,
                """
                insert into read.analytics_bookings
                select pg_temp.id(n), pg_temp.id(n % 2000), pg_temp.id(n % 100), pg_temp.id(n % 5), 'completed', 1, 1, at, at,
                       at + interval '1 hour', (at at time zone 'UTC')::date, 3600, 7200, 0, false
                """,
                "insert into read.analytics_stretches select pg_temp.id(n), 1, (at at time zone 'UTC')::date, 0, 60",
                "insert into read.analytics_accounts select pg_temp.id(n), at",
                """
                insert into read.reservas_waitlist
                select pg_temp.id(n), pg_temp.id(n % 2000), pg_temp.id(n % 100), pg_temp.id(n % 5), (at at time zone 'UTC')::date,
                       'America/Sao_Paulo', at, at + interval '1 hour', 1,
                       case when n % 5000 = 0 then 'waiting' when n % 5000 = 7 then 'offered' else 'expired' end, n, at, null, null,
                       null, null, null, n
                """,
                """
                insert into read.reservas_series
                select pg_temp.id(n), pg_temp.id(n % 2000), pg_temp.id(n % 100), pg_temp.id(n % 5), 'America/Sao_Paulo',
                       'FREQ=DAILY;COUNT=1', 60, 1, '[]', '[]', pg_temp.id(n % 2000), at, null, n
                """,
                """
                insert into read.notificacoes_notices
                select pg_temp.id(n), pg_temp.id(n % 2000), 'reserva_confirmada', '', '', null, at, case when n % 3 > 0 then at end
                """,
                """
                insert into read.pagamentos_payments
                select pg_temp.id(n), 'reservation', pg_temp.id(n), pg_temp.id(n % 2000), pg_temp.id(n % 5),
                       case when n % 5000 = 0 then 'pending' else 'approved' end, 1, null, null, null, null, null, at, at, null, null, n
                """,
                "insert into read.pagamentos_sums select pg_temp.id(n), 1, 0, 0",
                """
                insert into read.razao_lines
                select n, 1, pg_temp.id(n), (at at time zone 'UTC')::date, (at at time zone 'UTC')::date,
                       case when n % 2 = 0 then 'caixa' else 'a_receber' end, 1, 0, 'recebimento', pg_temp.id(n % 5), pg_temp.id(n), null,
                       null, null, null, null, at
                """,
                """
                insert into read.catalogo_spaces
                select pg_temp.id(n), pg_temp.id(n % 5), 'Sala ' || n, 'cabine', 1, 1, '[]', '', true, at, null, 0, 0, 0, null, false
                """,
                "insert into read.catalogo_units select pg_temp.id(n), 'U', 'UTC', '', at",
            ]
            for (filling, count) in zip(fillings, Array(repeating: 200_000, count: 14) + [100, 5] as [Int64]) {
                try connection.execute(
                    "\(filling) from (select n, $1 + (n - 180000) * interval '1 minute' as at from generate_series(0, $2 - 1) n) source",
                    noon,
                    count
                )
            }
        }
        try await database.pool.transaction { connection in
            let hook: WebhookID = Samples.id(7)
            try connection.execute(
                "insert into subs.webhooks select id, '', '{}', '', true from unnest(array[$1, $2]::uuid[]) id", hook.uuid,
                (Samples.id(8) as WebhookID).uuid
            )
            try connection.execute(
                """
                insert into subs.webhook_deliveries (webhook, position, event_id, type, state, next_at, created_at)
                select case when n % 10 = 0 then $1 else $2 end, n, gen_random_uuid(), 't', 'delivered', $3, $3
                  from generate_series(1, 200000) n
                """,
                hook.uuid,
                (Samples.id(8) as WebhookID).uuid,
                noon
            )
        }
        try await database.pool.withConnection { connection in try connection.execute("analyze subs.webhook_deliveries") }
        try await database.projector.withConnection { connection in
            for table in Projections.models.flatMap(\.tables) { try connection.execute("analyze read.\(table.name)") }
        }
    }
}
