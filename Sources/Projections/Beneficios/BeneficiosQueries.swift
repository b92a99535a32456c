package import Domain
import FoundationEssentials
package import Postgres

/// What is asked of coupons, subscriptions and credits. Who may see which is for the caller to know.
package struct BeneficiosQueries: Sendable {
    /// The read models that the queries read.
    package static let models: Set<String> = ["beneficios"]

    private let pool: PostgresPool
    private let schema: String

    /// - Parameter pool: connections of a role that may read the schema.
    package init(pool: PostgresPool, schema: String = "read") {
        self.pool = pool
        self.schema = schema
    }

    /// Coupons, the newest first.
    /// - Parameter active: only those that can still be used, or only those that cannot; nil for both.
    package func coupons(active: Bool? = nil, limit: Int, after cursor: Cursor? = nil) async throws -> ResultPage<CouponRecord> {
        let coupons = try await pool.rows(try couponsStatement(active: active, limit: limit, after: cursor), CouponRecord.init(row:))
        return ResultPage(coupons, limit: limit) { Cursor(key: String($0.createdAt.microssegundos), id: $0.code.texto) }
    }

    /// Subscriptions, running or ended, the newest first.
    package func subscriptions(
        plan: PlanoID? = nil,
        user: UsuarioID? = nil,
        limit: Int,
        after cursor: Cursor? = nil
    ) async throws -> ResultPage<SubscriptionRecord> {
        let statement = try subscriptionsStatement(plan: plan, user: user, limit: limit, after: cursor)
        let subscriptions = try await pool.rows(statement, SubscriptionRecord.init(row:))
        return ResultPage(subscriptions, limit: limit) { Cursor($0.since, $0.user.uuid) }
    }

    /// A member's subscription; nil for who never had one.
    package func subscription(of user: UsuarioID) async throws -> SubscriptionRecord? {
        try await pool.rows(
            PostgresStatement("select \(SubscriptionRecord.columns) from \(schema).beneficios_subscriptions where user_id = $1", user.uuid),
            SubscriptionRecord.init(row:)
        ).first
    }

    /// The lots that a member could still use at a time, in the order in which they are used; without a time, all that they ever had.
    package func lots(of user: UsuarioID, at time: Instante? = nil) async throws -> [CreditLotRecord] {
        try await pool.rows(
            PostgresStatement(
                """
                select l.id, l.minutes, l.expires_at, l.origin, l.granted_at, coalesce(u.used, 0) as used
                  from \(schema).beneficios_lots l
                  left join \(schema).beneficios_lot_uses u on u.user_id = l.user_id and u.id = l.id
                 where l.user_id = $1
                   and ($2::timestamptz is null or (l.expires_at is null or l.expires_at > $2) and l.minutes > coalesce(u.used, 0))
                 order by l.expires_at nulls last, l.granted_at, l.id
                """,
                user.uuid,
                time.map { PostgresValue.timestamp(PostgresTimestamp($0)) } ?? .null(.timestamptz)
            ),
            CreditLotRecord.init(row:)
        )
    }

    func couponsStatement(active: Bool?, limit: Int, after cursor: Cursor?) throws -> PostgresStatement {
        var select = SelectBuilder(
            """
            select \(CouponRecord.columns)
              from \(schema).beneficios_coupons c
              left join \(schema).beneficios_coupon_uses u on u.code = c.code
            """
        )
        if let active { select.require("c.active = \(select.bind(active))") }
        if let cursor {
            guard let time = Int64(cursor.key), let code = CodigoDoCupom(cursor.id) else { throw InvalidCursor() }
            let instant = PostgresTimestamp(Instante(microssegundos: time))
            select.require("(c.created_at, c.code) < (\(select.bind(instant)), \(select.bind(code.texto)))")
        }
        return select.page(orderBy: "c.created_at desc, c.code desc", limit: limit)
    }

    func subscriptionsStatement(plan: PlanoID?, user: UsuarioID?, limit: Int, after cursor: Cursor?) throws -> PostgresStatement {
        var select = SelectBuilder("select \(SubscriptionRecord.columns) from \(schema).beneficios_subscriptions")
        if let plan { select.require("plan = \(select.bind(plan.texto))") }
        if let user { select.require("user_id = \(select.bind(user.uuid))") }
        if let cursor {
            let (time, id) = try cursor.instantAndID()
            select.require("(since, user_id) < (\(select.bind(PostgresTimestamp(time))), \(select.bind(id)))")
        }
        return select.page(orderBy: "since desc, user_id desc", limit: limit)
    }
}
