import EventStore
import Postgres

/// The live read model as a replay sees it.
struct LiveModel: Sendable {
    /// Where the tables lie that a replay replaced, until they are dropped.
    static let oldSchema = "read_old"

    let position: Position
    let definition: String

    /// - Returns: nil where there is none.
    static func find(_ model: any ReadModel, on connection: isolated PostgresConnection, locking: Bool = false) throws -> LiveModel? {
        try connection.query(
            "select position, definition from read.checkpoints where name = $1\(locking ? " for update" : "")",
            model.name
        ).first.map { LiveModel(position: Position(try $0.get(0, Int64.self)), definition: try $0.get(1)) }
    }

    /// Has it stand still while `body` runs, which must be quick: whoever applies events waits for the lock on the checkpoint
    /// as for any other transaction.
    ///
    /// This is the one transaction that is held while something is awaited. The server ends it after ten seconds.
    static func paused<T: Sendable>(
        _ model: any ReadModel,
        on connection: PostgresConnection,
        _ body: (LiveModel?) async throws -> T
    ) async throws -> T {
        try await connection.executeScript("begin; set local lock_timeout = '5s'; set local idle_in_transaction_session_timeout = '10s'")
        do {
            let live = try await connection.run { connection in
                // Where there is none yet, nobody makes one meanwhile: `ProjectionTarget` takes the same lock.
                try connection.execute("select pg_advisory_xact_lock(hashtextextended($1, 7310584019240))", model.name)
                return try find(model, on: connection, locking: true)
            }
            let value = try await body(live)
            try await connection.executeScript("commit")
            return value
        } catch {
            // A connection that cannot even do that is of no use to whoever asks it next.
            try? await connection.executeScript("rollback")
            throw error
        }
    }

    /// Puts a finished build in the live model's place, and keeps what was there if it had come as far. To be called while the model is paused, on the connection that holds it.
    ///
    /// - Parameters:
    ///   - isOther: whether the rows may be others than those that were there; then everything computed from them is out of date.
    ///   - limit: how long queries may be made to wait.
    static func replace(
        by tables: ReadModelTables,
        _ build: ShadowBuild.Standing,
        isOther: Bool,
        limit: Duration,
        on connection: isolated PostgresConnection
    ) throws {
        let model = tables.model
        let live = ReadModelTables(model: model, schema: Projections.schema)
        let position = try find(model, on: connection)?.position
        if try Leftovers.outlive(erasuresOf: model, after: position ?? .start, through: build.position, on: connection) {
            // Nobody will apply that erasure any more: the switch passes over it.
            try Leftovers.forget(of: model.name, on: connection)
        }
        let present = try live.present(on: connection).map { "\(live.schema).\($0)" }
        if !present.isEmpty { try lock(present.joined(separator: ", "), limit: limit, on: connection) }
        try ReadModelTables(model: model, schema: oldSchema).drop(on: connection)
        if position == build.position {
            try live.move(to: oldSchema, on: connection)
        } else {
            // It may hold what has been erased since.
            try live.drop(on: connection)
        }
        try tables.move(to: Projections.schema, on: connection)
        // Whoever applies another definition's events finds the checkpoint without its owner; who applies this one's goes on.
        try connection.execute(
            """
            insert into read.checkpoints as live (name, definition, position, changed) values ($1, $2, $3, $4)
            on conflict (name) do update
               set definition = excluded.definition, position = excluded.position, changed = greatest(live.changed, excluded.changed),
                   owner = case when live.definition = excluded.definition then live.owner end,
                   lease_until = case when live.definition = excluded.definition then live.lease_until end
            """,
            model.name,
            model.definition,
            build.position.rawValue,
            isOther ? build.position.rawValue : build.changed.rawValue
        )
        try connection.execute("delete from read_shadow.builds where name = $1", model.name)
        // What lies in these schemas now, or will, is not what was marked.
        try connection.execute(
            "delete from read_shadow.forgotten where name = $1 and schema in ($2, $3)", model.name, oldSchema, ShadowBuild.schema
        )
    }

    /// Keeps everybody off the tables, waiting `limit` for all of them together.
    static func lock(_ tables: String, limit: Duration, on connection: isolated PostgresConnection) throws {
        // First off those who maintain them: no query waits for that, and past a second the server ends a vacuum that stands in the way.
        try connection.executeScript("set local lock_timeout = 1500; lock table \(tables) in share update exclusive mode")
        try connection.executeScript("set local statement_timeout = \(Int(limit / .milliseconds(1)))")
        try connection.executeScript("lock table \(tables) in access exclusive mode")
        // What follows waits for nobody but the tables of earlier replays.
        try connection.executeScript("set local statement_timeout = default; set local lock_timeout = \(Int(limit / .milliseconds(1)))")
    }
}
