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

/// An event that could not be applied, or a command that failed too often.
struct DeadLetterView: Encodable, Sendable {
    let kind: String
    /// What could not apply the event, or what the command is to do.
    let subscription: String
    /// Of an event; nil for a command, and so are stream and type.
    let position: Int64?
    /// Of the event, or of the one that asked for the command.
    let eventId: String
    let stream: String?
    let type: String?
    /// Of a command: to what it is to be done, and since when.
    let aggregate: String?
    let due: String?
    let error: String?
    let attempts: Int32
    let waitingBehind: Int64
    let firstSeen: String
    let lastSeen: String
    let retryAsked: Bool
    let rebuildAsked: Bool
    let skippedAt: String?
    let skippedBy: String?
    let skipReason: String?

    init(_ found: SetAside) {
        switch found {
        case .event(let letter): self.init(letter)
        case .command(let command): self.init(command)
        }
    }

    private init(_ command: SetAsideCommand) {
        kind = "command"
        subscription = command.kind
        position = nil
        eventId = command.cause.uuidString.lowercased()
        stream = nil
        type = nil
        aggregate = command.aggregate
        due = Instante(microssegundos: command.due).texto
        error = command.lastError
        attempts = command.failures
        waitingBehind = 0
        firstSeen = Instante(microssegundos: command.due).texto
        lastSeen = Instante(microssegundos: command.setAsideAt).texto
        retryAsked = false
        rebuildAsked = false
        skippedAt = nil
        skippedBy = nil
        skipReason = nil
    }

    private init(_ letter: DeadLetter) {
        kind = letter.kind.rawValue
        subscription = letter.subscription
        position = letter.position.rawValue
        eventId = letter.eventID.uuidString.lowercased()
        stream = letter.stream
        type = letter.type
        aggregate = nil
        due = nil
        error = letter.error
        attempts = letter.attempts
        waitingBehind = letter.waitingBehind
        firstSeen = Instante(microssegundos: letter.firstSeen).texto
        lastSeen = Instante(microssegundos: letter.lastSeen).texto
        retryAsked = letter.isRetryAsked
        rebuildAsked = letter.isRebuildAsked
        skippedAt = letter.skip.map { Instante(microssegundos: $0.at).texto }
        skippedBy = letter.skip?.by
        skipReason = letter.skip?.reason
    }
}
