import Domain
import EventStore
import FoundationEssentials
import HTTP
import NIOHTTP1
import Postgres
import Projections

/// What must hold whatever happened.
extension SimulationAudit {
    typealias Check = (name: String, check: () async throws -> String?)

    /// - Parameters:
    ///   - staff: asks for what the gateway shows.
    ///   - receiver: what was told of things.
    func checks(as staff: SimulatedPerson, _ receiver: SimulatedReceiver) async throws -> [SimulationCheck] {
        try await staff.signIn(client, at: clock.now)
        let token = staff.token
        let others: Check = ("webhooks are told of each event once, or are switched off", { try await webhooks(receiver) })
        return try await records() + outcomes(of: [others]) + screens(token) + replays()
    }

    /// What the log and the timers say by themselves.
    func records() async throws -> [SimulationCheck] {
        try await outcomes(of: [
            ("the log is whole and its chain holds", chain),
            ("each entry of the ledger balances", ledgerBalances),
            ("payments less refunds and expenses are the cash", cash),
            ("no seat is sold twice", doubleBookings),
            ("no credits are used that were not there", credits),
            ("every hold is resolved", holds),
            ("every refund that was asked for is done or refused, and none exceeds what was paid", refunds),
            ("every fee is paid or not yet due, or its subscription has ended", fees),
            ("what the ledger has to receive is what was used and not paid", receivables),
            ("months that are over are closed", months),
            ("whom something concerns is told of it once", notices),
            ("nothing opens what an erased person left", erasures),
            ("nothing is stuck", stuck),
        ])
    }

    /// What the gateway shows beside what the log says.
    private func screens(_ token: String) async throws -> [SimulationCheck] {
        try await outcomes(of: [
            ("the ledger that is shown is the log's", { try await shownLedger(token) }),
            ("analytics are what the log gives", { try await analytics(token) }),
            ("occupancy is what the log gives", { try await occupancy(token) }),
        ])
    }

    func outcomes(of checks: [Check]) async throws -> [SimulationCheck] {
        var outcomes: [SimulationCheck] = []
        for (name, check) in checks { outcomes.append(SimulationCheck(name: name, problem: try await check())) }
        return outcomes
    }

    // MARK: The log and what is made of it

    private func chain() async throws -> String? {
        try await LogVerifier(pool: pool).verify(against: []) { _, _ in }.problem?.description
    }

    func replays() async throws -> [SimulationCheck] {
        let keys = PostgresPool(settings.postgres.taking(.keyring), maximumConnections: 1, logger: logger)
        let verifier = ReadModelVerifier(
            configuration: Projections.configuration(settings.postgres),
            opener: Keyring(pool: keys, master: settings.secrets.master),
            logger: logger
        )
        let verdicts: Result<[String: ReadModelVerdict], any Error>
        do {
            verdicts = .success(try await verifier.compare())
        } catch {
            verdicts = .failure(error)
        }
        await keys.close()
        return try verdicts.get().sorted { $0.key < $1.key }.map { name, verdict in
            if case .equal = verdict { return SimulationCheck(name: "a replay of \(name) is the live one", problem: nil) }
            return SimulationCheck(name: "a replay of \(name) is the live one", problem: "\(verdict)")
        }
    }

    private func stuck() async throws -> String? {
        // Policies look at the log when they have heard of nothing for a second.
        let deadline = ContinuousClock.now + .seconds(10)
        while ContinuousClock.now < deadline {
            let behind = try await ask("select count(*) from subs.checkpoints where position < (select head from log.writer)")
            if try behind.first?.get(0, Int64.self) == 0 { break }
            try await Task.sleep(for: .milliseconds(50))
        }
        let report = try await StuckSweep(pool: pool).report(at: clock.time, grace: .segundos(0))
        guard let first = report.items.first else { return nil }
        return "\(report.items.count) things, the first: \(first.kind.rawValue) \(first.subject), due \(first.due)"
    }

    // MARK: Money

    private func ledgerBalances() async throws -> String? {
        let rows = try await ask(
            """
            \(Self.ledger)
            select count(*), min(position) from (
                select position, sum(debit) as debit, sum(credit) as credit from lines group by position
            ) e where debit <> credit or debit = 0
            """
        )
        guard let row = rows.first, try row.get(0, Int64.self) > 0 else { return nil }
        return "\(try row.get(0, Int64.self)) entries do not, the first at position \(try row.get(1, Int64.self))"
    }

    private struct TrialBalance: Decodable {
        struct Account: Decodable {
            let account: String
            let debitCents: Int64
            let creditCents: Int64
        }

        let accounts: [Account]
    }

    private func shownLedger(_ token: String) async throws -> String? {
        let shown = try await client.send(.GET, "/financial/trial-balance", as: token).decode(TrialBalance.self)
        let balances = Dictionary(
            shown.accounts.map { ($0.account, ($0.debitCents, $0.creditCents)) }, uniquingKeysWith: { first, _ in first }
        ).filter { $0.value != (0, 0) }
        let rows = try await ask("\(Self.ledger) select account, sum(debit)::bigint, sum(credit)::bigint from lines group by account")
        var recorded: [String: (Int64, Int64)] = [:]
        for row in rows {
            guard let account = ContaContabil(try row.get(0, String.self)) else { continue }
            recorded[account.codigo] = (try row.get(1), try row.get(2))
        }
        for account in Set(recorded.keys).union(balances.keys).sorted() {
            let (log, screen) = (recorded[account] ?? (0, 0), balances[account] ?? (0, 0))
            if log != screen { return "\(account) is \(screen) on the screen and \(log) in the log" }
        }
        return nil
    }

    private func cash() async throws -> String? {
        let rows = try await ask(
            """
            \(Self.ledger), money as (
                select coalesce(sum(case type when 'pagamentos.PagamentoAprovado' then 1 else -1 end
                           * (convert_from(payload, 'UTF8')::jsonb #>> '{valor,centavos}')::bigint), 0)::bigint as moved
                  from log.events where type in ('pagamentos.PagamentoAprovado', 'pagamentos.PagamentoEstornado')
            )
            select (select moved from money),
                   coalesce(sum(debit - credit) filter (where account like 'despesas:%'), 0)::bigint,
                   coalesce(sum(debit - credit) filter (where account = 'caixa'), 0)::bigint
              from lines
            """
        )
        guard let row = rows.first else { return nil }
        let (moved, spent, cash) = (try row.get(0, Int64.self), try row.get(1, Int64.self), try row.get(2, Int64.self))
        return moved - spent == cash ? nil : "\(Self.reais(moved)) less \(Self.reais(spent)) is not \(Self.reais(cash))"
    }

    // MARK: Seats, credits, holds

    /// Goes through every taking and freeing of a seat in the order of the log, and counts.
    private func doubleBookings() async throws -> String? {
        let seats = try await ask(
            """
            select p ->> 'espaco', max((p #>> '{ficha,lugares}')::int) from (
                select convert_from(payload, 'UTF8')::jsonb as p from log.events
                 where type in ('espacos.EspacoCriado', 'espacos.EspacoAtualizado')) e group by 1
            """
        )
        var capacity: [String: Int] = [:]
        for row in seats { capacity[try row.get(0)] = Int(try row.get(1, Int32.self)) }
        let rows = try await ask(
            """
            select position, type, p ->> 'espaco', p ->> 'reserva', p ->> 'dia', (p ->> 'lugares')::int,
                   (p #>> '{intervalo,inicio}')::timestamptz, (p #>> '{intervalo,fim}')::timestamptz
              from (select position, type, convert_from(payload, 'UTF8')::jsonb as p from log.events
                     where type in ('reservas.HorarioOcupado', 'reservas.HorarioLiberado')) e order by position
            """
        )
        var taken: [String: [String: Taking]] = [:]
        for row in rows {
            let (space, booking) = (try row.get(2, String.self), try row.get(3, String.self))
            let key = try "\(booking) \(row.get(4, String.self))"
            guard try row.get(1, String.self) == "reservas.HorarioOcupado" else {
                taken[space]?[key] = nil
                continue
            }
            let taking = Taking(
                booking: booking,
                from: try row.get(6, PostgresTimestamp.self).microsecondsSinceEpoch,
                to: try row.get(7, PostgresTimestamp.self).microsecondsSinceEpoch,
                seats: Int(try row.get(5, Int32.self))
            )
            taken[space, default: [:]][key] = taking
            let rivals = (taken[space] ?? [:]).values.filter { $0.from < taking.to && taking.from < $0.to }
            if let most = Taking.mostSeats(of: rivals, during: taking), most > capacity[space] ?? 0 {
                return "\(most) of \(capacity[space] ?? 0) seats of \(space) are taken at position \(try row.get(0, Int64.self))"
            }
            // What was over long ago cannot be in the way of anything new.
            if taken[space]?.count ?? 0 > 4_000 { taken[space] = taken[space]?.filter { $0.value.to > taking.from - 40 * 86_400_000_000 } }
        }
        return nil
    }

    /// Seats that a booking takes. One over midnight is there once a day.
    private struct Taking {
        let booking: String
        let from: Int64
        let to: Int64
        let seats: Int

        static func mostSeats(of rivals: [Taking], during taking: Taking) -> Int? {
            let instants = [taking.from] + rivals.map(\.from).filter { $0 > taking.from }
            return instants.map { now in
                let there = rivals.filter { $0.from <= now && now < $0.to }
                return Dictionary(there.map { ($0.booking, $0.seats) }, uniquingKeysWith: max).values.reduce(0, +)
            }.max()
        }
    }

    private func credits() async throws -> String? {
        let rows = try await ask(
            """
            with moves as (
                select position, stream, convert_from(payload, 'UTF8')::jsonb ->> 'lote' as lot,
                       (convert_from(payload, 'UTF8')::jsonb ->> 'minutos')::bigint as minutes
                  from log.events where type = 'precos.CreditosConcedidos'
                union all
                select position, stream, l ->> 'lote',
                       case type when 'precos.CreditosConsumidos' then -1 else 1 end * (l ->> 'minutos')::bigint
                  from log.events, jsonb_array_elements(convert_from(payload, 'UTF8')::jsonb -> 'lotes') l
                 where type in ('precos.CreditosConsumidos', 'precos.CreditosDevolvidos')
            )
            select position, left_over from (
                select position, sum(minutes) over (partition by stream, lot order by position) as left_over from moves
            ) m where left_over < 0 order by position limit 1
            """
        )
        return try rows.first.map { "a lot is overdrawn at position \(try $0.get(0, Int64.self))" }
    }

    private func holds() async throws -> String? {
        let rows = try await ask(
            """
            select stream, expires from (
                select distinct on (stream) stream, type,
                       coalesce(p ->> 'expira_em', p ->> 'pagar_ate')::timestamptz as expires
                  from (select stream, position, type, convert_from(payload, 'UTF8')::jsonb as p from log.events
                         where stream like 'reserva-%' and type not like '%.ConvidadosDefinidos') e
                 order by stream, position desc
            ) last
             where expires <= $1
               and type in ('reservas.ReservaSolicitada', 'reservas.ReservaAprovada', 'reservas.ReservaRemarcada', 'reservas.ReservaRetomada')
             order by expires limit 1
            """,
            PostgresTimestamp(microsecondsSinceEpoch: clock.now)
        )
        return try rows.first.map { "\(try $0.get(0, String.self)) is still held" }
    }

    // MARK: Analytics

    private struct Counts: Decodable, Equatable {
        let pending: Int64
        let active: Int64
        let completed: Int64
        let cancelled: Int64
        let expired: Int64
        let noShow: Int64
    }

    private struct Usage: Decodable {
        struct Day: Decodable {
            let date: String
            let reservations: Counts
            let bookedRevenueCents: Int64
        }

        struct Space: Decodable {
            let spaceId: String
            let occupiedMinutes: Int64
        }

        let days: [Day]
        let spaces: [Space]
    }

    /// The most days that are shown at once.
    private static let range = 366
    /// Nothing can be booked further ahead.
    private static let horizon = 200

    /// From the first day to the last one that anything could be booked for.
    private func usage(_ token: String) async throws -> [Usage] {
        var usages: [Usage] = []
        var from = plan.start.diaUTC.somandoDias(-1)
        let end = plan.end.diaUTC.somandoDias(Self.horizon)
        while from <= end {
            let to = min(end, from.somandoDias(Self.range - 1))
            usages.append(try await client.send(.GET, "/analytics/usage?from=\(from)&to=\(to)", as: token).decode(Usage.self))
            from = to.somandoDias(1)
        }
        return usages
    }

    private func analytics(_ token: String) async throws -> String? {
        let rows = try await ask(
            """
            \(Self.bookings)
            select local::date::text, count(*) filter (where status = 'pending'), count(*) filter (where status = 'active'),
                   count(*) filter (where status = 'completed'), count(*) filter (where status = 'cancelled'),
                   count(*) filter (where status = 'expired'), count(*) filter (where status = 'no_show'),
                   coalesce(sum(cents - refund) filter (where status in ('active', 'completed', 'no_show')), 0)::bigint
              from bookings group by 1
            """
        )
        var recorded: [String: (Counts, Int64)] = [:]
        for row in rows {
            recorded[try row.get(0)] = (
                Counts(
                    pending: try row.get(1), active: try row.get(2), completed: try row.get(3), cancelled: try row.get(4),
                    expired: try row.get(5), noShow: try row.get(6)
                ), try row.get(7)
            )
        }
        let nothing = (Counts(pending: 0, active: 0, completed: 0, cancelled: 0, expired: 0, noShow: 0), Int64(0))
        let shown = try await usage(token).flatMap(\.days)
        let beyond = Set(recorded.keys).subtracting(shown.map(\.date))
        if let day = beyond.sorted().first { return "no figures are shown for \(day)" }
        for day in shown where (day.reservations, day.bookedRevenueCents) != recorded[day.date] ?? nothing {
            return "\(day.date): \(day.reservations), \(day.bookedRevenueCents) on the screen, \(recorded[day.date] ?? nothing) in the log"
        }
        return nil
    }

    private func occupancy(_ token: String) async throws -> String? {
        let rows = try await ask(
            """
            \(Self.bookings)
            select space, sum(extract(epoch from ends - starts) / 60 * seats)::bigint
              from bookings where status in ('active', 'completed') group by space
            """
        )
        var recorded: [String: Int64] = [:]
        for row in rows { recorded[try row.get(0)] = try row.get(1) }
        var shown: [String: Int64] = [:]
        for space in try await usage(token).flatMap(\.spaces) { shown[space.spaceId, default: 0] += space.occupiedMinutes }
        for (space, minutes) in shown.sorted(by: { $0.key < $1.key }) where minutes != recorded[space] ?? 0 {
            return "\(space): \(minutes) minutes on the screen, \(recorded[space] ?? 0) in the log"
        }
        return nil
    }
}
