import FoundationEssentials
package import Postgres

/// What an operator sees of the events that could not be applied, and decides about them. What is decided is done by the
/// process that runs the subscription, within a second or so.
package struct DeadLetterDesk: Sendable {
    package enum Problem: Error, Sendable, Equatable, CustomStringConvertible {
        case unknownSubscription(String, known: [String])
        case nothingWaits(subscription: String)
        case notSetAside(subscription: String, position: Position)
        case skippedBefore(subscription: String, position: Position)
        case notSkipped(subscription: String, position: Position)
        /// What was skipped cannot be made up for.
        case skippedForGood(subscription: String)
        /// Reason or name of the one who decides are empty or longer than 500 bytes.
        case unexplained

        package var description: String {
            switch self {
            case .unknownSubscription(let name, let known):
                "no read model or policy '\(name)'; there are: \(known.isEmpty ? "none yet" : known.joined(separator: ", "))"
            case .nothingWaits(let name): "no event waits to be applied by \(name)"
            case .notSetAside(let name, let position): "event \(position) was not set aside by \(name)"
            case .skippedBefore(let name, let position):
                "event \(position) of \(name) was skipped before; 'coworkflow deadletters unskip' takes that back"
            case .notSkipped(let name, let position): "event \(position) of \(name) was not skipped"
            case .skippedForGood(let name):
                "\(name) writes events down in their order, and cannot come back to one: what was skipped stays so"
            case .unexplained: "say why, and who decides, in 500 bytes at most each"
            }
        }
    }

    private let policies: PostgresPool
    private let readModels: PostgresPool

    /// - Parameters:
    ///   - policies: connections of `DatabaseRole.service`.
    ///   - readModels: connections of `DatabaseRole.projector`.
    package init(policies: PostgresPool, readModels: PostgresPool) {
        self.policies = policies
        self.readModels = readModels
    }

    /// The events that could not be applied, and those that were skipped, by subscription and position.
    ///
    /// - Parameter name: of one subscription only.
    /// - Throws: `Problem.unknownSubscription`.
    package func letters(of name: String? = nil) async throws -> [DeadLetter] {
        if let name { _ = try await kind(of: name) }
        var all: [DeadLetter] = []
        for kind in SubscriptionKind.allCases {
            all += try await pool(kind).withConnection { try DeadLetters(kind).letters(of: name, on: $0) }
        }
        return all.sorted { ($0.subscription, $0.position) < ($1.subscription, $1.position) }
    }

    /// What became of the event at a position, in every subscription that set it aside.
    package func letters(at position: Position) async throws -> [DeadLetter] {
        var all: [DeadLetter] = []
        for kind in SubscriptionKind.allCases {
            all += try await pool(kind).withConnection { try DeadLetters(kind).letters(at: position, on: $0) }
        }
        return all
    }

    /// The commands that failed too often, by kind and id.
    ///
    /// - Parameter kind: of one kind only.
    package func commands(of kind: String? = nil) async throws -> [SetAsideCommand] {
        try await policies.withConnection { try SetAsideCommands.list(kind: kind, on: $0) }
    }

    /// Has commands that failed too often given again, as often as they may fail at first.
    ///
    /// - Parameter aggregate: only the one for this.
    /// - Returns: how many there are; 0 where none of this kind is set aside.
    @discardableResult
    package func retryCommands(_ kind: String, of aggregate: String? = nil) async throws -> Int {
        try await policies.withConnection { try SetAsideCommands.free(kinds: [kind], of: aggregate, countingAnew: true, on: $0) }
    }

    /// Asks for another try.
    ///
    /// - Parameter position: of an event that waits; of a policy, its stream is worked off. Nil for all that wait.
    /// - Returns: how many events wait to be tried.
    /// - Throws: `Problem`.
    @discardableResult
    package func retry(_ name: String, at position: Position? = nil) async throws -> Int {
        let kind = try await kind(of: name)
        return try await pool(kind).transaction { connection in
            if let position { try Self.requireWaiting(name, position, DeadLetters(kind), on: connection) }
            let asked = try DeadLetters(kind).askForRetry(of: name, at: position, on: connection)
            guard asked > 0 else { throw Problem.nothingWaits(subscription: name) }
            return asked
        }
    }

    /// Decides that an event is not to be applied, in a replay neither, unless that is taken back.
    ///
    /// - Throws: `Problem`.
    package func skip(_ name: String, at position: Position, by person: String, because reason: String) async throws {
        try Self.requireExplained(person, reason)
        let kind = try await kind(of: name)
        try await pool(kind).transaction { connection in
            try Self.requireWaiting(name, position, DeadLetters(kind), on: connection)
            try DeadLetters(kind).skip(position, of: name, by: person, because: reason, on: connection)
        }
    }

    /// Takes a skip back: a policy handles the event again, late; a read model applies it where it is built anew, in its place.
    ///
    /// - Returns: what the subscription is.
    /// - Throws: `Problem`.
    @discardableResult
    package func unskip(
        _ name: String,
        at position: Position,
        by person: String,
        because reason: String
    ) async throws -> SubscriptionKind {
        try Self.requireExplained(person, reason)
        let kind = try await kind(of: name)
        guard name != WebhookOutbox.subscription else { throw Problem.skippedForGood(subscription: name) }
        try await pool(kind).transaction { connection in
            switch try DeadLetters(kind).lock(position, of: name, on: connection) {
            case nil: throw Problem.notSetAside(subscription: name, position: position)
            case .waiting: throw Problem.notSkipped(subscription: name, position: position)
            case .skipped: try DeadLetters(kind).unskip(position, of: name, by: person, because: reason, on: connection)
            }
        }
        return kind
    }

    private static func requireExplained(_ texts: String...) throws {
        guard texts.allSatisfy({ !$0.isEmpty && $0.utf8.count <= 500 && !$0.utf8.contains(0) }) else { throw Problem.unexplained }
    }

    /// What was ever decided about the event at a position, by subscription and in order.
    package func decisions(about position: Position) async throws -> [DeadLetterDecision] {
        var all: [DeadLetterDecision] = []
        for kind in SubscriptionKind.allCases {
            all += try await pool(kind).withConnection { try DeadLetters(kind).decisions(about: position, on: $0) }
        }
        return all
    }

    /// The row stays as it is until the transaction ends.
    private static func requireWaiting(
        _ name: String,
        _ position: Position,
        _ letters: DeadLetters,
        on connection: isolated PostgresConnection
    ) throws {
        switch try letters.lock(position, of: name, on: connection) {
        case nil: throw Problem.notSetAside(subscription: name, position: position)
        case .skipped: throw Problem.skippedBefore(subscription: name, position: position)
        case .waiting: break
        }
    }

    private func kind(of name: String) async throws -> SubscriptionKind {
        var known: [String] = []
        for kind in SubscriptionKind.allCases {
            let names = try await pool(kind).withConnection { connection in
                // A read model whose first rebuild halted has no checkpoint yet.
                try connection.query(
                    """
                    select name from \(kind.schema).checkpoints
                    union select subscription from \(kind.schema).dead_letters order by 1
                    """
                ).map { try $0.get(0, String.self) }
            }
            if names.contains(name) { return kind }
            known += names
        }
        throw Problem.unknownSubscription(name, known: known.sorted())
    }

    private func pool(_ kind: SubscriptionKind) -> PostgresPool {
        switch kind {
        case .policies: policies
        case .readModels: readModels
        }
    }
}
