package import Domain
import FoundationEssentials
package import Postgres

/// What is asked of notices, preferences, calendars and webhooks. Who may see what is for the caller to know.
package struct NotificacoesQueries: Sendable {
    /// The read models that the queries read.
    package static let models: Set<String> = ["notificacoes"]
    /// Calendars name spaces and units.
    package static let calendarModels: Set<String> = ["notificacoes", "catalogo"]
    /// The most bookings in one calendar.
    private static let longestCalendar = 1000

    private let pool: PostgresPool
    private let schema: String

    /// - Parameter pool: connections of a role that may read the schema.
    package init(pool: PostgresPool, schema: String = "read") {
        self.pool = pool
        self.schema = schema
    }

    /// What somebody was told in the app, the newest first.
    package func notices(
        of user: UsuarioID,
        unreadOnly: Bool = false,
        limit: Int,
        after cursor: Cursor? = nil
    ) async throws -> ResultPage<NoticeRecord> {
        let statement = try noticesStatement(of: user, unreadOnly: unreadOnly, limit: limit, after: cursor)
        return ResultPage(try await pool.rows(statement, NoticeRecord.init(row:)), limit: limit) { Cursor($0.createdAt, $0.id.uuid) }
    }

    func noticesStatement(of user: UsuarioID, unreadOnly: Bool, limit: Int, after cursor: Cursor?) throws -> PostgresStatement {
        var select = SelectBuilder("select \(NoticeRecord.columns) from \(schema).notificacoes_notices")
        select.require("user_id = \(select.bind(user.uuid))")
        if unreadOnly { select.require("read_at is null") }
        if let cursor {
            let (time, id) = try cursor.instantAndID()
            select.require("(created_at, id) < (\(select.bind(PostgresTimestamp(time))), \(select.bind(id)))")
        }
        return select.page(orderBy: "created_at desc, id desc", limit: limit)
    }

    /// Nil for somebody who has never said anything about it.
    package func preferences(of user: UsuarioID) async throws -> PreferencesRecord? {
        try await pool.rows(
            PostgresStatement(
                """
                select p.language, p.choices, p.quiet, p.phone, p.device,
                       exists (select from \(schema).notificacoes_feeds f where f.user_id = p.user_id) as shares
                  from \(schema).notificacoes_preferences p where p.user_id = $1
                """,
                user.uuid
            ),
            PreferencesRecord.init(row:)
        ).first
    }

    // MARK: Calendars

    private var calendarColumns: String {
        """
        select c.id, c.user_id, c.unit_id, c.starts_at, c.ends_at, c.time_zone, c.status, c.sequence, c.changed_at, s.name as space,
               u.name || ', ' || u.address as place
          from \(schema).notificacoes_calendar c
          join \(schema).catalogo_spaces s on s.id = c.space_id
          join \(schema).catalogo_units u on u.id = c.unit_id
        """
    }

    /// A booking, nil where there is none.
    package func calendar(of booking: ReservaID) async throws -> CalendarRecord? {
        try await pool.rows(PostgresStatement("\(calendarColumns) where c.id = $1", booking.uuid), CalendarRecord.init(row:)).first
    }

    /// The bookings of whoever's calendar this digest of a secret opens, those that end after a moment, the soonest first; nil
    /// where it opens nobody's.
    package func calendar(opening digest: String, after moment: Instante) async throws -> [CalendarRecord]? {
        let owner = try await pool.rows(
            PostgresStatement("select user_id from \(schema).notificacoes_feeds where digest = $1", digest)
        ) { row -> UsuarioID in try row.id("user_id") }.first
        guard let owner else { return nil }
        return try await pool.rows(
            PostgresStatement(
                "\(calendarColumns) where c.user_id = $1 and c.ends_at > $2 order by c.ends_at, c.id limit $3",
                owner.uuid,
                PostgresTimestamp(moment),
                Int64(Self.longestCalendar)
            ),
            CalendarRecord.init(row:)
        )
    }

    // MARK: What happens

    /// What happened after a position, in order.
    package func activity(after position: Int64, limit: Int) async throws -> [ActivityRecord] {
        try await pool.rows(
            PostgresStatement(
                """
                select a.position, a.at, a.type, a.subject, a.booking_id, coalesce(a.user_id, c.user_id, s.user_id) as user_id,
                       coalesce(c.space_id, s.space_id) as space_id, coalesce(c.unit_id, s.unit_id) as unit_id
                  from \(schema).notificacoes_activity a
                  left join \(schema).notificacoes_calendar c on c.id = a.booking_id
                  left join \(schema).notificacoes_subjects s on s.id = a.subject
                 where a.position > $1 order by a.position limit $2
                """,
                position,
                Int64(limit)
            ),
            ActivityRecord.init(row:)
        )
    }

    /// How far the log has been considered.
    package func considered() async throws -> Int64 {
        try await pool.rows(PostgresStatement("select position from \(schema).checkpoints where name = 'notificacoes'")) { row in
            try row.get("position", Int64.self)
        }.first ?? 0
    }

    // MARK: Webhooks

    /// All of them, the oldest first: there are few.
    package func webhooks() async throws -> [WebhookRecord] {
        try await pool.rows(
            PostgresStatement("select \(WebhookRecord.columns) from \(schema).notificacoes_webhooks order by created_at, id limit 200"),
            WebhookRecord.init(row:)
        )
    }

    /// Nil where there is none.
    package func webhook(_ id: WebhookID) async throws -> WebhookRecord? {
        try await pool.rows(
            PostgresStatement("select \(WebhookRecord.columns) from \(schema).notificacoes_webhooks where id = $1", id.uuid),
            WebhookRecord.init(row:)
        ).first
    }
}
