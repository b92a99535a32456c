import Domain
import EventStore
import FoundationEssentials
import Postgres

/// Who is told what, and who is forgotten.
extension SimulationAudit {
    /// Goes through the log for what somebody is to be told of, and for what they were told in the app.
    func notices() async throws -> String? {
        let reader = LogReader(pool: pool)
        let decoded = DecodedEvents(capacity: 0)
        var untold: [String: Int64] = [:]
        var told: Set<String> = []
        var position = Position.start
        while true {
            let page = try await reader.page(after: position, contexts: ["reservas", "pagamentos", "checkin", "precos", "notificacoes"])
            for recorded in page.events {
                let event = try decoded.event(recorded)
                if CausaDoAviso(event) != nil { untold[recorded.id.uuidString.lowercased()] = recorded.position.rawValue }
                guard case .notificacoes(.notificacaoSolicitada(let notice)) = event, notice.canal == .app, let cause = notice.causa?.texto
                else { continue }
                // One cause may concern several: whoever may approve is asked.
                let recipient = notice.destinatario?.texto ?? ""
                guard told.insert("\(cause) \(recipient)").inserted else {
                    return "somebody is told again at position \(recorded.position.rawValue)"
                }
                untold[cause] = nil
            }
            guard page.end > position else { break }
            position = page.end
        }
        return try await ofErased(Array(untold.values)).map { "nobody is told of position \($0)" }
    }

    /// - Returns: the first of some positions whose event concerns nobody who has been erased.
    private func ofErased(_ positions: [Int64]) async throws -> Int64? {
        try await ask(
            """
            select min(position) from (
                select position, convert_from(payload, 'UTF8')::jsonb as p from log.events where position = any($1)) e
             where not exists (
                 select from log.events g
                  where g.type = 'usuarios.UsuarioApagado'
                    and g.stream = 'usuario-' || coalesce(p ->> 'usuario', (
                        select convert_from(b.payload, 'UTF8')::jsonb ->> 'usuario' from log.events b
                         where b.stream = 'reserva-' || (p ->> 'reserva') and b.version = 1)))
            """,
            PostgresArray(positions)
        ).first?.get(0, Int64?.self) ?? nil
    }

    func erasures() async throws -> String? {
        let rows = try await ask(
            """
            select count(*) from keys.personal k join log.events e on e.stream = 'usuario-' || k.subject
             where e.type = 'usuarios.UsuarioApagado' and k.wrapped is not null
            """
        )
        guard let left = try rows.first?.get(0, Int64.self), left > 0 else { return nil }
        return "\(left) keys of erased people are there"
    }

    /// What the log says that each was to be told of, beside what it was told.
    func webhooks(_ receiver: SimulatedReceiver) async throws -> String? {
        for (door, types) in SimulatedReceiver.doors {
            let told = receiver.told(door)
            if let twice = told.taken.filter({ $0.value > 1 }).keys.min() { return "\(door.rawValue) was told twice of \(twice)" }
            let wanted = try await wanted(types, by: told.webhook, until: door == .forsaken ? receiver.leaves : plan.end)
            let missing = wanted.subtracting(told.taken.keys).subtracting(door == .forsaken ? told.turnedAway : [])
            if let event = missing.min() { return "\(door.rawValue) was not told of \(event)" }
            let isHopeless = told.failures >= 20 && (told.lastFailure ?? plan.start) - (told.failingSince ?? plan.end) >= .horas(1)
            let isOff = try await isSwitchedOff(told.webhook)
            if isHopeless != isOff { return "\(door.rawValue) is \(isOff ? "" : "not ")switched off after \(told.failures) failures" }
        }
        return nil
    }

    /// The ids of events since a webhook's registration, without those that are to be delivered later.
    private func wanted(_ types: [String], by webhook: String, until time: Instante) async throws -> Set<String> {
        let rows = try await ask(
            """
            select e.event_id::text from log.events e
             where e.type = any($1) and e.recorded_at < $3
               and e.position > (select position from log.events where stream = 'webhook-' || $2 and version = 1)
               and not exists (
                   select from subs.webhook_deliveries d where d.webhook = $2::uuid and d.position = e.position and d.state = 'pending')
            """,
            PostgresArray(types),
            webhook,
            PostgresTimestamp(microsecondsSinceEpoch: time.microssegundos)
        )
        return Set(try rows.map { try $0.get(0, String.self) })
    }

    private func isSwitchedOff(_ webhook: String) async throws -> Bool {
        let rows = try await ask(
            "select exists (select from log.events where stream = 'webhook-' || $1 and type = 'notificacoes.WebhookDesativado')", webhook
        )
        return try rows.first?.get(0, Bool.self) ?? false
    }
}
