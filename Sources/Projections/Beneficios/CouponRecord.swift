package import Domain
import Postgres

/// A coupon with what became of it.
package struct CouponRecord: Sendable, Equatable {
    package let code: CodigoDoCupom
    package let terms: TermosDoCupom
    package let active: Bool
    package let createdAt: Instante
    /// How many bookings use it: given back ones do not count.
    package let uses: Int64
    /// What it took off altogether.
    package let discount: Dinheiro

    static let columns = """
        c.code, c.percent, c.amount_cents, c.valid_from, c.valid_to, c.max_uses, c.max_uses_per_member, c.minimum_cents, c.space_ids,
        c.types, c.active, c.created_at, coalesce(u.uses, 0) as uses, coalesce(u.discount_cents, 0) as discount_cents
        """

    init(row: PostgresRow) throws {
        code = try row.parsed("code") { CodigoDoCupom($0) }
        let off: DescontoDoCupom
        if let percent = try row.get("percent", Int32?.self) {
            guard let share = Percentual(Int(percent)) else { throw UnreadableRow(column: "percent") }
            off = .percentual(share)
        } else {
            off = .valor(Dinheiro(centavos: try row.get("amount_cents")))
        }
        terms = TermosDoCupom(
            desconto: off,
            validoDe: try row.day("valid_from"),
            validoAte: try row.day("valid_to"),
            limiteDeUsos: Int(try row.get("max_uses", Int32.self)),
            limitePorMembro: try row.get("max_uses_per_member", Int32?.self).map(Int.init),
            valorMinimo: try row.get("minimum_cents", Int64?.self).map { Dinheiro(centavos: $0) },
            espacos: try row.json("space_ids"),
            tipos: try row.json("types")
        )
        active = try row.get("active")
        createdAt = try row.instant("created_at")
        uses = try row.get("uses")
        discount = Dinheiro(centavos: try row.get("discount_cents"))
    }
}
