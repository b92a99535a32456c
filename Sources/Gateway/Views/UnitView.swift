import Domain
import Projections

struct UnitView: Encodable, Sendable {
    let id: String
    let name: String
    let timezone: String
    let address: String
    let createdAt: String

    init(_ unit: UnitRecord, zone: ZonaHoraria) {
        id = unit.id.texto
        name = unit.name
        timezone = unit.timeZone
        address = unit.address
        createdAt = unit.createdAt.texto(em: zone)
    }
}
