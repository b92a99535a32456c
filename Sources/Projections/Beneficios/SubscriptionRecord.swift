package import Domain
import Postgres

/// A member's subscription, running or ended.
package struct SubscriptionRecord: Sendable, Equatable {
    package let user: UsuarioID
    package let plan: PlanoID
    package let planVersion: VersaoDeRegra
    /// Of the current period.
    package let fee: Dinheiro
    package let periodNumber: Int
    package let periodStart: Instante
    package let periodEnd: Instante
    /// An IANA name.
    package let timeZone: String
    package let dueAt: Instante
    package let since: Instante
    /// When it ends or ended; nil while it goes on.
    package let endsAt: Instante?
    package let endReason: MotivoDoFimDaAssinatura?
    /// The plan that it has from `periodEnd` on, where that is another.
    package let nextPlan: PlanoID?

    static let columns = """
        user_id, plan, plan_version, fee_cents, period_number, period_start, period_end, time_zone, due_at, since, ends_at, end_reason,
        next_plan
        """

    init(row: PostgresRow) throws {
        user = try row.id("user_id")
        plan = try row.parsed("plan") { PlanoID($0) }
        planVersion = VersaoDeRegra(Int(try row.get("plan_version", Int32.self)))
        fee = Dinheiro(centavos: try row.get("fee_cents"))
        periodNumber = Int(try row.get("period_number", Int32.self))
        periodStart = try row.instant("period_start")
        periodEnd = try row.instant("period_end")
        timeZone = try row.get("time_zone")
        dueAt = try row.instant("due_at")
        since = try row.instant("since")
        endsAt = try row.instant("ends_at")
        endReason = try row.parsed("end_reason") { MotivoDoFimDaAssinatura(rawValue: $0) }
        nextPlan = try row.parsed("next_plan") { PlanoID($0) }
    }
}

/// A lot of credits and what is left of it.
package struct CreditLotRecord: Sendable, Equatable {
    package let id: LoteID
    package let minutes: Int
    package let remaining: Int
    package let expiresAt: Instante?
    package let origin: OrigemDosCreditos
    package let grantedAt: Instante

    init(row: PostgresRow) throws {
        id = try row.id("id")
        minutes = Int(try row.get("minutes", Int32.self))
        remaining = minutes - Int(try row.get("used", Int64.self))
        expiresAt = try row.instant("expires_at")
        origin = try row.parsed("origin") { OrigemDosCreditos(rawValue: $0) }
        grantedAt = try row.instant("granted_at")
    }
}
