package import EventStore
import Postgres

/// How far a read model has come.
package struct ReadModelProgress: Sendable, Equatable {
    package let name: String
    /// The last position considered.
    package let position: Position
    /// The last position that changed its rows: what was computed from them stays true until this moves.
    package let changed: Position

    init(name: String, position: Position, changed: Position) {
        self.name = name
        self.position = position
        self.changed = changed
    }

    /// All read models, by name.
    static func all(on connection: isolated PostgresConnection) throws -> [ReadModelProgress] {
        try connection.query("select name, position, changed from read.checkpoints order by name").map { row in
            ReadModelProgress(
                name: try row.get(0),
                position: Position(try row.get(1, Int64.self)),
                changed: Position(try row.get(2, Int64.self))
            )
        }
    }
}
