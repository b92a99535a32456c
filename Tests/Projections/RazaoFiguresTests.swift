import Domain
import EventStore
import Postgres
import Testing

@testable import Projections

@Suite("Figures of the ledger")
struct RazaoFiguresTests {
    /// What a sum over the log says, without the read model.
    private struct Oracle {
        let pool: PostgresPool

        private static let lines = """
            select (payload->>'data')::date as day, coalesce(payload->>'unidade', '') as unit, line->>'conta' as account,
                   case line->>'lado' when 'debito' then (line->'valor'->>'centavos')::bigint else 0 end as debit_cents,
                   case line->>'lado' when 'credito' then (line->'valor'->>'centavos')::bigint else 0 end as credit_cents,
                   coalesce(payload->'assunto'->>'reserva', payload->'assunto'->>'assinatura') as subject
              from (select convert_from(payload, 'UTF8')::jsonb as payload from log.events
                     where type = 'financeiro.LancamentoRegistrado') e,
                   jsonb_array_elements(payload->'partidas') as line
            """

        func movements(from: DataCivil, to: DataCivil, unit: UnidadeID?) async throws -> [ContaContabil: [Int64]] {
            let rows = try await pool.rows(
                PostgresStatement(
                    """
                    select account, sum(debit_cents)::bigint as debit_cents, sum(credit_cents)::bigint as credit_cents
                      from (\(Self.lines)) l
                     where day >= $1 and day <= $2 and ($3 = '' or unit = $3) group by account
                    """,
                    PostgresDate(from), PostgresDate(to), unit?.texto ?? ""
                ),
                AccountMovement.init(row:)
            )
            return Dictionary(uniqueKeysWithValues: rows.map { ($0.account, [$0.debit.centavos, $0.credit.centavos]) })
        }

        func owed() async throws -> [String: Int64] {
            let rows = try await pool.rows(
                PostgresStatement(
                    """
                    select subject, sum(debit_cents - credit_cents)::bigint as amount from (\(Self.lines)) l
                     where account = 'a_receber' and subject is not null group by subject having sum(debit_cents - credit_cents) <> 0
                    """
                )
            ) { (try $0.get("subject", String.self), try $0.get("amount", Int64.self)) }
            return Dictionary(uniqueKeysWithValues: rows)
        }
    }

    @Test("Every figure is the one that the log itself gives", arguments: [1, 2, 3] as [UInt64])
    func oracle(seed: UInt64) async throws {
        let log = try RandomHistory.make(events: 1_500, seed: seed)
        let (first, last) = (Samples.time(0).diaUTC, Samples.time(4_000).diaUTC)
        try await TestDatabase.with { database in
            // Given the read model, written in batches, and the log
            try await Self.project(log, into: database)
            let oracle = Oracle(pool: database.pool)
            let queries = RazaoQueries(pool: database.gateway)
            for unit in [nil, Samples.id(2), Samples.id(4)] as [UnidadeID?] {
                for (from, to) in [(first, last), (first, first), (first.somandoDias(1), last), (last, last)] {
                    // When
                    let movements = try await queries.movements(from: from, to: to, unit: unit)
                    // Then
                    let found = Dictionary(uniqueKeysWithValues: movements.map { ($0.account, [$0.debit.centavos, $0.credit.centavos]) })
                    #expect(found == (try await oracle.movements(from: from, to: to, unit: unit)))
                    // And debits equal credits
                    #expect(movements.reduce(0) { $0 + $1.debit.centavos - $1.credit.centavos } == 0)
                    // And days and months add up to the same
                    let days = try await queries.daily(from: from, to: to, unit: unit)
                    #expect(Self.sum(days) == found)
                    let months = try await queries.monthly(from: MesCivil(de: from), to: MesCivil(de: to), unit: unit)
                    let whole = try await oracle.movements(
                        from: MesCivil(de: from).primeiroDia, to: MesCivil(de: to).ultimoDia, unit: unit)
                    #expect(Self.sum(months) == whole)
                }
            }
            let owed = try await queries.receivables(limit: 1_000)
            #expect(Dictionary(uniqueKeysWithValues: owed.map { ($0.subject, $0.amount.centavos) }) == (try await oracle.owed()))
            #expect(!owed.isEmpty)
            // And the pages of the lines are all lines, in order
            var lines: [LedgerLine] = []
            var cursor: Cursor?
            repeat {
                let page = try await queries.lines(LedgerFilter(), limit: 37, after: cursor)
                lines += page.items
                cursor = page.next
            } while cursor != nil
            let entries = log.events.filter { $0.type == LancamentoRegistrado.tipo }.count
            #expect(lines.count == 2 * entries)
            #expect(Set(lines.map { "\($0.position) \($0.number)" }).count == lines.count)
            #expect(lines.map(\.day) == lines.map(\.day).sorted())
        }
    }

    private static func sum(_ movements: [DatedMovement]) -> [ContaContabil: [Int64]] {
        movements.reduce(into: [:]) { sums, dated in
            let movement = dated.movement
            let sum = sums[movement.account] ?? [0, 0]
            sums[movement.account] = [sum[0] + movement.debit.centavos, sum[1] + movement.credit.centavos]
        }
    }

    static func project(_ log: TestLog, into database: TestDatabase) async throws {
        try await log.write(to: database.pool)
        let target = ProjectionTarget(RazaoModel(), opener: PlainOpener(), pool: database.projector, logger: TestDatabase.logger)
        var position = try #require(try await target.acquire())
        for start in stride(from: 0, to: log.events.count, by: 70) {
            let batch = Array(log.events[start..<min(start + 70, log.events.count)])
            let end = try #require(batch.last).position
            try await target.apply(batch, after: position, through: end)
            position = end
        }
    }
}
