package import FoundationEssentials
package import Postgres

/// A subscription's place in the log, and the lease of the replica that runs it. One row; the statements that touch it.
///
/// The lease only spares work that would be thrown away. What keeps two replicas from applying an event twice is that a
/// checkpoint moves from the value its mover read, in the transaction that writes the rows.
package struct Checkpoint: Sendable {
    private let table: SubscriptionKind
    private let name: String
    private let replica: UUID
    private let lease: Duration

    package init(table: SubscriptionKind, name: String, replica: UUID, lease: Duration) {
        self.table = table
        self.name = name
        self.replica = replica
        self.lease = lease
    }

    /// Takes or renews the lease. The clock is the database's, so replicas need not agree on theirs.
    ///
    /// - Returns: the position, nil where another replica holds a lease that still runs.
    package func acquire(_ connection: isolated PostgresConnection) throws -> Position? {
        if table == .policies {
            // Whichever policy of a database is the first to run says where they all began.
            try connection.execute(
                """
                with new as (insert into subs.checkpoints (name) values ($1) on conflict do nothing returning name)
                insert into subs.beginning (position, recorded_at)
                select w.head, (select e.recorded_at from log.events e where e.position = w.head) from new, log.writer w
                on conflict do nothing
                """,
                name
            )
        }
        return try connection.query(
            """
            update \(table.schema).checkpoints
               set owner = $2, lease_until = clock_timestamp() + make_interval(secs => $3)
             where name = $1 and (owner is null or owner = $2 or lease_until < clock_timestamp())
            returning position
            """,
            name,
            replica,
            lease.inSeconds
        ).first.map { Position(try $0.get(0, Int64.self)) }
    }

    /// Gives the lease back, if it is this replica's.
    package func release(_ connection: isolated PostgresConnection) throws {
        try connection.execute(
            "update \(table.schema).checkpoints set owner = null, lease_until = null where name = $1 and owner = $2",
            name,
            replica
        )
    }

    /// The statement that moves the checkpoint and renews the lease. It goes first in a pipeline: where the checkpoint is not
    /// at `old`, or the lease is another's, it raises, and nothing after it takes effect; see `CheckpointMoved.recognising`.
    ///
    /// - Parameter changed: the last position that changed rows; for read models only, nil where none did.
    package func moving(from old: Position, to new: Position, changed: Position? = nil) -> PostgresStatement {
        switch table {
        case .policies:
            PostgresStatement(
                "select subs.move_checkpoint($1, $2, $3, $4, $5)",
                name,
                old.rawValue,
                new.rawValue,
                replica,
                lease.inSeconds
            )
        case .readModels:
            PostgresStatement(
                "select read.move_checkpoint($1, $2, $3, $4, $5, $6)",
                name,
                old.rawValue,
                new.rawValue,
                replica,
                lease.inSeconds,
                changed?.rawValue
            )
        }
    }

    /// - Throws: `CheckpointMoved`, which has to roll the transaction back.
    package func move(from old: Position, to new: Position, on connection: isolated PostgresConnection) throws {
        try CheckpointMoved.recognising { try connection.pipeline([moving(from: old, to: new)]) }
    }
}

/// The checkpoint is not where this replica left it: another one has taken the subscription over.
package struct CheckpointMoved: Error {
    package init() {}

    /// Runs statements among which is one of `Checkpoint.moving`, and tells its refusal from other errors.
    @discardableResult
    package static func recognising<T>(_ statements: () throws -> T) throws -> T {
        do {
            return try statements()
        } catch let error as PostgresError where error.sqlState == "CW003" {
            throw CheckpointMoved()
        }
    }
}

extension Duration {
    /// As Postgres' `make_interval` wants it.
    var inSeconds: Double { self / .seconds(1) }
}
