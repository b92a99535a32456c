package import EventStore
package import Postgres

/// What is asked of events that could not be applied. Who may ask is for the caller to know.
package struct DeadLetterQueries: Sendable {
    private let pool: PostgresPool

    /// - Parameter pool: connections of a role that may read `subs.dead_letters` and `read.dead_letters`.
    package init(pool: PostgresPool) {
        self.pool = pool
    }

    /// Those that could not be applied or were skipped: those of policies, then those of read models, by subscription and
    /// position.
    package func letters(limit: Int, after cursor: Cursor? = nil) async throws -> ResultPage<DeadLetter> {
        let place = try cursor.map(Place.init)
        let letters = try await pool.withConnection { connection in
            var letters: [DeadLetter] = []
            for kind in SubscriptionKind.allCases.drop(while: { place != nil && $0 != place?.kind }) {
                letters += try DeadLetters(kind).letters(
                    after: place?.kind == kind ? place.map { ($0.subscription, $0.position) } : nil,
                    limit: limit + 1 - letters.count,
                    on: connection
                )
            }
            return letters
        }
        return ResultPage(letters, limit: limit) { Cursor(key: "\($0.kind.rawValue) \($0.subscription)", id: $0.position.description) }
    }

    /// The position that each halted read model waits at, by name.
    package func halts() async throws -> [String: Position] {
        let letters = try await pool.withConnection { try DeadLetters(.readModels).letters(on: $0) }
        return Dictionary(letters.filter { $0.skip == nil }.map { ($0.subscription, $0.position) }, uniquingKeysWith: min)
    }

    /// What a cursor of this list says.
    private struct Place {
        let kind: SubscriptionKind
        let subscription: String
        let position: Position

        init(_ cursor: Cursor) throws(InvalidCursor) {
            let parts = cursor.key.split(separator: " ", maxSplits: 1).map(String.init)
            guard parts.count == 2, let kind = SubscriptionKind(rawValue: parts[0]), let position = Int64(cursor.id) else {
                throw InvalidCursor()
            }
            self.kind = kind
            subscription = parts[1]
            self.position = Position(position)
        }
    }
}
