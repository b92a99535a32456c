package import Domain
import Postgres

/// The version of a plan in force.
package struct PlanRecord: Sendable, Equatable {
    package let id: PlanoID
    package let version: VersaoDeRegra
    package let name: String
    package let discount: Percentual
    package let monthlyFee: Dinheiro
    /// Minutes that each month includes.
    package let includedMinutes: Int
    /// For how many months they can be used.
    package let creditMonths: Int

    static let columns = "id, version, name, discount, monthly_cents, included_minutes, credit_months"

    init(row: PostgresRow) throws {
        id = try row.parsed("id") { PlanoID($0) }
        version = VersaoDeRegra(Int(try row.get("version", Int32.self)))
        name = try row.get("name")
        guard let discount = Percentual(Int(try row.get("discount", Int32.self))) else { throw UnreadableRow(column: "discount") }
        self.discount = discount
        monthlyFee = Dinheiro(centavos: try row.get("monthly_cents"))
        includedMinutes = Int(try row.get("included_minutes", Int32.self))
        creditMonths = Int(try row.get("credit_months", Int32.self))
    }
}
