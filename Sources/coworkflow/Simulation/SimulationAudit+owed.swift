import Domain
import EventStore
import Postgres

/// Who owes what, and what goes back.
extension SimulationAudit {
    /// The fees of subscriptions' periods, whether each was paid, and whether its subscription ended at once since.
    private static let fees = """
        with told as (
            select position, type, convert_from(payload, 'UTF8')::jsonb as p from log.events
             where type in ('precos.AssinaturaIniciada', 'precos.AssinaturaRenovada', 'precos.AssinaturaCancelada', 'pagamentos.PagamentoAprovado')
        ), paid as (
            select p #>> '{causa,mensalidade,usuario}' as member, p #>> '{causa,mensalidade,inicio}' as begun
              from told where type = 'pagamentos.PagamentoAprovado' and (p ->> 'quita')::boolean
        ), ended as (
            select position, p ->> 'usuario' as member from told
             where type = 'precos.AssinaturaCancelada' and (p ->> 'termina_em')::timestamptz <= (p ->> 'em')::timestamptz
        ), fees as (
            select t.position, p ->> 'usuario' as member, (p ->> 'vence_em')::timestamptz as due,
                   (p #>> '{mensalidade,centavos}')::bigint as cents,
                   exists (select from paid where member = p ->> 'usuario' and begun = p #>> '{periodo,inicio}') as is_paid,
                   exists (select from ended e where e.member = p ->> 'usuario' and e.position > t.position) as has_ended
              from told t
             where type in ('precos.AssinaturaIniciada', 'precos.AssinaturaRenovada') and (p #>> '{mensalidade,centavos}')::bigint > 0
        )
        """

    func fees() async throws -> String? {
        let rows = try await ask(
            """
            \(Self.fees)
            select member, position from fees where not is_paid and not has_ended and due + $1 * interval '1 microsecond' < $2
             order by position limit 1
            """,
            // An hour for what is under way.
            (Mensalidade.tolerancia + .horas(1)).microssegundos,
            PostgresTimestamp(microsecondsSinceEpoch: clock.now)
        )
        return try rows.first.map { "the fee of position \(try $0.get(1, Int64.self)) is not paid, and nothing has ended" }
    }

    /// What was used and not paid, from bookings and payments, beside the account.
    func receivables() async throws -> String? {
        let booked = try await ask(
            """
            \(Self.bookings), money as (
                select coalesce(p #>> '{causa,reserva}', p #>> '{causa,diferenca,reserva}') as id, p #>> '{causa,excedente}' as overtime,
                       (p #>> '{valor,centavos}')::bigint as cents
                  from (select convert_from(payload, 'UTF8')::jsonb as p from log.events where type = 'pagamentos.PagamentoAprovado') e
                 where (p ->> 'quita')::boolean
            ), used as (
                select greatest(0, b.cents - b.refund - coalesce(m.cents, 0)) as cents
                  from bookings b left join (select id, sum(cents) as cents from money group by id) m using (id)
                 where status in ('completed', 'no_show')
            ), stayed as (
                select (p #>> '{valor,centavos}')::bigint as cents, p ->> 'reserva' as id
                  from (select convert_from(payload, 'UTF8')::jsonb as p from log.events where type = 'checkin.ExcedenteApurado') e
            )
            select (coalesce((select sum(cents) from used), 0)
                   + coalesce((select sum(cents) from stayed where id not in (select overtime from money where overtime is not null)), 0))::bigint
            """
        )
        let fees = try await ask("\(Self.fees) select coalesce(sum(cents), 0)::bigint from fees where not is_paid and not has_ended")
        let account = try await ask("\(Self.ledger) select coalesce(sum(debit - credit), 0)::bigint from lines where account = 'a_receber'")
        guard let booked = try booked.first?.get(0, Int64.self), let fees = try fees.first?.get(0, Int64.self),
            let account = try account.first?.get(0, Int64.self)
        else { return "there are no figures" }
        if booked + fees == account { return nil }
        return "\(Self.reais(booked)) for bookings and \(Self.reais(fees)) for plans are not \(Self.reais(account))"
    }

    /// What is asked for near the end may be under way.
    func refunds() async throws -> String? {
        let rows = try await ask(
            """
            with told as (
                select position, type, convert_from(payload, 'UTF8')::jsonb as p from log.events
                 where type in ('pagamentos.EstornoSolicitado', 'pagamentos.PagamentoEstornado', 'pagamentos.EstornoRecusado',
                                'pagamentos.PagamentoAprovado')
            ), open as (
                select min(position) as position from told a
                 where type = 'pagamentos.EstornoSolicitado' and (p ->> 'em')::timestamptz < $1
                   and p ->> 'estorno' not in (
                       select p ->> 'estorno' from told where type in ('pagamentos.PagamentoEstornado', 'pagamentos.EstornoRecusado'))
            ), excess as (
                select max(position) as position from told
                 where type in ('pagamentos.PagamentoAprovado', 'pagamentos.PagamentoEstornado')
                 group by p ->> 'transacao'
                having sum(case type when 'pagamentos.PagamentoAprovado' then 1 else -1 end * (p #>> '{valor,centavos}')::bigint) < 0
            )
            select (select position from open), (select min(position) from excess)
            """,
            PostgresTimestamp(microsecondsSinceEpoch: clock.now - 86_400_000_000)
        )
        guard let row = rows.first else { return nil }
        if let position = try row.get(0, Int64?.self) { return "what is asked for at position \(position) is neither done nor refused" }
        return try row.get(1, Int64?.self).map { "with position \($0) more went back than came" }
    }

    func months() async throws -> String? {
        let rows = try await ask(
            "select convert_from(payload, 'UTF8')::jsonb ->> 'mes' from log.events where type = 'financeiro.PeriodoFechado'"
        )
        let closed = Set(try rows.map { try $0.get(0, String.self) })
        var month = MesCivil(de: plan.start.diaUTC)
        // It is closed on the second day.
        while month.fimEmTodaParte + .horas(48) <= plan.end {
            if !closed.contains(month.texto) { return "\(month) is open" }
            month = month.seguinte
        }
        return nil
    }
}
