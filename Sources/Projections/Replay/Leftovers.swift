import EventStore
import Postgres

/// What lies beside a live read model: the tables that a replay replaced, a build, what is as of a position. All of it may show somebody
/// who is erased later.
enum Leftovers {
    /// The statement that marks all there is. It waits for nobody.
    static func forgetting(of model: String) -> PostgresStatement {
        PostgresStatement("select read_shadow.forget($1)", model)
    }

    static func forget(of model: String, on connection: isolated PostgresConnection) throws {
        _ = try connection.pipeline([forgetting(of: model)])
    }

    /// Drops what is marked and in nobody's hands. Not for a transaction that does more, which would keep the locks.
    ///
    /// - Returns: false where somebody reads some of it, as a backup does: try again later.
    @discardableResult
    static func dropForgotten(of model: String, on connection: isolated PostgresConnection) throws -> Bool {
        try connection.query("select read_shadow.drop_forgotten($1)", model).first?.get(0, Bool.self) ?? true
    }

    /// Whether there is a model as of a position, and an erasure after `start`, up to `end`.
    static func outlive(
        erasuresOf model: any ReadModel,
        after start: Position,
        through end: Position,
        on connection: isolated PostgresConnection
    ) throws -> Bool {
        try connection.query(
            """
            select exists (select from read_shadow.sides where name = $1)
               and exists (select from log.events where position > $2 and position <= $3 and type = any($4))
            """,
            model.name,
            start.rawValue,
            end.rawValue,
            PostgresArray(model.erasures.sorted())
        ).first?.get(0, Bool.self) ?? false
    }
}
