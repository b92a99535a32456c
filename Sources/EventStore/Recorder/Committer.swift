import Postgres

/// Commits batches that are decided, each of which goes into the log, or not, as a whole.
struct Committer: Sendable {
    /// What the log says to a writer that is not its writer any more.
    static let fencedState = "CW001"
    /// What the log says to a plan that assumed wrongly: by `log.expect`, or by its indexes on commands and versions.
    private static let doubtedStates: Set<String> = ["CW005", "23505"]

    let connection: PostgresConnection
    let epoch: Int64

    /// Commits a batch in one transaction and one round trip.
    ///
    /// - Returns: false where the log is not as the plan assumes; nothing was written then.
    /// - Throws: `LogWriter.Fenced` where another recorder took over; any other error leaves the outcome unknown.
    func commit(_ batch: LogWriter.Draft) async throws -> Bool {
        let statements = Self.statements(batch, epoch: epoch)
        return try await connection.run { try Self.commit(statements, on: $0) }
    }

    /// Commits one batch after the other on the connection's own thread, so that between two of them nobody is waited for.
    ///
    /// - Parameters:
    ///   - next: the batch to go on with; nil where there is none, or none that could be committed as it is.
    ///   - landed: is told what became of each, before the next is asked for. After anything but `success(true)` none is.
    func commitAll(next: @escaping @Sendable () -> LogWriter.Draft?, landed: @escaping @Sendable (Result<Bool, any Error>) -> Void) async {
        let epoch = epoch
        // Nothing is thrown, and nothing cancels it: what is on its way is brought to its end.
        try? await connection.run { connection in
            while let batch = next() {
                let result = Result { try Self.commit(Self.statements(batch, epoch: epoch), on: connection) }
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
    private static func statements(_ batch: LogWriter.Draft, epoch: Int64) -> [PostgresStatement] {
        let plan = batch.planner
        let head = Position(plan.head.rawValue - Int64(plan.events.count))
        let expected = plan.assumptions.sorted { $0.key < $1.key }
        var statements = [fence(epoch, from: head, to: plan.head, plan.hash)]
        if !expected.isEmpty {
            statements.append(
                PostgresStatement(
                    "select log.expect($1, $2)", PostgresArray(expected.map(\.key)), PostgresArray(expected.map(\.value.rawValue)))
            )
        }
        return statements + batch.rows.inserts
    }

    /// Moves the log's head, or raises `fencedState` where another has taken the log over since `epoch`, or the head is another. The
    /// first statement of whatever writes the log: it locks the writer's row until the end of the transaction.
    static func fence(_ epoch: Int64, from head: Position, to next: Position, _ hash: [UInt8]) -> PostgresStatement {
        PostgresStatement(
            "update log.writer set head = case when epoch = $1 and head = $2 then $3 else log.fenced() end, hash = $4",
            epoch, head.rawValue, next.rawValue, hash
        )
    }
}
