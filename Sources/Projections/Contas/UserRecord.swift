package import Domain
import Postgres

/// An account as administrators and its owner see it.
package struct UserRecord: Sendable, Equatable {
    package let id: UsuarioID
    package let name: String
    package let email: String
    package let role: Papel
    /// The units that the role is for; nil for all.
    package let units: Set<UnidadeID>?
    package let blocked: Bool
    package let createdAt: Instante
    package let updatedAt: Instante
    /// When the person was erased: name and address are no more.
    package let erasedAt: Instante?

    static let columns = "id, name, email, role, blocked, created_at, updated_at, erased_at, units"

    init(row: PostgresRow) throws {
        id = try row.id("id")
        name = try row.get("name")
        email = try row.get("email")
        role = try row.parsed("role") { Papel(rawValue: $0) }
        units = try row.jsonIfPresent("units", Set<UnidadeID>.self)
        blocked = try row.get("blocked")
        createdAt = try row.instant("created_at")
        updatedAt = try row.instant("updated_at")
        erasedAt = try row.instant("erased_at")
    }
}

/// Which accounts are wanted; nil is "any".
package struct UserFilter: Sendable, Equatable {
    package var role: Papel?
    package var blocked: Bool?
    /// How the e-mail address or the name begins, in any case.
    package var search: String?

    package init(role: Papel? = nil, blocked: Bool? = nil, search: String? = nil) {
        self.role = role
        self.blocked = blocked
        self.search = search
    }
}
