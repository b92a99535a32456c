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
    let data: String

    init(_ activity: ActivityRecord) throws {
        position = activity.position
        type = activity.type
        user = activity.user
        let view = View(
            at: activity.at.texto,
            id: activity.subject.uuidString.lowercased(),
            userId: activity.user?.texto,
            spaceId: activity.space?.texto,
            unitId: activity.unit?.texto
        )
        data = String(decoding: try JSON.encode(view), as: UTF8.self)
    }

    private struct View: Encodable {
        let at: String
        /// Of the booking or the notice.
        let id: String
        let userId: String?
        let spaceId: String?
        let unitId: String?
    }

    /// One's own, and for the desk what happens on the floor. Nobody is told of somebody else's notices.
    func concerns(_ identity: Identity) -> Bool {
        user == identity.user || identity.role >= .recepcao && !type.hasPrefix("notification.")
    }

    /// As it goes over the wire. JSON has no line breaks.
    var text: String { "id: \(position)\nevent: \(type)\ndata: \(data)\n\n" }
}
