/// What went wrong with a connection, a statement, the pool or the configuration.
///
/// `description` reveals no SQL, no parameter and no server text, so it may be logged or shown anywhere.
/// `serverMessage` may quote values and belongs in a log that is treated as such.
package struct PostgresError: Error, Sendable, CustomStringConvertible, CustomDebugStringConvertible {
    /// The bounded set of what can go wrong; the raw value is fit for a metric label.
    package enum Kind: String, Sendable, CaseIterable {
        /// No connection could be made.
        case connectionFailed = "connection_failed"
        /// An established connection broke. Whether the statement in flight took effect is unknown.
        case connectionLost = "connection_lost"
        /// The connection was closed by this program, or given up after an earlier error; nothing was sent.
        case connectionClosed = "connection_closed"
        /// The server refused a statement; `sqlState` says why.
        case serverError = "server_error"
        /// A limit of time ended a connection attempt or a statement.
        case timedOut = "timed_out"
        /// The task was cancelled, and its statement with it or before it was sent; see ``PostgresConnection/runCancellable(_:)``.
        case cancelled
        /// A transaction could not commit because a statement in it had failed; everything was rolled back.
        case transactionAborted = "transaction_aborted"
        /// The connection was used against its rules, for example a transaction begun inside another.
        case misuse
        /// A value of the result could not be read as the type asked for.
        case decoding
        /// A parameter cannot be sent, for example a value in a column of another type.
        case encoding
        /// The configuration is wrong; no attempt was made to connect.
        case invalidConfiguration = "invalid_configuration"
        /// No connection of the pool came free in time.
        case poolTimeout = "pool_timeout"
        /// Too many callers already wait for the pool.
        case poolOverloaded = "pool_overloaded"
        /// The pool has been closed.
        case poolClosed = "pool_closed"
    }

    // One reference keeps `throws(PostgresError)` as cheap as throwing a pointer.
    private final class Storage: Sendable {
        let kind: Kind
        let reason: String
        let sqlState: String?
        let serverMessage: String?
        let constraint: String?
        let isConnectionLost: Bool
        let isStalePlan: Bool
        let step: Int?

        init(
            kind: Kind,
            reason: String,
            sqlState: String?,
            serverMessage: String?,
            constraint: String?,
            isConnectionLost: Bool,
            isStalePlan: Bool,
            step: Int?
        ) {
            self.kind = kind
            self.reason = reason
            self.sqlState = sqlState
            self.serverMessage = serverMessage
            self.constraint = constraint
            self.isConnectionLost = isConnectionLost
            self.isStalePlan = isStalePlan
            self.step = step
        }
    }

    private let storage: Storage

    /// - Parameter reason: constant words or names of columns and types; never SQL, values or server text.
    init(
        _ kind: Kind,
        _ reason: String,
        sqlState: String? = nil,
        serverMessage: String? = nil,
        constraint: String? = nil,
        isConnectionLost: Bool = false,
        isStalePlan: Bool = false,
        step: Int? = nil
    ) {
        storage = Storage(
            kind: kind,
            reason: reason,
            sqlState: sqlState,
            serverMessage: serverMessage,
            constraint: constraint,
            isConnectionLost: isConnectionLost || kind == .connectionLost,
            isStalePlan: isStalePlan,
            step: step
        )
    }

    /// What kind of failure this is.
    package var kind: Kind { storage.kind }

    /// The kind as a word from a bounded set, fit for a metric label.
    package var shortDescription: String { storage.kind.rawValue }

    /// The five-character SQLSTATE, for example `"23505"`; nil when the error did not come from the server.
    package var sqlState: String? { storage.sqlState }

    /// Whether the connection is unusable and the outcome of a statement in flight is unknown.
    package var isConnectionLost: Bool { storage.isConnectionLost }

    /// The server's or libpq's own words. They can quote values: for logs only.
    package var serverMessage: String? { storage.serverMessage }

    /// The name of the violated constraint, where the server names one.
    package var constraint: String? { storage.constraint }

    /// The index of the pipeline step that failed; nil outside a pipeline, or when the commit at its end failed.
    package var pipelineStep: Int? { storage.step }

    /// Whether a prepared statement no longer fits the schema or has vanished from the server.
    var isStalePlan: Bool { storage.isStalePlan }

    package var description: String {
        var text = "\(storage.kind.rawValue): \(storage.reason)"
        if let sqlState { text += " [\(sqlState)]" }
        if let constraint { text += ", constraint \(constraint)" }
        if let step = storage.step { text += ", step \(step)" }
        return text
    }

    package var debugDescription: String { description }

    /// The same for a statement that was ended because its task was cancelled.
    var asCancellation: PostgresError {
        guard kind == .timedOut, sqlState == "57014" else { return self }
        return PostgresError(.cancelled, "the task was cancelled, and its statement with it", sqlState: sqlState, step: pipelineStep)
    }

    func at(step: Int) -> PostgresError {
        PostgresError(
            kind,
            storage.reason,
            sqlState: sqlState,
            serverMessage: serverMessage,
            constraint: constraint,
            isConnectionLost: isConnectionLost,
            isStalePlan: isStalePlan,
            step: step
        )
    }
}
