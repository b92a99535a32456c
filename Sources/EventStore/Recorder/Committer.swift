import Postgres

/// Commits batches that are decided, each of which goes into the log, or not, as a whole.
struct Committer: Sendable {
    /// What the log says to a writer that is not its writer any more.
    private static let fencedState = "CW001"
    /// What the log says to a plan that assumed wrongly: by `log.expect`, or by its indexes on commands and versions.
    private static let doubtedStates: Set<String> = ["CW005", "23505"]

    let connection: PostgresConnection
    let epoch: Int64

    /// Commits a batch in one transaction and one round trip.
    ///
    /// - Returns: false where the log is not as the plan assumes; nothing was written then.
    /// - Throws: `LogWriter.Fenced` where another recorder took over; any other error leaves the outcome unknown.
    func commit(_ plan: BatchPlanner) async throws -> Bool {
        let statements = Self.statements(plan, epoch: epoch)
        return try await connection.run { try Self.commit(statements, on: $0) }
    }

    /// Commits one batch after the other on the connection's own thread, so that between two of them nobody is waited for.
    ///
    /// - Parameters:
    ///   - next: the batch to go on with; nil where there is none, or none that could be committed as it is.
    ///   - landed: is told what became of each, before the next is asked for. After anything but `success(true)` none is.
    func commitAll(next: @escaping @Sendable () -> BatchPlanner?, landed: @escaping @Sendable (Result<Bool, any Error>) -> Void) async {
        let epoch = epoch
        // Nothing is thrown, and nothing cancels it: what is on its way is brought to its end.
        try? await connection.run { connection in
            while let plan = next() {
                let result = Result { try Self.commit(Self.statements(plan, epoch: epoch), on: connection) }
                landed(result)
                guard case .success(true) = result else { return }
            }
        }
    }

    private static func commit(_ statements: [PostgresStatement], on connection: isolated PostgresConnection) throws -> Bool {
        do {
            try FaultPoint.arm(connection)
            _ = try connection.pipeline(statements)
        } catch let error as PostgresError where error.sqlState == fencedState {
            throw LogWriter.Fenced()
        } catch let error as PostgresError where !error.isConnectionLost && doubtedStates.contains(error.sqlState ?? "") {
            return false
        }
        return true
    }

    /// One pipeline, which Postgres runs as one transaction and commits at its end.
    private static func statements(_ plan: BatchPlanner, epoch: Int64) -> [PostgresStatement] {
        let head = Position(plan.head.rawValue - Int64(plan.events.count))
        let expected = plan.assumptions.sorted { $0.key < $1.key }
        var statements = [
            PostgresStatement("select log.fence($1, $2, $3, $4)", epoch, head.rawValue, plan.head.rawValue, plan.hash)
        ]
        if !expected.isEmpty {
            statements.append(
                PostgresStatement(
                    "select log.expect($1, $2)", PostgresArray(expected.map(\.key)), PostgresArray(expected.map(\.value.rawValue)))
            )
        }
        return statements + [insert(plan.events, plan.hashes), insert(plan.newCommands)]
    }

    private static func insert(_ events: [RecordedEvent], _ hashes: [[UInt8]]) -> PostgresStatement {
        PostgresStatement(
            """
            insert into log.events (position, event_id, stream, version, context, type, schema_version, recorded_at,
                                    command_id, payload, metadata, hash)
            select * from unnest($1::int8[], $2::uuid[], $3::text[], $4::int4[], $5::text[], $6::text[], $7::int2[],
                                 $8::timestamptz[], $9::uuid[], $10::bytea[], $11::bytea[], $12::bytea[])
            """,
            PostgresArray(events.map(\.position.rawValue)),
            PostgresArray(events.map(\.id)),
            PostgresArray(events.map(\.stream)),
            PostgresArray(events.map(\.version.rawValue)),
            PostgresArray(events.map(\.context)),
            PostgresArray(events.map(\.type)),
            PostgresArray(events.map(\.schemaVersion)),
            PostgresArray(events.map { PostgresTimestamp(microsecondsSinceEpoch: $0.recordedAt) }),
            PostgresArray(events.map(\.commandID)),
            PostgresArray(events.map(\.payload)),
            PostgresArray(events.map(\.metadata)),
            PostgresArray(hashes)
        )
    }

    private static func insert(_ commands: [BatchPlanner.CommandRow]) -> PostgresStatement {
        PostgresStatement(
            """
            insert into log.commands (command_id, fingerprint, first_position, last_position)
            select * from unnest($1::uuid[], $2::bytea[], $3::int8[], $4::int8[])
            """,
            PostgresArray(commands.map(\.id)),
            PostgresArray(commands.map(\.fingerprint)),
            PostgresArray(commands.map(\.first.rawValue)),
            PostgresArray(commands.map(\.last.rawValue))
        )
    }
}
