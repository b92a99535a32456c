import Domain
import FoundationEssentials
import Metrics
package import Postgres
import Synchronization

/// Writes down, with its checkpoint, what each webhook is to be told: every event that it wants, from its registration on, once; but
/// nothing that lies before `subs.beginning`.
///
/// It halts at an event of a webhook that it cannot apply: what comes after may have to go elsewhere, or nowhere.
package final class WebhookOutbox: SubscriptionTarget {
    private static let lease = Duration.seconds(5)
    private static let letters = DeadLetters(.policies)

    private let decoded: DecodedEvents
    private let pool: PostgresPool
    private let checkpoint: Checkpoint
    private let ring: @Sendable () -> Void
    /// What is known of the events that it could not apply.
    private let standing = Mutex(DeadLetters.Standing())

    package static let subscription = "notificacoes.webhooks"
    package let name = WebhookOutbox.subscription
    package let contexts: Set<String>? = nil

    /// - Parameters:
    ///   - pool: connections of a role that may write `subs` and read the log.
    ///   - ring: told when there may be something to deliver.
    package init(decoded: DecodedEvents, pool: PostgresPool, ring: @escaping @Sendable () -> Void) {
        self.decoded = decoded
        self.pool = pool
        self.ring = ring
        checkpoint = Checkpoint(table: .policies, name: Self.subscription, replica: UUID(), lease: Self.lease)
    }

    package func acquire() async throws -> Position? {
        let (name, checkpoint) = (name, checkpoint)
        let (position, standing) = try await pool.withConnection { connection -> (Position?, DeadLetters.Standing?) in
            let position = try checkpoint.acquire(connection)
            return (position, try position.map { try Self.letters.standing(of: name, at: $0, on: connection) })
        }
        if let standing { heed(standing) }
        return position
    }

    package func isReleased(from halt: SubscriptionHalted) async throws -> Bool {
        let name = name
        let standing = try await pool.withConnection { try Self.letters.standing(of: name, at: halt.position, on: $0) }
        heed(standing)
        guard let waiting = standing.waiting.values.first(where: { $0.first == halt.position }) else { return true }
        return waiting.isRetryAsked
    }

    package func release() async throws {
        let checkpoint = checkpoint
        try await pool.withConnection { try checkpoint.release($0) }
    }

    package func apply(_ events: [RecordedEvent], after position: Position, through end: Position) async throws {
        try await Poison.search(events[...], after: position, through: end, apply: write, blame: halt)
    }

    private func write(_ events: ArraySlice<RecordedEvent>, after position: Position, through end: Position) async throws {
        let standing = standing.withLock { $0 }
        let wanted = events.filter { !standing.skipped.contains($0.position) }
        var statements = [checkpoint.moving(from: position, to: end)] + (try Self.statements(for: wanted, decoded))
        let failedBefore = standing.first.flatMap { position < $0 && $0 <= end ? $0 : nil }
        if let failedBefore { statements.append(Self.letters.removing([failedBefore], of: name)) }
        let pipeline = statements
        try await pool.withConnection { connection in
            _ = try CheckpointMoved.recognising { try connection.pipeline(pipeline) }
        }
        if failedBefore != nil { heed(DeadLetters.Standing(skipped: standing.skipped)) }
        ring()
    }

    private func halt(at event: RecordedEvent, because reason: String, after position: Position, through end: Position) async throws {
        let (name, checkpoint) = (name, checkpoint)
        let setAside = Self.letters.setting(aside: [DeadLetters.Entry(event, because: reason)], for: name)
        let standing = try await pool.transaction { connection in
            _ = try CheckpointMoved.recognising {
                try connection.pipeline([checkpoint.moving(from: position, to: position), setAside])
            }
            return try Self.letters.standing(of: name, at: position, on: connection)
        }
        heed(standing)
        throw SubscriptionHalted(at: event.position, because: reason)
    }

    private func heed(_ standing: DeadLetters.Standing) {
        self.standing.withLock { $0 = standing }
        Gauge(label: "coworkflow_dead_letters", dimensions: [("subscription", name)]).record(standing.count)
    }

    /// In the order of the log: a webhook is told of what comes after its registration and before its end.
    private static func statements(
        for events: [RecordedEvent],
        _ decoded: DecodedEvents
    ) throws(ErroDeCodec) -> [PostgresStatement] {
        var statements: [PostgresStatement] = []
        var offered: [RecordedEvent] = []
        for event in events {
            offered.append(event)
            guard event.type.hasPrefix("notificacoes.Webhook") else { continue }
            // Whoever is registered by it is not told of it.
            statements.append(offer(offered))
            offered = []
            statements += change(by: try decoded.event(event))
        }
        if !offered.isEmpty { statements.append(offer(offered)) }
        return statements
    }

    private static func offer(_ events: [RecordedEvent]) -> PostgresStatement {
        PostgresStatement(
            """
            insert into subs.webhook_deliveries (webhook, position, event_id, type, next_at, created_at)
            select w.id, e.position, e.id, e.type, e.at, e.at
              from unnest($1::bigint[], $2::uuid[], $3::text[], $4::timestamptz[]) as e (position, id, type, at)
              join subs.webhooks w
                on w.active and (e.type = any(w.types) or split_part(e.type, '.', 1) || '.*' = any(w.types))
             where e.position > (select b.position from subs.beginning b)
            on conflict do nothing
            """,
            PostgresArray(events.map(\.position.rawValue)),
            PostgresArray(events.map(\.id)),
            PostgresArray(events.map(\.type)),
            PostgresArray(events.map { PostgresTimestamp(microsecondsSinceEpoch: $0.recordedAt) })
        )
    }

    private static func change(by event: EventoDoDominio) -> [PostgresStatement] {
        guard case .notificacoes(let change) = event else { return [] }
        switch change {
        case .webhookCadastrado(let change):
            return [
                PostgresStatement(
                    """
                    insert into subs.webhooks (id, url, types, secret, active) values ($1, $2, $3, $4, true)
                    on conflict (id) do update set url = excluded.url, types = excluded.types, secret = excluded.secret, active = true
                    """,
                    change.webhook.uuid,
                    change.endereco,
                    PostgresArray(change.tipos.map(\.texto)),
                    change.segredo.texto
                )
            ]
        case .webhookAlterado(let change):
            return [
                PostgresStatement(
                    "update subs.webhooks set url = $2, types = $3 where id = $1",
                    change.webhook.uuid,
                    change.endereco,
                    PostgresArray(change.tipos.map(\.texto))
                )
            ]
        case .webhookDesativado(let change): return switching(change.webhook, on: false)
        case .webhookReativado(let change): return switching(change.webhook, on: true)
        case .webhookRemovido(let change):
            return [PostgresStatement("delete from subs.webhooks where id = $1", change.webhook.uuid)]
        case .notificacaoSolicitada, .notificacaoEnviada, .notificacaoFalhou, .notificacaoLida, .preferenciasDefinidas,
            .agendaCompartilhada, .agendaRecolhida:
            return []
        }
    }

    private static func switching(_ webhook: WebhookID, on: Bool) -> [PostgresStatement] {
        let change = PostgresStatement(
            "update subs.webhooks set active = $2, failures = 0, failing_since = null where id = $1", webhook.uuid, on
        )
        guard !on else { return [change] }
        return [
            change,
            PostgresStatement(
                """
                update subs.webhook_deliveries set state = 'dropped', settled_at = now() where webhook = $1 and state = 'pending'
                """,
                webhook.uuid
            ),
        ]
    }
}

extension Identificador {
    fileprivate var uuid: UUID { UUID(high: alto, low: baixo) }
}
