import Clibpq
import Dispatch
import Glibc
import Logging

/// Owns one `PGconn` and makes the blocking calls. Not thread-safe and not Sendable: the actor that owns it is its lock.
///
/// Invariants: `connection` is a live `PGconn` until `deinit`; no other reference to it exists.
@safe final class ConnectionHandle {
    // The invariant of this unsafe property is the one of the type's comment.
    let connection: OpaquePointer
    // libpq holds an unretained pointer to the sink, so it lives as long as the connection.
    private let sink: NoticeSink
    #if FAULT_POINTS
        /// Where the pipeline that is being sent is interrupted.
        var interruption: PipelineInterruption?
    #endif
    /// While set, statements can be cancelled.
    var canceller: StatementCanceller?
    /// Nil without a connection, and then there is nothing to cancel.
    private(set) lazy var cancelRequest = unsafe CancelRequest(connection: connection)

    private init(connection: OpaquePointer, sink: NoticeSink) {
        unsafe self.connection = connection
        self.sink = sink
        let context = unsafe Unmanaged.passUnretained(sink).toOpaque()
        unsafe PQsetNoticeReceiver(
            connection,
            { context, result in
                guard let context = unsafe context, let result = unsafe result else { return }
                // The context is the sink set below, which the handle keeps alive.
                unsafe Unmanaged<NoticeSink>.fromOpaque(context).takeUnretainedValue().receive(result)
            },
            context
        )
    }

    deinit {
        unsafe PQfinish(connection)
    }

    // MARK: Opening

    /// Connects; blocks up to the configuration's limit.
    static func open(_ configuration: PostgresConfiguration, logger: Logger) throws(PostgresError) -> ConnectionHandle {
        let deadline = ContinuousClock.now + configuration.connectTimeout
        let parameters = configuration.connectionParameters
        guard !parameters.contains(where: { $0.value.utf8.contains(0) }) else {
            throw PostgresError(.invalidConfiguration, "a connection parameter contains U+0000")
        }
        // strdup'd copies are freed right after the call; libpq keeps copies of its own.
        let keywords = unsafe parameters.map { unsafe UnsafePointer(strdup($0.keyword)) } + [nil]
        let values = unsafe parameters.map { unsafe UnsafePointer(strdup($0.value)) } + [nil]
        let started = unsafe PQconnectStartParams(keywords, values, 0)
        for index in parameters.indices {
            unsafe free(UnsafeMutableRawPointer(mutating: keywords[index]))
            unsafe free(UnsafeMutableRawPointer(mutating: values[index]))
        }
        guard let connection = unsafe started else {
            throw PostgresError(.connectionFailed, "out of memory")
        }
        let handle = unsafe ConnectionHandle(connection: connection, sink: NoticeSink(logger: logger))
        // The only way to learn the SQLSTATE of a refused connection is to have it printed into the message.
        unsafe PQsetErrorVerbosity(connection, PQERRORS_VERBOSE)
        try handle.completeOpening(until: deadline)
        unsafe PQsetErrorVerbosity(connection, PQERRORS_DEFAULT)
        return handle
    }

    private func completeOpening(until deadline: ContinuousClock.Instant) throws(PostgresError) {
        guard isAlive else { throw openingFailure() }
        var events = Int16(POLLOUT)
        while true {
            guard try wait(for: events, until: deadline) != 0 else {
                throw PostgresError(.timedOut, "the server did not complete the connection in time")
            }
            switch unsafe PQconnectPoll(connection) {
            case PGRES_POLLING_OK: return
            case PGRES_POLLING_READING: events = Int16(POLLIN)
            case PGRES_POLLING_WRITING: events = Int16(POLLOUT)
            default: throw openingFailure()
            }
        }
    }

    private func openingFailure() -> PostgresError {
        let message = lastMessage
        // "… FATAL:  28P01: password authentication failed …"
        let sqlState = message.split(separator: ":").map { $0.trimmingBlanks }.first { word in
            word.utf8.count == 5 && word.utf8.allSatisfy { (0x30...0x39).contains($0) || (0x41...0x5A).contains($0) }
                && word.utf8.contains { (0x30...0x39).contains($0) }
        }
        return PostgresError(
            .connectionFailed,
            Self.tlsFailure(message) ?? "no connection to the database",
            sqlState: sqlState.map { String($0) },
            serverMessage: message
        )
    }

    /// Why TLS did not come about, from libpq's words, which name files and hosts.
    private static func tlsFailure(_ message: String) -> String? {
        if message.contains("certificate verify failed") {
            "the database's certificate is not signed by the authority in sslrootcert, or not valid now"
        } else if message.contains("does not match host name") {
            "the database's certificate does not name the host"
        } else if message.contains("server does not support SSL") {
            "the database speaks no TLS, which sslmode asks for"
        } else if message.contains("root certificate file") {
            "the certificates in sslrootcert, or at its default place, cannot be read"
        } else {
            nil
        }
    }

    // MARK: State

    /// Whether libpq knows of no failure. It learns of one only while it reads or writes.
    var isAlive: Bool { unsafe PQstatus(connection) != CONNECTION_BAD }

    var transactionStatus: PGTransactionStatusType { unsafe PQtransactionStatus(connection) }

    var backendProcessID: Int32 { unsafe PQbackendPID(connection) }

    /// What libpq says about the last failure.
    var lastMessage: String { unsafe PQerrorMessage(connection).map { unsafe String(cString: $0) } ?? "" }

    /// Reads what the server sent unasked, without waiting. False if the server has hung up.
    func absorbUnasked() -> Bool {
        guard isAlive else { return false }
        guard (try? wait(for: Int16(POLLIN), until: .now)) ?? 0 != 0 else { return true }
        guard unsafe PQconsumeInput(connection) == 1 else { return false }
        // Parses what was read; a farewell that comes between statements is a notice to libpq.
        _ = unsafe PQisBusy(connection)
        guard isAlive, !sink.saidFarewell else { return false }
        // A hang-up behind a message shows at the next look.
        guard (try? wait(for: Int16(POLLIN), until: .now)) ?? 0 != 0 else { return true }
        return unsafe PQconsumeInput(connection) == 1 && isAlive
    }

    /// Waits for the socket; returns what it is ready for, 0 at the deadline.
    private func wait(for events: Int16, until deadline: ContinuousClock.Instant?) throws(PostgresError) -> Int16 {
        while true {
            let limit = deadline.map { Int32(truncatingIfNeeded: max(.zero, $0 - .now).wholeMilliseconds) } ?? -1
            var descriptor = pollfd(fd: unsafe PQsocket(connection), events: events, revents: 0)
            // The pointer is to the one local pollfd.
            let ready = unsafe poll(&descriptor, 1, limit)
            if ready >= 0 { return ready == 0 ? 0 : descriptor.revents }
            guard errno == EINTR else { throw PostgresError(.connectionLost, "the socket cannot be polled") }
        }
    }

    // MARK: Statements

    /// Runs one or several statements without parameters; the last result.
    func simple(_ sql: String) throws(PostgresError) -> ResultStorage {
        try cancellable { () throws(PostgresError) in try uncancelled(sql) }
    }

    /// Runs one or several statements that must not be cancelled: a commit, whose outcome has to be known, or what cleans up.
    func uncancelled(_ sql: String) throws(PostgresError) -> ResultStorage {
        guard unsafe PQsendQuery(connection, sql) == 1 else { throw sendingFailure() }
        return try finish()
    }

    /// Prepares a statement.
    func prepare(_ sql: String, name: String, types: [UInt32]) throws(PostgresError) {
        try cancellable { () throws(PostgresError) in
            try sendPrepare(sql, name: name, types: types)
            _ = try finish()
        }
    }

    /// Runs a prepared statement.
    func execute(_ name: String, _ parameters: EncodedParameters) throws(PostgresError) -> ResultStorage {
        try cancellable { () throws(PostgresError) in
            try sendExecute(name, parameters)
            return try finish()
        }
    }

    /// Sends something and reads all its results as what the canceller, if there is one, may end.
    func cancellable<T>(_ body: () throws(PostgresError) -> T) throws(PostgresError) -> T {
        guard let canceller, let cancelRequest else { return try body() }
        guard canceller.begin(cancelRequest) else {
            throw PostgresError(.cancelled, "the task was cancelled before the statement was sent")
        }
        defer { canceller.end() }
        do throws(PostgresError) {
            return try body()
        } catch {
            throw canceller.isCancelled ? error.asCancellation : error
        }
    }

    private func sendPrepare(_ sql: String, name: String, types: [UInt32]) throws(PostgresError) {
        // libpq copies the strings and types into its output buffer.
        guard unsafe PQsendPrepare(connection, name, sql, Int32(types.count), types) == 1 else { throw sendingFailure() }
    }

    private func sendExecute(_ name: String, _ parameters: EncodedParameters) throws(PostgresError) {
        let sent = unsafe parameters.withPointers { count, values, lengths, formats in
            // libpq copies the values into its output buffer before it returns.
            unsafe PQsendQueryPrepared(connection, name, count, values, lengths, formats, 1)
        }
        guard sent == 1 else { throw sendingFailure() }
    }

    func sendingFailure() -> PostgresError {
        isAlive
            ? PostgresError(.misuse, "libpq did not take the statement", serverMessage: lastMessage)
            : PostgresError(.connectionLost, "the connection broke before the statement was sent", serverMessage: lastMessage)
    }

    func nextResult() -> ResultStorage? {
        // Every result libpq hands out is ours to free.
        guard let result = unsafe PQgetResult(connection) else { return nil }
        return unsafe ResultStorage(owning: result)
    }

    /// Reads results until the server is ready for the next statement; the last one, or the first error.
    private func finish() throws(PostgresError) -> ResultStorage {
        var last: ResultStorage?
        var failed: ResultStorage?
        while let result = nextResult() {
            switch result.status {
            case PGRES_COMMAND_OK, PGRES_TUPLES_OK, PGRES_EMPTY_QUERY, PGRES_SINGLE_TUPLE:
                last = result
            case PGRES_COPY_IN, PGRES_COPY_OUT, PGRES_COPY_BOTH:
                throw PostgresError(.misuse, "COPY cannot be used as a statement", isConnectionLost: true)
            default:
                failed = failed ?? result
            }
        }
        if let error = failed?.error(connectionLost: !isAlive) { throw error }
        guard isAlive, let last else {
            throw PostgresError(
                .connectionLost,
                "the connection broke while a statement was in flight",
                serverMessage: lastMessage
            )
        }
        return last
    }
}

extension ConnectionHandle {
    /// One command of a pipeline.
    enum PipelineCommand {
        case prepare(sql: String, name: String, types: [UInt32])
        case execute(name: String, EncodedParameters)
    }

    /// What became of the commands of a pipeline, in order, and the failure of the commit at its end.
    struct PipelineOutcome {
        var results: [ResultStorage] = []
        var error: PostgresError?
        /// The command that failed; nil if none or the commit did.
        var failedCommand: Int?
    }

    /// Sends all commands and one Sync, which commits them together, and reads all results.
    ///
    /// While writing it reads as well: otherwise a server that waits for its results to be read, and this program, waiting for the
    /// server to read more, would wait for ever.
    func pipeline(_ commands: [PipelineCommand]) throws(PostgresError) -> PipelineOutcome {
        var outcome = try cancellable { () throws(PostgresError) in try runPipeline(commands) }
        if canceller?.isCancelled == true { outcome.error = outcome.error?.asCancellation }
        return outcome
    }

    private func runPipeline(_ commands: [PipelineCommand]) throws(PostgresError) -> PipelineOutcome {
        guard unsafe PQenterPipelineMode(connection) == 1 else { throw sendingFailure() }
        guard unsafe PQsetnonblocking(connection, 1) == 0 else { throw sendingFailure() }
        for (index, command) in commands.enumerated() {
            try meet(.before(step: Self.steps(in: commands[..<index])))
            switch command {
            case .prepare(let sql, let name, let types): try sendPrepare(sql, name: name, types: types)
            case .execute(let name, let parameters): try sendExecute(name, parameters)
            }
        }
        try meet(.beforeSync)
        guard unsafe PQpipelineSync(connection) == 1 else { throw sendingFailure() }
        try flushWhileReading()
        try meet(.beforeAnswer)
        guard unsafe PQsetnonblocking(connection, 0) == 0 else { throw sendingFailure() }
        let outcome = try readPipeline(commands.count)
        guard unsafe PQexitPipelineMode(connection) == 1 else {
            throw PostgresError(.connectionLost, "the pipeline did not end in order", serverMessage: lastMessage)
        }
        return outcome
    }

    private static func steps(in commands: ArraySlice<PipelineCommand>) -> Int {
        commands.count { if case .execute = $0 { true } else { false } }
    }

    /// Interrupts the pipeline where a test build was told to. Nothing in a release build.
    @inline(__always)
    private func meet(_ place: @autoclosure () -> PipelineInterruption.Place) throws(PostgresError) {
        #if FAULT_POINTS
            let place = place()
            guard let interruption, interruption.place == place else { return }
            self.interruption = nil
            if place != .before(step: 0) {
                // What was sent so far is run, in a transaction that stays open: a Flush has the results sent without ending it.
                if place != .beforeAnswer {
                    guard unsafe PQsendFlushRequest(connection) == 1 else { throw sendingFailure() }
                    try flushWhileReading()
                }
                // The server sends its results in one piece, at the Flush or the Sync: when the first byte is there, all has been run.
                _ = try wait(for: Int16(POLLIN), until: .now + .seconds(5))
            }
            guard !interruption.goesOn() else { return }
            // The descriptor is the live connection's, the buffer a local array. What the server has said already is not to be read.
            _ = unsafe shutdown(PQsocket(connection), Int32(SHUT_RDWR))
            var unread = [UInt8](repeating: 0, count: 4096)
            while unsafe recv(PQsocket(connection), &unread, unread.count, 0) > 0 {}
        #endif
    }

    private func flushWhileReading() throws(PostgresError) {
        while true {
            switch unsafe PQflush(connection) {
            case 0: return
            case 1:
                let ready = try wait(for: Int16(POLLIN | POLLOUT), until: nil)
                if ready & ~Int16(POLLOUT) != 0, unsafe PQconsumeInput(connection) != 1 {
                    throw PostgresError(.connectionLost, "the connection broke during a pipeline", serverMessage: lastMessage)
                }
            default:
                throw PostgresError(.connectionLost, "the connection broke during a pipeline", serverMessage: lastMessage)
            }
        }
    }

    private func readPipeline(_ count: Int) throws(PostgresError) -> PipelineOutcome {
        var outcome = PipelineOutcome()
        outcome.results.reserveCapacity(count)
        // Each command gives one result and then nil; the Sync gives one result, after one more if the commit failed.
        var command = 0
        while true {
            guard let result = nextResult() else {
                guard isAlive else { throw lost(outcome) }
                command += 1
                // A server that never answers the Sync cannot happen while it is alive; more nils than commands would.
                guard command <= count + 1 else {
                    throw PostgresError(.connectionLost, "the pipeline ended without its Sync", serverMessage: lastMessage)
                }
                continue
            }
            switch result.status {
            case PGRES_PIPELINE_SYNC:
                guard isAlive else { throw lost(outcome) }
                return outcome
            case PGRES_PIPELINE_ABORTED:
                continue
            case PGRES_COMMAND_OK, PGRES_TUPLES_OK, PGRES_EMPTY_QUERY:
                outcome.results.append(result)
            case PGRES_COPY_IN, PGRES_COPY_OUT, PGRES_COPY_BOTH:
                throw PostgresError(.misuse, "COPY cannot be used in a pipeline", isConnectionLost: true)
            default:
                guard outcome.error == nil else { continue }
                outcome.error = result.error(connectionLost: !isAlive)
                outcome.failedCommand = command < count ? command : nil
            }
        }
    }

    private func lost(_ outcome: PipelineOutcome) -> PostgresError {
        PostgresError(
            .connectionLost,
            "the connection broke during a pipeline",
            sqlState: outcome.error?.sqlState,
            serverMessage: outcome.error?.serverMessage ?? lastMessage
        )
    }
}

extension Substring {
    fileprivate var trimmingBlanks: Substring {
        var text = drop { $0 == " " }
        while text.last == " " { text.removeLast() }
        return text
    }
}
