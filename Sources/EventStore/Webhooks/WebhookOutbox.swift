import Domain
import FoundationEssentials
package import Postgres

/// Writes down, with its checkpoint, what each webhook is to be told: every event that it wants, from its registration on, once.
package final class WebhookOutbox: SubscriptionTarget {
    private static let lease = Duration.seconds(5)

    private let decoded: DecodedEvents
    private let pool: PostgresPool
    private let checkpoint: Checkpoint
    private let ring: @Sendable () -> Void

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
        let checkpoint = checkpoint
        return try await pool.withConnection { try checkpoint.acquire($0) }
    }

    package func isReleased(from halt: SubscriptionHalted) async throws -> Bool { false }

    package func release() async throws {
        let checkpoint = checkpoint
        try await pool.withConnection { try checkpoint.release($0) }
    }

    package func apply(_ events: [RecordedEvent], after position: Position, through end: Position) async throws {
        let statements = [checkpoint.moving(from: position, to: end)] + (try Self.statements(for: events, decoded))
        try await pool.withConnection { connection in
            _ = try CheckpointMoved.recognising { try connection.pipeline(statements) }
        }
        ring()
    }

    /// In the order of the log: a webhook is told of what comes after its registration and before its end.
    private static func statements(for events: [RecordedEvent], _ decoded: DecodedEvents) throws -> [PostgresStatement] {
        var statements: [PostgresStatement] = []
        var offered: [RecordedEvent] = []
        for event in events {
            offered.append(event)
            guard event.type.hasPrefix("notificacoes.Webhook") else { continue }
            // Whoever is registered by it is not told of it.
            statements.append(offer(offered))
            offered = []
            do {
                statements += try change(by: try decoded.event(event))
            } catch {
                throw SubscriptionHalted(at: event.position, because: "\(error)")
            }
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
            on conflict do nothing
            """,
            PostgresArray(events.map(\.position.rawValue)),
            PostgresArray(events.map(\.id)),
            PostgresArray(events.map(\.type)),
            PostgresArray(events.map { PostgresTimestamp(microsecondsSinceEpoch: $0.recordedAt) })
        )
    }

    private static func change(by event: EventoDoDominio) throws -> [PostgresStatement] {
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
