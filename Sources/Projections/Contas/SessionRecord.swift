package import Domain
import Postgres

/// A login, from its opening to its revocation.
package struct SessionRecord: Sendable, Equatable {
    package let id: SessaoID
    package let user: UsuarioID
    package let openedAt: Instante
    /// Nil while the session stands.
    package let revokedAt: Instante?
    package let reason: MotivoDeRevogacao?

    static let columns = "id, user_id, opened_at, revoked_at, reason"

    init(row: PostgresRow) throws {
        id = try row.id("id")
        user = try row.id("user_id")
        openedAt = try row.instant("opened_at")
        revokedAt = try row.instant("revoked_at")
        reason = try row.parsed("reason") { MotivoDeRevogacao(rawValue: $0) }
    }
}
