package import Domain
import Postgres

/// A unit: a place with its own zone and tariff.
package struct UnitRecord: Sendable, Equatable {
    package let id: UnidadeID
    package let name: String
    /// An IANA name.
    package let timeZone: String
    package let address: String
    package let createdAt: Instante

    static let columns = "id, name, time_zone, address, created_at"

    init(row: PostgresRow) throws {
        id = try row.id("id")
        name = try row.get("name")
        timeZone = try row.get("time_zone")
        address = try row.get("address")
        createdAt = try row.instant("created_at")
    }
}
