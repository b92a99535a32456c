package import Domain
import EventStore
import FoundationEssentials
package import Postgres

/// What is asked of accounts. Who may ask is for the caller to know.
package struct ContasQueries: Sendable {
    /// The read models that the queries read.
    package static let models: Set<String> = ["contas"]

    private let pool: PostgresPool
    private let schema: String

    /// - Parameter pool: connections of a role that may read the schema.
    package init(pool: PostgresPool, schema: String = "read") {
        self.pool = pool
        self.schema = schema
    }

    /// The accounts that pass the filter, the newest first.
    package func users(
        _ filter: UserFilter = UserFilter(),
        limit: Int,
        after cursor: Cursor? = nil
    ) async throws -> ResultPage<UserRecord> {
        let users = try await pool.rows(try statement(filter, limit: limit, after: cursor), UserRecord.init(row:))
        return ResultPage(users, limit: limit) { Cursor($0.createdAt, $0.id.uuid) }
    }

    /// An account, nil where there is none.
    package func user(_ id: UsuarioID) async throws -> UserRecord? {
        try await pool.rows(
            PostgresStatement("select \(UserRecord.columns) from \(schema).contas_users where id = $1", id.uuid),
            UserRecord.init(row:)
        ).first
    }

    /// A session, nil where there is none.
    package func session(_ id: SessaoID) async throws -> SessionRecord? {
        try await pool.rows(
            PostgresStatement("select \(SessionRecord.columns) from \(schema).contas_sessions where id = $1", id.uuid),
            SessionRecord.init(row:)
        ).first
    }

    /// A person's sessions, the newest first.
    package func sessions(of user: UsuarioID, limit: Int, after cursor: Cursor? = nil) async throws -> ResultPage<SessionRecord> {
        var select = SelectBuilder("select \(SessionRecord.columns) from \(schema).contas_sessions")
        select.require("user_id = \(select.bind(user.uuid))")
        if let cursor {
            let (time, id) = try cursor.instantAndID()
            select.require("(opened_at, id) < (\(select.bind(PostgresTimestamp(time))), \(select.bind(id)))")
        }
        let sessions = try await pool.rows(select.page(orderBy: "opened_at desc, id desc", limit: limit), SessionRecord.init(row:))
        return ResultPage(sessions, limit: limit) { Cursor($0.openedAt, $0.id.uuid) }
    }

    /// The sessions that ended after a time, in no order.
    package func endedSessions(since time: Instante) async throws -> [SessaoID] {
        try await pool.rows(
            PostgresStatement("select id from \(schema).contas_sessions where revoked_at > $1", PostgresTimestamp(time))
        ) { try $0.id("id") }
    }

    /// What happened, the latest first.
    package func audit(
        _ filter: AuditFilter = AuditFilter(),
        limit: Int,
        after cursor: Cursor? = nil
    ) async throws -> ResultPage<AuditRecord> {
        let entries = try await pool.rows(try statement(filter, limit: limit, after: cursor), AuditRecord.init(row:))
        return ResultPage(entries, limit: limit) { Cursor(key: String($0.position.rawValue), id: "") }
    }

    /// What a person did and what happened to these streams of theirs, the latest first.
    package func trail(
        of user: UsuarioID,
        subjects: [String],
        limit: Int,
        after cursor: Cursor? = nil
    ) async throws -> ResultPage<AuditRecord> {
        var select = SelectBuilder("select \(AuditRecord.columns) from \(schema).contas_audit")
        select.require("(actor = \(select.bind(user.texto)) or subject = any(\(select.bind(PostgresArray(subjects)))))")
        if let cursor { select.require("position < \(select.bind(try Self.position(cursor)))") }
        let entries = try await pool.rows(select.page(orderBy: "position desc", limit: limit, filterFirst: true), AuditRecord.init(row:))
        return ResultPage(entries, limit: limit) { Cursor(key: String($0.position.rawValue), id: "") }
    }

    private static func position(_ cursor: Cursor) throws -> Int64 {
        guard let position = Int64(cursor.key), cursor.id.isEmpty else { throw InvalidCursor() }
        return position
    }

    func statement(_ filter: UserFilter, limit: Int, after cursor: Cursor?) throws -> PostgresStatement {
        var select = SelectBuilder("select \(UserRecord.columns) from \(schema).contas_users")
        if let role = filter.role { select.require("role = \(select.bind(role.rawValue))") }
        if let blocked = filter.blocked { select.require("blocked = \(select.bind(blocked))") }
        if let search = filter.search, !search.isEmpty {
            // What begins with a text lies between the text and the text followed by the last character there is.
            let (from, to) = (select.bind(search), select.bind(search + "\u{10FFFF}"))
            let matches = ["email", "name"].map { column in
                #"(lower(\#(column)) collate "C" >= lower(\#(from)) and lower(\#(column)) collate "C" < lower(\#(to)))"#
            }
            select.require("(\(matches.joined(separator: " or ")))")
        }
        if let cursor {
            let (time, id) = try cursor.instantAndID()
            select.require("(created_at, id) < (\(select.bind(PostgresTimestamp(time))), \(select.bind(id)))")
        }
        return select.page(orderBy: "created_at desc, id desc", limit: limit)
    }

    func statement(_ filter: AuditFilter, limit: Int, after cursor: Cursor?) throws -> PostgresStatement {
        var select = SelectBuilder("select \(AuditRecord.columns) from \(schema).contas_audit")
        if let actor = filter.actor { select.require("actor = \(select.bind(actor))") }
        if let action = filter.action { select.require("action = \(select.bind(action))") }
        if let subject = filter.subject { select.require("subject = \(select.bind(subject))") }
        // Times never decrease along the log, so a span of time is a span of positions, which is the order of the list: however
        // long ago the span is, nothing after it is looked at.
        if let from = filter.from { select.require("position >= \(firstPosition(from: select.bind(PostgresTimestamp(from))))") }
        if let to = filter.to { select.require("position < \(firstPosition(from: select.bind(PostgresTimestamp(to))))") }
        if let cursor { select.require("position < \(select.bind(try Self.position(cursor)))") }
        return select.page(orderBy: "position desc", limit: limit)
    }

    private func firstPosition(from time: String) -> String {
        """
        coalesce(
            (select first.position from \(schema).contas_audit first where first.at >= \(time) order by first.at, first.position limit 1),
            \(Int64.max)
        )
        """
    }
}
