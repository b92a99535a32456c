import Clibpq

/// How a transaction is kept apart from others; Postgres' words.
package enum PostgresIsolation: String, Sendable {
    case readCommitted = "READ COMMITTED"
    case repeatableRead = "REPEATABLE READ"
    case serializable = "SERIALIZABLE"
}

extension PostgresConnection {
    /// Runs a closure in a transaction and commits it; rolls back and rethrows when the closure throws.
    ///
    /// When it returns, the commit is done. When it throws, nothing took effect, except after an error for which
    /// ``PostgresError/isConnectionLost`` holds: if that came from the commit, whether it took effect is unknown.
    ///
    /// - Parameter isolation: the server's default (read committed, unless configured) if nil.
    /// - Throws: what the closure throws; ``PostgresError`` of kind `misuse` inside another transaction, `transactionAborted` when the
    ///   closure swallowed the error of a failed statement, or the commit's own error, for example of a deferred constraint.
    @discardableResult
    package func transaction<T>(
        isolation: PostgresIsolation? = nil,
        readOnly: Bool = false,
        _ body: (isolated PostgresConnection) throws -> T
    ) throws -> T {
        guard !isInTransaction else { throw PostgresError(.misuse, "a transaction inside a transaction") }
        var begin = "BEGIN"
        if let isolation { begin += " ISOLATION LEVEL \(isolation.rawValue)" }
        if readOnly { begin += " READ ONLY" }
        _ = try guarding { handle throws(PostgresError) in try handle.simple(begin) }
        let value: T
        do {
            value = try body(self)
        } catch {
            rollBack()
            throw error
        }
        try commit()
        return value
    }

    private func commit() throws(PostgresError) {
        guard isInTransaction || !isUsable else {
            throw PostgresError(.misuse, "the transaction was ended by a statement inside it")
        }
        let tag = try guarding { handle throws(PostgresError) in try handle.uncancelled("COMMIT").commandTag }
        // COMMIT of a failed transaction "succeeds" with the tag ROLLBACK.
        guard tag == "COMMIT" else {
            throw PostgresError(.transactionAborted, "a statement failed and its error was ignored; all was rolled back")
        }
    }

    /// Rolls back what is open. A connection that cannot even do that is given up: the server then rolls back by itself.
    func rollBack() {
        guard isInTransaction else { return }
        do throws(PostgresError) {
            _ = try guarding { handle throws(PostgresError) in try handle.uncancelled("ROLLBACK") }
        } catch {
            close()
        }
    }
}
