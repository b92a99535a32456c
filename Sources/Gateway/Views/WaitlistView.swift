import Domain
import HTTP
import Projections

/// A place in a line as its member and the desk see it.
struct WaitlistView: Encodable, Sendable {
    let id: String
    let userId: String
    let spaceId: String
    let unitId: String
    let startTime: String
    let endTime: String
    let timezone: String
    let seats: Int
    let status: String
    /// Which place in line it is for its span, the first being 1; absent where nobody waits any more.
    let place: Int?
    let joinedAt: String
    /// The hold that was offered.
    let reservationId: String?
    let offerExpiresAt: String?
    let closedAt: String?

    init(_ entry: WaitlistRecord, zone: ZonaHoraria) {
        id = PlaceInLine(entry.id, entry.space, entry.day).text
        userId = entry.user.texto
        spaceId = entry.space.texto
        unitId = entry.unit.texto
        startTime = entry.span.inicio.texto(em: zone)
        endTime = entry.span.fim.texto(em: zone)
        timezone = entry.zone
        seats = entry.seats
        status = entry.status.rawValue
        place = entry.place
        joinedAt = entry.joinedAt.texto(em: zone)
        reservationId = entry.booking?.texto
        offerExpiresAt = entry.offerExpiresAt?.texto(em: zone)
        closedAt = entry.closedAt?.texto(em: zone)
    }
}
