import Domain
import EventStore
import FoundationEssentials
import Projections

struct ProjectionView: Encodable, Sendable {
    let name: String
    let position: Int64
    let changed: Int64
    /// Where it waits for its operator.
    let haltedAt: Int64?

    init(_ progress: ReadModelProgress, haltedAt: Position?) {
        name = progress.name
        position = progress.position.rawValue
        changed = progress.changed.rawValue
        self.haltedAt = haltedAt?.rawValue
    }
}

struct DeadLetterView: Encodable, Sendable {
    let kind: String
    let subscription: String
    let position: Int64
    let eventId: String
    let stream: String
    let type: String
    let error: String?
    let attempts: Int32
    let waitingBehind: Int64
    let firstSeen: String
    let lastSeen: String
    let retryAsked: Bool
    let skippedAt: String?
    let skippedBy: String?
    let skipReason: String?

    init(_ letter: DeadLetter) {
        kind = letter.kind.rawValue
        subscription = letter.subscription
        position = letter.position.rawValue
        eventId = letter.eventID.uuidString.lowercased()
        stream = letter.stream
        type = letter.type
        error = letter.error
        attempts = letter.attempts
        waitingBehind = letter.waitingBehind
        firstSeen = Instante(microssegundos: letter.firstSeen).texto
        lastSeen = Instante(microssegundos: letter.lastSeen).texto
        retryAsked = letter.isRetryAsked
        skippedAt = letter.skip.map { Instante(microssegundos: $0.at).texto }
        skippedBy = letter.skip?.by
        skipReason = letter.skip?.reason
    }
}
