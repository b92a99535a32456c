import Domain
import HTTP
import Projections

struct CouponView: Encodable, Sendable {
    let code: String
    let percent: Int?
    let amountCents: Int64?
    let validFrom: String?
    let validTo: String?
    let maxUses: Int
    let maxUsesPerMember: Int?
    let minimumCents: Int64?
    let spaceIds: [String]
    let types: [String]
    let active: Bool
    let uses: Int64
    /// What it took off altogether.
    let discountCents: Int64
    let createdAt: String

    init(_ coupon: CouponRecord, zone: ZonaHoraria) {
        code = coupon.code.texto
        switch coupon.terms.desconto {
        case .percentual(let share): (percent, amountCents) = (share.valor, nil)
        case .valor(let amount): (percent, amountCents) = (nil, amount.centavos)
        }
        validFrom = coupon.terms.validoDe?.texto
        validTo = coupon.terms.validoAte?.texto
        maxUses = coupon.terms.limiteDeUsos
        maxUsesPerMember = coupon.terms.limitePorMembro
        minimumCents = coupon.terms.valorMinimo?.centavos
        spaceIds = coupon.terms.espacos.map(\.texto)
        types = coupon.terms.tipos.map(\.rawValue)
        active = coupon.active
        uses = coupon.uses
        discountCents = coupon.discount.centavos
        createdAt = coupon.createdAt.texto(em: zone)
    }
}

struct SubscriptionView: Encodable, Sendable {
    let userId: String
    let plan: String
    let planVersion: Int
    /// `active`, `cancelled` (it still gives what it gives, until `ends_at`) or `ended`.
    let status: String
    let monthlyFee: Double
    let monthlyFeeCents: Int64
    let periodNumber: Int
    let periodStart: String
    let periodEnd: String
    let dueAt: String
    let since: String
    let endsAt: String?
    /// `membro`, `operador`, `conta_apagada`, `conta_bloqueada`, `falta_de_pagamento`.
    let endReason: String?
    /// The plan that it has from `period_end` on, where that is another.
    let nextPlan: String?

    init(_ subscription: SubscriptionRecord, at now: Instante, zone: ZonaHoraria) {
        userId = subscription.user.texto
        plan = subscription.plan.texto
        planVersion = subscription.planVersion.numero
        status = subscription.endsAt.map { now < $0 ? "cancelled" : "ended" } ?? "active"
        monthlyFee = subscription.fee.decimal
        monthlyFeeCents = subscription.fee.centavos
        periodNumber = subscription.periodNumber
        periodStart = subscription.periodStart.texto(em: zone)
        periodEnd = subscription.periodEnd.texto(em: zone)
        dueAt = subscription.dueAt.texto(em: zone)
        since = subscription.since.texto(em: zone)
        endsAt = subscription.endsAt?.texto(em: zone)
        endReason = subscription.endReason?.rawValue
        nextPlan = subscription.endsAt == nil ? subscription.nextPlan?.texto : nil
    }
}

/// A member's plan and credits.
struct WalletView: Encodable, Sendable {
    struct Lot: Encodable, Sendable {
        let id: String
        let minutes: Int
        let remainingMinutes: Int
        let expiresAt: String?
        /// `plano` or `equipe`.
        let origin: String

        init(_ lot: CreditLotRecord, zone: ZonaHoraria) {
            id = lot.id.texto
            minutes = lot.minutes
            remainingMinutes = lot.remaining
            expiresAt = lot.expiresAt?.texto(em: zone)
            origin = lot.origin.rawValue
        }
    }

    struct Credits: Encodable, Sendable {
        let balanceMinutes: Int
        /// Those with something left that have not expired, in the order in which bookings use them.
        let lots: [Lot]
    }

    let userId: String
    /// The plan that prices are computed with now.
    let plan: String
    let subscription: SubscriptionView?
    let credits: Credits

    init(
        user: UsuarioID,
        _ subscription: SubscriptionRecord?,
        _ lots: [CreditLotRecord],
        at now: Instante,
        zone: ZonaHoraria
    ) {
        userId = user.texto
        let running = subscription.flatMap { known in known.endsAt.map { now < $0 } ?? true ? known : nil }
        plan = (running?.plan ?? .basic).texto
        self.subscription = subscription.map { SubscriptionView($0, at: now, zone: zone) }
        credits = Credits(
            balanceMinutes: lots.reduce(0) { $0 + $1.remaining },
            lots: lots.map { Lot($0, zone: zone) }
        )
    }
}
