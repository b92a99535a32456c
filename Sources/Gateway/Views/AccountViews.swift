import Domain
import EventStore
import HTTP
import Projections

struct UserView: Encodable, Sendable {
    let id: String
    let name: String
    let email: String
    let role: String
    /// The units that the role is for; absent for all.
    let unitIds: [String]?
    let blocked: Bool
    let createdAt: String
    let updatedAt: String
    let erasedAt: String?

    init(_ user: UserRecord) {
        id = user.id.texto
        name = user.name
        email = user.email
        role = user.role.rawValue
        unitIds = user.units?.texts
        blocked = user.blocked
        createdAt = user.createdAt.texto
        updatedAt = user.updatedAt.texto
        erasedAt = user.erasedAt?.texto
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

struct SessionView: Encodable, Sendable {
    let id: String
    let openedAt: String
    let endedAt: String?
    let reason: String?

    init(_ session: SessionRecord) {
        id = session.id.texto
        openedAt = session.openedAt.texto
        endedAt = session.revokedAt?.texto
        reason = session.reason?.rawValue
    }
}

/// Everything that there is about a person.
struct PersonalDataView: Encodable, Sendable {
    let exportedAt: String
    let account: UserView
    let sessions: [SessionView]
    /// How they are told things, where, and whether somebody may follow their calendar.
    let preferences: PreferencesView
    /// What they were told in the app.
    let notifications: [NoticeView]
    let subscription: SubscriptionView?
    /// All credits that they ever had.
    let credits: [WalletView.Lot]
    /// With the guests of each.
    let reservations: [BookingView]
    let series: [SeriesView]
    let waitlist: [WaitlistView]
    let payments: [PaymentView]
    /// What they did, and what was done to what is theirs.
    let audit: [AuditView]
}
