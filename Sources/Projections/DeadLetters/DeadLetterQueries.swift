package import EventStore
import FoundationEssentials
package import Postgres

/// An event or a command that waits for its operator.
package enum SetAside: Sendable, Equatable {
    case event(DeadLetter)
    case command(SetAsideCommand)
}

/// What is asked of events that could not be applied, and of commands that failed too often. Who may ask is for the caller to know.
package struct DeadLetterQueries: Sendable {
    private let pool: PostgresPool

    /// - Parameter pool: connections of a role that may read `subs.dead_letters`, `read.dead_letters` and `subs.timers`.
    package init(pool: PostgresPool) {
        self.pool = pool
    }

    /// The events that could not be applied or were skipped: those of policies, then those of read models, by subscription and
    /// position. Then the commands that failed too often, by kind and id.
    package func setAside(limit: Int, after cursor: Cursor? = nil) async throws -> ResultPage<SetAside> {
        let place = try cursor.map(Place.init)
        let found = try await pool.withConnection { connection in
            var found: [SetAside] = []
            for kind in SubscriptionKind.allCases where place?.isBeyond(kind) != true {
                found += try DeadLetters(kind).letters(
                    after: place?.event(of: kind), limit: limit + 1 - found.count, on: connection
                ).map(SetAside.event)
            }
            return try found
                + SetAsideCommands.list(after: place?.command, limit: limit + 1 - found.count, on: connection).map(SetAside.command)
        }
        return ResultPage(found, limit: limit) { last in
            switch last {
            case .event(let letter): Cursor(key: "\(letter.kind.rawValue) \(letter.subscription)", id: letter.position.description)
            case .command(let command): Cursor(key: "\(Place.commands) \(command.kind)", id: command.commandID.uuidString)
            }
        }
    }

    /// The position that each halted read model waits at, by name.
    package func halts() async throws -> [String: Position] {
        let letters = try await pool.withConnection { try DeadLetters(.readModels).letters(on: $0) }
        let halted = letters.filter { $0.skip == nil && !$0.isRebuildAsked }
        return Dictionary(halted.map { ($0.subscription, $0.position) }, uniquingKeysWith: min)
    }

    /// What a cursor of this list says.
    private enum Place {
        static let commands = "command"

        case event(SubscriptionKind, subscription: String, Position)
        case command(kind: String, UUID)

        init(_ cursor: Cursor) throws(InvalidCursor) {
            let parts = cursor.key.split(separator: " ", maxSplits: 1).map(String.init)
            guard parts.count == 2 else { throw InvalidCursor() }
            if let kind = SubscriptionKind(rawValue: parts[0]), let position = Int64(cursor.id) {
                self = .event(kind, subscription: parts[1], Position(position))
            } else if parts[0] == Self.commands, let id = UUID(uuidString: cursor.id) {
                self = .command(kind: parts[1], id)
            } else {
                throw InvalidCursor()
            }
        }

        /// Whether all events of a kind come before it.
        func isBeyond(_ kind: SubscriptionKind) -> Bool {
            guard case .event(let last, _, _) = self else { return true }
            return last == .readModels && kind == .policies
        }

        func event(of kind: SubscriptionKind) -> (subscription: String, position: Position)? {
            guard case .event(kind, let subscription, let position) = self else { return nil }
            return (subscription, position)
        }

        var command: (kind: String, id: UUID)? {
            guard case .command(let kind, let id) = self else { return nil }
            return (kind, id)
        }
    }
}
