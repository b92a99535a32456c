package import Domain
import EventStore
import Postgres

/// What people were told, how they want it, their bookings as a calendar shows them, and what happens while somebody watches.
package struct NotificacoesModel: ReadModel {
    package init() {}

    package let name = "notificacoes"
    package let revision = 2

    package let tables = [notices, messages, preferences, feeds, calendar, activity, subjects, webhooks]

    /// What lies in people's apps.
    static let notices = Table(
        "notificacoes_notices",
        columns: [
            Column("id", .uuid), Column("user_id", .uuid), Column("kind", .text), Column("title", .text), Column("body", .text),
            Column("booking_id", .uuid, nullable: true), Column("created_at", .timestamp), Column("read_at", .timestamp, nullable: true),
        ],
        key: ["id"],
        indexes: ["(user_id, created_at, id)"]
    )

    /// What goes out over other channels, and what became of it; without its words.
    static let messages = Table(
        "notificacoes_messages",
        columns: [
            Column("id", .uuid), Column("user_id", .uuid, nullable: true), Column("kind", .text), Column("channel", .text),
            Column("status", .text), Column("reason", .text, nullable: true), Column("attempts", .integer),
            Column("created_at", .timestamp), Column("send_at", .timestamp), Column("settled_at", .timestamp, nullable: true),
        ],
        key: ["id"],
        indexes: ["(created_at, id)", "(status, send_at)"]
    )

    static let preferences = Table(
        "notificacoes_preferences",
        columns: [
            Column("user_id", .uuid), Column("language", .text), Column("choices", .jsonb), Column("quiet", .jsonb, nullable: true),
            Column("phone", .text, nullable: true), Column("device", .text, nullable: true),
        ],
        key: ["user_id"]
    )

    /// Whose calendar a secret opens, by the secret's digest.
    static let feeds = Table(
        "notificacoes_feeds",
        columns: [Column("user_id", .uuid), Column("digest", .text)],
        key: ["user_id"],
        indexes: ["(digest)"]
    )

    static let calendar = Table(
        "notificacoes_calendar",
        columns: [
            Column("id", .uuid), Column("user_id", .uuid), Column("space_id", .uuid), Column("unit_id", .uuid),
            Column("starts_at", .timestamp), Column("ends_at", .timestamp), Column("time_zone", .text), Column("status", .text),
            Column("sequence", .integer), Column("changed_at", .timestamp),
        ],
        key: ["id"],
        indexes: ["(user_id, ends_at, id)"]
    )

    /// A line an event that somebody may watch for; whose it is, where only the booking knows, is in `calendar`, and where only the
    /// beginning of its subject knows, in `subjects`.
    static let activity = Table(
        "notificacoes_activity",
        columns: [
            Column("position", .bigint), Column("at", .timestamp), Column("type", .text), Column("subject", .uuid),
            Column("booking_id", .uuid, nullable: true), Column("user_id", .uuid, nullable: true),
        ],
        key: ["position"]
    )

    /// Whom charges and places in a line concern, and where.
    static let subjects = Table(
        "notificacoes_subjects",
        columns: [
            Column("id", .uuid), Column("user_id", .uuid), Column("space_id", .uuid, nullable: true),
            Column("unit_id", .uuid, nullable: true),
        ],
        key: ["id"]
    )

    static let webhooks = Table(
        "notificacoes_webhooks",
        columns: [
            Column("id", .uuid), Column("url", .text), Column("types", .jsonb), Column("active", .boolean),
            Column("reason", .text, nullable: true), Column("created_by", .uuid), Column("created_at", .timestamp),
        ],
        key: ["id"],
        indexes: ["(created_at, id)"]
    )

    package let eventTypes: Set<String> = [
        ReservaSolicitada.tipo, ReservaConfirmada.tipo, ReservaExpirada.tipo, ReservaRemarcada.tipo, ReservaCancelada.tipo,
        ReservaConcluida.tipo, ReservaNaoComparecida.tipo, ReservaAprovada.tipo, EsperaInscrita.tipo, EsperaOferecida.tipo,
        EsperaAtendida.tipo, EsperaVencida.tipo, EsperaRetirada.tipo, CobrancaCriada.tipo, PagamentoAprovado.tipo, PagamentoRecusado.tipo,
        CobrancaExpirada.tipo, PagamentoEstornado.tipo, CheckinRealizado.tipo, CheckoutRealizado.tipo, ExcedenteApurado.tipo,
        NotificacaoSolicitada.tipo, NotificacaoEnviada.tipo, NotificacaoFalhou.tipo, NotificacaoLida.tipo, PreferenciasDefinidas.tipo,
        AgendaCompartilhada.tipo, AgendaRecolhida.tipo, WebhookCadastrado.tipo, WebhookAlterado.tipo, WebhookDesativado.tipo,
        WebhookReativado.tipo, WebhookRemovido.tipo, UsuarioApagado.tipo,
    ]

    package func sealedTexts(in event: EventoDoDominio) -> [SealedText] {
        switch event {
        case .notificacoes(.notificacaoSolicitada(let event)) where event.canal == .app:
            [SealedText(event.titulo, field: "titulo"), SealedText(event.texto, field: "texto")]
        case .notificacoes(.preferenciasDefinidas(let event)):
            [event.telefone.map { SealedText($0, field: "telefone") }, event.dispositivo.map { SealedText($0, field: "dispositivo") }]
                .compactMap(\.self)
        default: []
        }
    }

    package func apply(_ event: ProjectedEvent, to changes: inout Changes) throws {
        switch event.event {
        case .reservas(let change): try apply(change, of: event, to: &changes)
        case .notificacoes(let change): try apply(change, of: event, to: &changes)
        case .pagamentos(let change): try apply(change, of: event, to: &changes)
        case .checkin(let change): try apply(change, of: event, to: &changes)
        case .usuarios(.usuarioApagado(let change)): try scrub(change.usuario, in: &changes)
        case .usuarios, .espacos, .precos, .analytics, .financeiro: break
        }
    }

    /// What an erased person was told reads from here on as it does without their key; nobody follows their calendar.
    private func scrub(_ user: UsuarioID, in changes: inout Changes) throws {
        let erased = PostgresValue.text(Keyring.erasedText)
        try changes.sweep(Self.notices, where: "user_id", is: .id(user), set: ["title": erased, "body": erased])
        for column in ["phone", "device"] {
            try changes.sweep(Self.preferences, where: "user_id", is: .id(user), having: .present(column), set: [column: erased])
        }
        try changes.delete(Self.feeds, key: ["user_id": .id(user)])
    }
}
