import Postgres

/// A batch that is decided and goes into the log, or not, as a whole.
struct Commitment: Sendable {
    /// What the log says to a writer that is not its writer any more.
    private static let fencedState = "CW001"
    /// What the log says to a plan that assumed wrongly: by `log.expect`, or by its indexes on commands and versions.
    private static let doubtedStates: Set<String> = ["CW005", "23505"]

    let connection: PostgresConnection
    let epoch: Int64
    let plan: BatchPlanner

    /// Commits the batch in one transaction and one round trip.
    ///
    /// - Returns: false where the log is not as the plan assumes; nothing was written then.
    /// - Throws: `LogWriter.Fenced` where another recorder took over; any other error leaves the outcome unknown.
    func carryOut() async throws -> Bool {
        let statements = statements()
        do {
            _ = try await connection.run { connection in
                try FaultPoint.arm(connection)
                return try connection.pipeline(statements)
            }
        } catch let error as PostgresError where error.sqlState == Self.fencedState {
            throw LogWriter.Fenced()
        } catch let error as PostgresError where !error.isConnectionLost && Self.doubtedStates.contains(error.sqlState ?? "") {
            return false
        }
        await FaultPoint.hit(.afterCommit)
        return true
    }

    /// One pipeline, which Postgres runs as one transaction and commits at its end.
    private func statements() -> [PostgresStatement] {
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
        return statements + [insertEvents(), insertCommands()]
    }

    private func insertEvents() -> PostgresStatement {
        let events = plan.events
        return PostgresStatement(
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
            PostgresArray(plan.hashes)
        )
    }

    private func insertCommands() -> PostgresStatement {
        let commands = plan.newCommands
        return PostgresStatement(
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
