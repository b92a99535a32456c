import Clibpq

/// What became of a COPY: how many rows the server took or gave, or what the caller's closure threw. Either way the connection is ready
/// for the next statement, unless it broke.
typealias CopyOutcome = Result<Int, any Error>

extension ConnectionHandle {
    /// Runs a script and has `body` write the rows of each COPY FROM STDIN in it.
    ///
    /// The script runs to its end, or to its first error, whatever `body` does: a COPY given up is an error of the server's too.
    func copyIn(_ script: String, _ body: (inout PostgresCopyWriter) throws -> Void) throws(PostgresError) -> CopyOutcome {
        try cancellable { () throws(PostgresError) in try runCopyIn(script, body) }
    }

    private func runCopyIn(
        _ script: String,
        _ body: (inout PostgresCopyWriter) throws -> Void
    ) throws(PostgresError) -> CopyOutcome {
        guard unsafe PQsendQuery(connection, script) == 1 else { throw sendingFailure() }
        var copies = CopyResults()
        while let result = nextResult() {
            guard result.status == PGRES_COPY_IN else {
                try copies.note(result, connectionLost: !isAlive)
                continue
            }
            var writer = PostgresCopyWriter(handle: self, columns: result.columnCount, index: copies.started)
            copies.started += 1
            do {
                guard result.isBinary else { throw PostgresError(.misuse, "the COPY is not WITH (FORMAT binary)") }
                try body(&writer)
                try writer.finish()
            } catch {
                copies.thrown = error
            }
            // Without a reason the COPY ends in order, with one it fails with that.
            let reason = copies.thrown == nil ? nil : "the rows were given up by their writer"
            guard unsafe PQputCopyEnd(connection, reason) == 1 else {
                throw PostgresError(.connectionLost, "the connection broke during a COPY", serverMessage: lastMessage)
            }
        }
        return try outcome(copies)
    }

    /// Runs a script and hands the data of each COPY TO STDOUT in it to `body`, message by message. The bytes live for the call only.
    func copyOut(_ script: String, _ body: (UnsafeRawBufferPointer) throws -> Void) throws(PostgresError) -> CopyOutcome {
        try cancellable { () throws(PostgresError) in try unsafe runCopyOut(script, body) }
    }

    private func runCopyOut(
        _ script: String,
        _ body: (UnsafeRawBufferPointer) throws -> Void
    ) throws(PostgresError) -> CopyOutcome {
        guard unsafe PQsendQuery(connection, script) == 1 else { throw sendingFailure() }
        var copies = CopyResults()
        while let result = nextResult() {
            guard result.status == PGRES_COPY_OUT else {
                try copies.note(result, connectionLost: !isAlive)
                continue
            }
            copies.started += 1
            do {
                guard result.isBinary else { throw PostgresError(.misuse, "the COPY is not WITH (FORMAT binary)") }
                try unsafe readMessages(body)
            } catch {
                copies.thrown = copies.thrown ?? error
                // What the server has sent already is read and forgotten.
                cancelRequest?.send()
                try? unsafe readMessages { _ in }
            }
        }
        return try outcome(copies)
    }

    private func readMessages(_ body: (UnsafeRawBufferPointer) throws -> Void) throws {
        while true {
            var message: UnsafeMutablePointer<CChar>?
            let length = unsafe PQgetCopyData(connection, &message, 0)
            // -1 is the end, -2 a failure: the results that follow tell.
            guard length > 0, let message = unsafe message else { return }
            // The message is ours to free.
            defer { unsafe PQfreemem(message) }
            try unsafe body(UnsafeRawBufferPointer(start: message, count: Int(length)))
        }
    }

    private func outcome(_ copies: CopyResults) throws(PostgresError) -> CopyOutcome {
        // A lost connection is what matters most to whoever would try again; the server's error of a COPY given up says nothing new.
        let error = copies.failed?.error(connectionLost: !isAlive)
        if let error, error.isConnectionLost { throw error }
        guard isAlive else {
            throw PostgresError(.connectionLost, "the connection broke during a COPY", serverMessage: lastMessage)
        }
        if let thrown = copies.thrown { return .failure(thrown) }
        if let error { throw error }
        guard copies.started > 0 else { throw PostgresError(.misuse, "the script has no COPY") }
        return .success(copies.rows)
    }

    /// Hands data of a COPY to libpq, which sends them; blocks until the server takes them.
    ///
    /// An error of the server's in the middle of a COPY is not seen here: it throws the rest away, and its error is the COPY's result.
    func putCopyData(_ bytes: UnsafeRawBufferPointer) -> Bool {
        unsafe PQputCopyData(connection, bytes.baseAddress?.assumingMemoryBound(to: CChar.self), Int32(bytes.count)) == 1
    }
}

/// The results of a script with COPYs so far.
private struct CopyResults {
    var started = 0
    var rows = 0
    var failed: ResultStorage?
    /// What the caller's closure threw.
    var thrown: (any Error)?

    mutating func note(_ result: ResultStorage, connectionLost: Bool) throws(PostgresError) {
        switch result.status {
        case PGRES_COMMAND_OK, PGRES_TUPLES_OK, PGRES_EMPTY_QUERY:
            if result.commandTag.hasPrefix("COPY ") { rows += result.affected }
        case PGRES_COPY_IN, PGRES_COPY_OUT, PGRES_COPY_BOTH:
            throw PostgresError(.misuse, "the COPY goes the other way", isConnectionLost: true)
        default:
            failed = failed ?? result
        }
    }
}
