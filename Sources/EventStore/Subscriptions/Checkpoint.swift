package import FoundationEssentials
package import Postgres

/// A subscription's place in the log, and the lease of the replica that runs it. One row; the statements that touch it.
///
/// The lease only spares work that would be thrown away. What keeps two replicas from applying an event twice is that a
/// checkpoint moves from the value its mover read, in the transaction that writes the rows.
package struct Checkpoint: Sendable {
    package enum Table: String, Sendable {
        case policies = "subs.checkpoints"
        case readModels = "read.checkpoints"
    }

    private let table: Table
    private let name: String
    private let replica: UUID
    private let lease: Duration

    package init(table: Table, name: String, replica: UUID, lease: Duration) {
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
            try connection.execute("insert into subs.checkpoints (name) values ($1) on conflict do nothing", name)
        }
        return try connection.query(
            """
            update \(table.rawValue)
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
            "update \(table.rawValue) set owner = null, lease_until = null where name = $1 and owner = $2",
            name,
            replica
        )
    }

    /// - Throws: `CheckpointMoved`, which has to roll the transaction back.
    package func move(from old: Position, to new: Position, on connection: isolated PostgresConnection) throws {
        let moved = try connection.execute(
            """
            update \(table.rawValue)
               set position = $3, lease_until = clock_timestamp() + make_interval(secs => $5)
             where name = $1 and position = $2 and owner = $4
            """,
            name,
            old.rawValue,
            new.rawValue,
            replica,
            lease.inSeconds
        )
        guard moved == 1 else { throw CheckpointMoved() }
    }
}

extension Duration {
    /// As Postgres' `make_interval` wants it.
    var inSeconds: Double { self / .seconds(1) }
}
