import Domain
import EventStore
import Projections

struct UserView: Encodable, Sendable {
    let id: String
    let name: String
    let email: String
    let role: String
    let blocked: Bool
    let createdAt: String
    let updatedAt: String

    init(_ user: UserRecord) {
        id = user.id.texto
        name = user.name
        email = user.email
        role = user.role.rawValue
        blocked = user.blocked
        createdAt = user.createdAt.texto
        updatedAt = user.updatedAt.texto
    }
}

struct AuditView: Encodable, Sendable {
    let position: Int64
    let at: String
    let actor: String
    let action: String
    let subject: String
    let detail: [String: String]

    init(_ record: AuditRecord) {
        position = record.position.rawValue
        at = record.at.texto
        actor = record.actor
        action = record.action
        subject = record.subject
        detail = record.detail
    }
}
