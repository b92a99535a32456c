import Blocking
import Clibpq
import Dispatch
package import Logging

/// One connection to a Postgres server.
///
/// ```swift
/// let connection = try await PostgresConnection.connect(PostgresConfiguration(url: url), logger: logger)
/// let names = try await connection.run { c in
///     try c.transaction { c in
///         try c.execute("UPDATE item SET price = price + $1 WHERE kind = $2", 5, "chair")
///         return try c.query("SELECT name FROM item WHERE price > $1 ORDER BY name", 100).map { try $0.get(0, String.self) }
///     }
/// }
/// await connection.close()
/// ```
///
/// The connection is an actor whose code runs on a queue of its own, where it may block; callers only ever suspend. Inside
/// `run`, statements follow each other without leaving that queue, so a whole transaction costs one hop.
///
/// Statements are prepared on first use and remembered by their text: write the text as a constant and bind what varies.
/// Parameters are `$1`, `$2`, …; see ``PostgresEncodable`` for what can be bound and ``PostgresRow`` for reading.
///
/// After an error for which ``PostgresError/isConnectionLost`` holds, the connection is of no more use. It is closed by `close()` or
/// when its last reference goes. Programs mostly use ``PostgresPool``, which replaces such connections.
package actor PostgresConnection {
    private let executor: QueueExecutor
    private var handle: ConnectionHandle?
    private var statements: StatementCache
    private let logger: Logger

    /// The process that serves this connection, as in `pg_stat_activity.pid` and for `pg_terminate_backend`.
    package nonisolated let backendProcessID: Int32

    package nonisolated var unownedExecutor: UnownedSerialExecutor {
        // The actor holds its executor, and every job holds the actor.
        unsafe executor.asUnownedSerialExecutor()
    }

    private init(handle: sending ConnectionHandle, executor: QueueExecutor, statementCapacity: Int, logger: Logger) {
        backendProcessID = handle.backendProcessID
        self.executor = executor
        self.logger = logger
        self.handle = handle
        statements = StatementCache(capacity: statementCapacity)
    }

    /// Connects.
    ///
    /// - Parameter statementCapacity: how many prepared statements the connection remembers; the least recently used go first.
    /// - Throws: ``PostgresError`` of kind `connectionFailed` (with the server's SQLSTATE if it refused), `timedOut` or
    ///   `invalidConfiguration`.
    package static func connect(
        _ configuration: PostgresConfiguration,
        statementCapacity: Int = 256,
        logger: Logger
    ) async throws(PostgresError) -> PostgresConnection {
        let result: Result<PostgresConnection, PostgresError> = await withCheckedContinuation { continuation in
            open(configuration, statementCapacity: statementCapacity, logger: logger) { continuation.resume(returning: $0) }
        }
        return try result.get()
    }

    /// Connects on the new connection's own queue and calls back from there.
    static func open(
        _ configuration: PostgresConfiguration,
        statementCapacity: Int = 256,
        logger: Logger,
        completion: @escaping @Sendable (Result<PostgresConnection, PostgresError>) -> Void
    ) {
        let executor = QueueExecutor(label: "postgres.\(configuration.applicationName)")
        executor.queue.async {
            do throws(PostgresError) {
                let handle = try ConnectionHandle.open(configuration, logger: logger)
                completion(
                    .success(
                        PostgresConnection(
                            handle: handle,
                            executor: executor,
                            statementCapacity: statementCapacity,
                            logger: logger
                        )
                    )
                )
            } catch {
                completion(.failure(error))
            }
        }
    }

    /// Runs a closure on the connection in one hop. The closure may block on statements but cannot await.
    @discardableResult
    package func run<T: Sendable>(_ body: @Sendable (isolated PostgresConnection) throws -> T) throws -> T {
        try body(self)
    }

    /// Runs one statement and returns its rows.
    ///
    /// A statement whose prepared form no longer fits the schema, or which the server has forgotten, is prepared anew and run again,
    /// except inside a transaction, which such an error has already aborted; the next attempt then succeeds.
    ///
    /// - Throws: ``PostgresError`` with the server's SQLSTATE, or `connectionLost`.
    package func query(_ sql: String, _ parameters: any PostgresEncodable...) throws(PostgresError) -> PostgresRows {
        try query(sql, parameters: parameters)
    }

    /// Runs one statement with its parameters in an array and returns its rows.
    package func query(_ sql: String, parameters: [any PostgresEncodable]) throws(PostgresError) -> PostgresRows {
        PostgresRows(storage: try perform(sql, parameters))
    }

    /// Runs one statement.
    ///
    /// - Returns: how many rows it inserted, updated, deleted or returned.
    @discardableResult
    package func execute(_ sql: String, _ parameters: any PostgresEncodable...) throws(PostgresError) -> Int {
        try perform(sql, parameters).affected
    }

    /// Runs one statement with its parameters in an array.
    @discardableResult
    package func execute(_ sql: String, parameters: [any PostgresEncodable]) throws(PostgresError) -> Int {
        try perform(sql, parameters).affected
    }

    /// Runs several statements separated by semicolons, without parameters. Unless the script says `BEGIN`, they are one
    /// transaction: all or nothing.
    package func executeScript(_ sql: String) throws(PostgresError) {
        guard !sql.utf8.contains(0) else { throw PostgresError(.misuse, "the script contains U+0000") }
        _ = try guarding { handle throws(PostgresError) in try handle.simple(sql) }
    }

    /// Closes the connection. Statements after that fail with `connectionClosed`.
    package func close() {
        handle = nil
    }

    /// Whether the connection is open as far as is known without asking the server.
    package var isUsable: Bool { handle?.isAlive ?? false }

    /// Whether a transaction is open, be it failed or not.
    package var isInTransaction: Bool {
        guard let handle else { return false }
        return handle.transactionStatus != PQTRANS_IDLE
    }
}

extension PostgresConnection {
    /// Nil once closed or given up.
    var openHandle: ConnectionHandle? { handle }

    /// Looks, without waiting, whether the server has closed the connection.
    func hasNotHungUp() -> Bool {
        handle?.absorbUnasked() ?? false
    }

    /// Whether the server answers. A vanished one is noticed by TCP's limits.
    func answers() -> Bool {
        (try? guarding { handle throws(PostgresError) in try handle.simple("") }) != nil
    }

    /// Has the connection's queue do something when it is free, without anybody awaiting it.
    nonisolated func onQueue(_ body: @escaping @Sendable (isolated PostgresConnection) -> Void) {
        executor.queue.async { self.assumeIsolated(body) }
    }

    /// Runs an operation on the open handle and gives the handle up when the operation breaks it.
    func guarding<T>(_ operation: (ConnectionHandle) throws(PostgresError) -> T) throws(PostgresError) -> T {
        guard let handle else {
            throw PostgresError(.connectionClosed, "the connection is closed or was given up after an error")
        }
        do throws(PostgresError) {
            return try operation(handle)
        } catch {
            if error.isConnectionLost { self.handle = nil }
            throw error
        }
    }

    private func perform(_ sql: String, _ parameters: [any PostgresEncodable]) throws(PostgresError) -> ResultStorage {
        let parameters = try EncodedParameters(parameters)
        return try retryingStalePlan { () throws(PostgresError) in
            try performOnce(sql, parameters)
        }
    }

    private func performOnce(_ sql: String, _ parameters: EncodedParameters) throws(PostgresError) -> ResultStorage {
        try guarding { handle throws(PostgresError) in
            let key = StatementCache.Key(sql: sql, types: parameters.types)
            if let name = statements.name(for: key) { return try handle.execute(name, parameters) }
            try deallocateEvicted(handle)
            guard !sql.utf8.contains(0) else { throw PostgresError(.misuse, "the statement contains U+0000") }
            let name = statements.makeName()
            try handle.prepare(sql, name: name, types: parameters.types)
            statements.insert(name, for: key)
            return try handle.execute(name, parameters)
        }
    }

    /// Runs an operation; if a prepared statement turns out to be stale, forgets all and, outside a transaction, tries once more.
    ///
    /// Trying again is safe: such an error is raised before the statement runs, and outside a transaction nothing before it is open.
    func retryingStalePlan<T>(
        while canRetry: () -> Bool = { true },
        _ operation: () throws(PostgresError) -> T
    ) throws(PostgresError) -> T {
        let wasInTransaction = isInTransaction
        do throws(PostgresError) {
            return try operation()
        } catch {
            guard error.isStalePlan else { throw error }
            try forgetStatements()
            guard !wasInTransaction, !isInTransaction, canRetry() else { throw error }
            return try operation()
        }
    }

    private func forgetStatements() throws(PostgresError) {
        statements.removeAll()
        // In a failed transaction the server takes no DEALLOCATE. The names are never used again, so what stays behind
        // costs the server's memory only, until the connection ends.
        if !isInTransaction {
            _ = try guarding { handle throws(PostgresError) in try handle.uncancelled("DEALLOCATE ALL") }
        }
    }

    func deallocateEvicted(_ handle: ConnectionHandle) throws(PostgresError) {
        guard !statements.evicted.isEmpty, handle.transactionStatus != PQTRANS_INERROR else { return }
        let script = statements.evicted.map { "DEALLOCATE \($0)" }.joined(separator: ";")
        statements.clearEvicted()
        _ = try handle.uncancelled(script)
    }

    func withStatements<T>(_ body: (inout StatementCache) -> T) -> T {
        body(&statements)
    }
}
