import Domain
import Postgres

extension SimulationDriver {
    /// How often each rule of the business said no.
    func refusalFigures() -> [SimulationFigure] {
        refusals.sorted { $0.key < $1.key }.map { SimulationFigure(name: "refused, \($0.key)", value: "\($0.value)") }
    }
}

/// The figures. Ids and what providers call things differ from run to run and are in none.
extension SimulationAudit {
    /// By name: Postgres is free to answer the parts of a `union all` in any order, and does so when it works on them in parallel.
    func figures() async throws -> [SimulationFigure] {
        var figures: [SimulationFigure] = []
        for (sql, money) in Self.queries {
            for row in try await ask(sql) {
                let (name, value) = (try row.get(0, String.self), try row.get(1, Int64.self))
                figures.append(SimulationFigure(name: name, value: money ? Self.reais(value) : "\(value)"))
            }
        }
        return figures.sorted { $0.name < $1.name }
    }

    static func reais(_ cents: Int64) -> String {
        let (whole, rest) = cents.magnitude.quotientAndRemainder(dividingBy: 100)
        return "\(cents < 0 ? "-" : "")\(whole).\(rest < 10 ? "0" : "")\(rest)"
    }

    private static let queries: [(sql: String, isMoney: Bool)] = [
        ("select 'members', count(*) from log.events where type = 'usuarios.UsuarioCadastrado'", false),
        (
            """
            \(bookings)
            select 'bookings', count(*) from bookings
            union all select 'bookings, ' || status, count(*) from bookings group by status
            union all select 'bookings, ' || (payload #>> '{ficha,tipo}'), count(*) from bookings
                join (select payload ->> 'espaco' as space, payload from (
                        select convert_from(payload, 'UTF8')::jsonb as payload from log.events where type = 'espacos.EspacoCriado') e) s
                using (space) group by 1
            union all select 'booked minutes of seats', coalesce(sum(extract(epoch from ends - starts) / 60 * seats)
                filter (where status in ('active', 'completed')), 0)::bigint from bookings
            """, false
        ),
        (
            """
            select 'events, ' || type, count(*) from log.events where type in (
                'reservas.ReservaRemarcada', 'reservas.ReservaAprovada', 'reservas.ReservaRetomada', 'reservas.SerieCriada',
                'reservas.EsperaInscrita', 'reservas.EsperaOferecida', 'reservas.EsperaAtendida', 'reservas.EsperaVencida',
                'checkin.CheckinRealizado', 'checkin.CheckoutRealizado', 'checkin.ExcedenteApurado', 'pagamentos.PagamentoAprovado',
                'pagamentos.PagamentoRecusado', 'pagamentos.PagamentoEstornado', 'pagamentos.EstornoRecusado', 'precos.CupomUsado', 'precos.CupomDevolvido',
                'precos.AssinaturaIniciada', 'precos.AssinaturaRenovada', 'precos.AssinaturaCancelada', 'financeiro.DespesaRegistrada',
                'financeiro.DespesaEstornada', 'reservas.ConvidadosDefinidos', 'usuarios.UsuarioApagado', 'notificacoes.WebhookDesativado',
                'financeiro.PeriodoFechado') group by type
            """, false
        ),
        (
            """
            select 'credits, minutes ' || kind, sum(minutes)::bigint from (
                select 'granted' as kind, (convert_from(payload, 'UTF8')::jsonb ->> 'minutos')::bigint as minutes
                  from log.events where type = 'precos.CreditosConcedidos'
                union all
                select case type when 'precos.CreditosConsumidos' then 'used' else 'returned' end, (l ->> 'minutos')::bigint
                  from log.events, jsonb_array_elements(convert_from(payload, 'UTF8')::jsonb -> 'lotes') l
                 where type in ('precos.CreditosConsumidos', 'precos.CreditosDevolvidos')
            ) c group by kind
            """, false
        ),
        (
            """
            select 'notices, ' || (convert_from(payload, 'UTF8')::jsonb ->> 'aviso'), count(*) from log.events
             where type = 'notificacoes.NotificacaoSolicitada' group by 1
            union all
            select 'subscriptions ended, ' || (convert_from(payload, 'UTF8')::jsonb ->> 'motivo'), count(*) from log.events
             where type = 'precos.AssinaturaCancelada' group by 1
            """, false
        ),
        (
            """
            select 'payments, ' || (convert_from(payload, 'UTF8')::jsonb ->> 'metodo'),
                   sum((convert_from(payload, 'UTF8')::jsonb #>> '{valor,centavos}')::bigint)::bigint
              from log.events where type = 'pagamentos.PagamentoAprovado' group by 1
            """, true
        ),
        (
            """
            select 'payments', coalesce(sum((convert_from(payload, 'UTF8')::jsonb #>> '{valor,centavos}')::bigint), 0)::bigint
              from log.events where type = 'pagamentos.PagamentoAprovado'
            union all
            select 'payments, late', coalesce(sum((p #>> '{valor,centavos}')::bigint), 0)::bigint
              from (select convert_from(payload, 'UTF8')::jsonb as p from log.events where type = 'pagamentos.PagamentoAprovado') e
             where p ->> 'tardio' = 'true'
            union all
            select 'payments given back', coalesce(sum((convert_from(payload, 'UTF8')::jsonb #>> '{valor,centavos}')::bigint), 0)::bigint
              from log.events where type = 'pagamentos.PagamentoEstornado'
            union all
            select 'coupons', coalesce(sum(case type when 'precos.CupomUsado' then 1 else -1 end
                       * (convert_from(payload, 'UTF8')::jsonb #>> '{desconto,centavos}')::bigint), 0)::bigint
              from log.events where type in ('precos.CupomUsado', 'precos.CupomDevolvido')
            """, true
        ),
        (
            "\(bookings) select 'booked', coalesce(sum(cents) filter (where status in ('active', 'completed')), 0)::bigint from bookings",
            true
        ),
        ("\(ledger) select 'account, ' || account, sum(debit - credit)::bigint from lines group by account", true),
    ]

    /// The lines of the ledger's entries.
    static let ledger = """
        with lines as (
            select e.position, l ->> 'conta' as account,
                   case l ->> 'lado' when 'debito' then (l #>> '{valor,centavos}')::bigint else 0 end as debit,
                   case l ->> 'lado' when 'credito' then (l #>> '{valor,centavos}')::bigint else 0 end as credit
              from log.events e, jsonb_array_elements(convert_from(e.payload, 'UTF8')::jsonb -> 'partidas') l
             where e.type = 'financeiro.LancamentoRegistrado'
        )
        """
}
