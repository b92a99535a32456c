import Domain
import Postgres

/// The refresh tokens of all sessions. A session's tokens are a family: each is used once and replaced by the next, and
/// one that comes twice has been copied, so its family ends.
struct RefreshTokens: Sendable {
    /// Whose a token is.
    struct Holder: Sendable, Equatable {
        let user: UsuarioID
        let session: SessaoID
    }

    /// What became of a token that was brought.
    enum Rotation: Sendable {
        case replaced(by: RefreshToken, Holder)
        /// It had been used before; its family is gone now.
        case reused(Holder)
        /// Never issued, expired, or of a family that ended.
        case unknown
    }

    private let pool: PostgresPool
    /// In seconds.
    private let lifetime: Int64
    private let clock: @Sendable () -> Int64

    /// - Parameter clock: microseconds since the Unix epoch.
    init(pool: PostgresPool, lifetime: Int64, clock: @escaping @Sendable () -> Int64) {
        self.pool = pool
        self.lifetime = lifetime
        self.clock = clock
    }

    /// Begins a family, or goes on with one.
    func issue(to holder: Holder) async throws -> RefreshToken {
        let token = RefreshToken()
        let expires = expiry(from: clock())
        try await pool.withConnection { connection in
            try Self.insert(token, holder, expires, on: connection)
        }
        return token
    }

    /// Whose a token is that could still be used; nil for any other. It stays usable.
    func holder(of token: RefreshToken) async throws -> Holder? {
        let now = PostgresTimestamp(microsecondsSinceEpoch: clock())
        return try await pool.withConnection { connection in
            let rows = try connection.query(
                "select account, session from volatile.refresh_tokens where hash = $1 and used_at is null and expires_at > $2",
                token.hash,
                now
            )
            return try rows.first.flatMap(Self.holder)
        }
    }

    /// Replaces a token by the next of its family.
    func rotate(_ token: RefreshToken) async throws -> Rotation {
        let now = clock()
        let expires = expiry(from: now)
        return try await pool.transaction { connection in
            // The family's lock comes first: a family that ends because of a copy must not miss a token that is just
            // being added to it.
            _ = try connection.query(
                """
                select pg_advisory_xact_lock(hashtextextended(session, 0))
                  from volatile.refresh_tokens
                 where hash = $1
                """,
                token.hash
            )
            let rows = try connection.query(
                "select account, session, expires_at, used_at is not null from volatile.refresh_tokens where hash = $1",
                token.hash
            )
            guard let row = rows.first, let holder = try Self.holder(row) else { return .unknown }
            if try row.get(3, Bool.self) {
                try Self.endFamily(of: holder.session, on: connection)
                return .reused(holder)
            }
            guard try row.get(2, PostgresTimestamp.self).microsecondsSinceEpoch > now else { return .unknown }
            try connection.execute(
                "update volatile.refresh_tokens set used_at = $2 where hash = $1",
                token.hash,
                PostgresTimestamp(microsecondsSinceEpoch: now)
            )
            let next = RefreshToken()
            try Self.insert(next, holder, expires, on: connection)
            return .replaced(by: next, holder)
        }
    }

    /// Ends a session's family: none of its tokens gets another access token.
    func endFamily(of session: SessaoID) async throws {
        try await pool.transaction { connection in
            _ = try connection.query("select pg_advisory_xact_lock(hashtextextended($1, 0))", session.texto)
            try Self.endFamily(of: session, on: connection)
        }
    }

    /// Ends every family of an account.
    func endAll(of user: UsuarioID) async throws {
        try await pool.transaction { connection in
            // As for one: a token that is just being added to a family is waited for. Always in the same order.
            _ = try connection.query(
                """
                select pg_advisory_xact_lock(hashtextextended(session, 0))
                  from (select distinct session from volatile.refresh_tokens where account = $1 order by session) as families
                """,
                user.texto
            )
            try connection.execute("delete from volatile.refresh_tokens where account = $1", user.texto)
        }
    }

    /// Ends every family of an account but one, and those that began at this time or later.
    ///
    /// - Parameter time: microseconds since the Unix epoch.
    /// - Returns: whose families ended.
    func endOthers(of user: UsuarioID, but session: SessaoID, openedBefore time: Int64) async throws -> [SessaoID] {
        let expiry = expiry(from: time)
        return try await pool.transaction { connection in
            // A family's first token lies there until it expires, used or not, so it tells when the family began.
            let others = try connection.query(
                """
                select session from volatile.refresh_tokens where account = $1 and session <> $2
                 group by session having min(expires_at) < $3 order by session
                """,
                user.texto,
                session.texto,
                expiry
            ).map { try $0.get(0, String.self) }
            for session in others {
                _ = try connection.query("select pg_advisory_xact_lock(hashtextextended($1, 0))", session)
            }
            try connection.execute("delete from volatile.refresh_tokens where session = any($1)", PostgresArray(others))
            return others.compactMap { SessaoID($0) }
        }
    }

    /// Deletes the tokens that have expired. Used ones stay until then, to be recognised when they come again.
    ///
    /// - Returns: how many there were.
    func deleteExpired() async throws -> Int {
        let now = PostgresTimestamp(microsecondsSinceEpoch: clock())
        return try await pool.withConnection { connection in
            try connection.query("delete from volatile.refresh_tokens where expires_at <= $1", now).affected
        }
    }

    private func expiry(from now: Int64) -> PostgresTimestamp {
        PostgresTimestamp(microsecondsSinceEpoch: now + lifetime * 1_000_000)
    }

    private static func insert(
        _ token: RefreshToken,
        _ holder: Holder,
        _ expires: PostgresTimestamp,
        on connection: isolated PostgresConnection
    ) throws {
        try connection.execute(
            "insert into volatile.refresh_tokens (hash, session, account, expires_at) values ($1, $2, $3, $4)",
            token.hash,
            holder.session.texto,
            holder.user.texto,
            expires
        )
    }

    private static func endFamily(of session: SessaoID, on connection: isolated PostgresConnection) throws {
        try connection.execute("delete from volatile.refresh_tokens where session = $1", session.texto)
    }

    private static func holder(_ row: PostgresRow) throws -> Holder? {
        guard let user = UsuarioID(try row.get(0, String.self)), let session = SessaoID(try row.get(1, String.self)) else { return nil }
        return Holder(user: user, session: session)
    }
}
