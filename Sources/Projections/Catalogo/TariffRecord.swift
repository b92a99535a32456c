package import Domain
import Postgres

/// A version of a unit's tariff.
package struct TariffRecord: Sendable, Equatable {
    package let unit: UnidadeID
    package let version: VersaoDeRegra
    /// The first local date of bookings that it is for.
    package let effectiveFrom: DataCivil
    package let rates: [Tarifa]
    package let multipliers: [Multiplicador]
    package let publishedAt: Instante

    static let columns = "unit_id, version, effective_from, rates, multipliers, published_at"

    init(row: PostgresRow) throws {
        unit = try row.id("unit_id")
        version = VersaoDeRegra(Int(try row.get("version", Int32.self)))
        effectiveFrom = try row.day("effective_from")
        rates = try row.json("rates")
        multipliers = try row.json("multipliers")
        publishedAt = try row.instant("published_at")
    }

    /// The rate of a space: its own, or else that of its type.
    package func rate(for space: DadosDoEspaco) -> Tarifa? {
        rates.first { $0.alvo == .espaco(space.espaco) } ?? rates.first { $0.alvo == .tipo(space.ficha.tipo) }
    }
}
