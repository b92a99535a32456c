extension PostgresConnection {
    /// Runs a closure as ``run(_:)`` does, and when the task is cancelled meanwhile, has the server end the statement in flight.
    ///
    /// That statement throws ``PostgresError`` of kind `cancelled`, as does every later one, without being sent. The connection can be used
    /// again at once: no request to cancel is under way any more when a statement is over.
    ///
    /// A commit and a rollback are never cancelled once begun, so what this throws and returns is what happened: with `CancellationError`, a
    /// transaction of the closure's has been rolled back, and a statement that was done before the request came returns its result.
    /// Outside a transaction each statement before the cancelled one has committed by itself. (Where a commit waits for a replica, a write
    /// belongs in a transaction: cancelling the wait of a statement that commits by itself makes it succeed before the replica has it.)
    ///
    /// - Throws: what the closure throws, except that ``PostgresError`` of kind `cancelled` becomes `CancellationError`.
    @discardableResult
    package nonisolated func runCancellable<T: Sendable>(
        _ body: @Sendable (isolated PostgresConnection) throws -> T
    ) async throws -> T {
        let canceller = StatementCanceller()
        return try await withTaskCancellationHandler {
            try await run { connection in try connection.withCanceller(canceller) { try body(connection) } }
        } onCancel: {
            canceller.cancel()
        }
    }

    /// Runs a closure whose statements a canceller may end; without one, just runs it.
    func withCanceller<T>(_ canceller: StatementCanceller?, _ body: () throws -> T) throws -> T {
        guard let canceller, let handle = openHandle else { return try body() }
        handle.canceller = canceller
        defer { handle.canceller = nil }
        do {
            return try body()
        } catch let error as PostgresError where error.kind == .cancelled {
            throw CancellationError()
        }
    }
}
