import Domain
import FoundationEssentials
import HTTP
import Projections

/// Something that happened, as somebody who watches is told of it (a server-sent event).
struct LiveEvent: Sendable, Equatable {
    /// Where in the log it is: what `Last-Event-ID` goes on from.
    let position: Int64
    let type: String
    /// Whom it concerns.
    let user: UsuarioID?
    /// Where it is; nil for what is nowhere.
    let unit: UnidadeID?
    let data: String

    init(_ activity: ActivityRecord) throws {
        position = activity.position
        type = activity.type
        user = activity.user
        unit = activity.unit
        let view = View(
            at: activity.at.texto,
            id: activity.subject.uuidString.lowercased(),
            reservationId: activity.booking?.texto,
            userId: activity.user?.texto,
            spaceId: activity.space?.texto,
            unitId: activity.unit?.texto
        )
        data = String(decoding: try JSON.encode(view), as: UTF8.self)
    }

    private struct View: Encodable {
        let at: String
        /// Of the booking, the charge, the place in a line or the notice.
        let id: String
        let reservationId: String?
        let userId: String?
        let spaceId: String?
        let unitId: String?
    }

    /// One's own, and for the desk what happens on the floor of its units. Nobody is told of somebody else's notices and payments.
    func concerns(_ identity: Identity) -> Bool {
        user == identity.user || isOnTheFloor && identity.actor.responde(por: unit)
    }

    private var isOnTheFloor: Bool { type.hasPrefix("reservation.") || type.hasPrefix("waitlist.") }

    /// As it goes over the wire. JSON has no line breaks.
    var text: String { "id: \(position)\nevent: \(type)\ndata: \(data)\n\n" }
}
