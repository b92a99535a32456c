extension PostgresConnection {
    /// Streams rows into a table with `COPY name (column, …) FROM STDIN (FORMAT binary)`.
    ///
    /// ```swift
    /// try c.copyIn("COPY item (id, name) FROM STDIN (FORMAT binary)") { copy in
    ///     for item in items {
    ///         copy.write(item.id)
    ///         copy.write(item.name)
    ///         try copy.endRow()
    ///     }
    /// }
    /// ```
    ///
    /// Other statements may stand before and after the COPY, separated by semicolons. They travel in the same message, so that a fence, the
    /// rows and what follows from them take two round trips: one until the server wants the rows, one until all is done. Outside a
    /// transaction the script is one: all or nothing. A script with several COPYs calls the closure for each; see ``PostgresCopyWriter/index``.
    ///
    /// The closure may block, but must not use the connection. When it throws, the COPY fails, nothing of the script that is not committed
    /// takes effect (a surrounding transaction has failed), and the connection can be used again. What the server has against a row
    /// shows when all are written: it throws away the rest.
    ///
    /// - Returns: How many rows the server took.
    /// - Throws: what the closure throws; ``PostgresError`` with the server's SQLSTATE, `misuse` for a script without such a COPY, or
    ///   `connectionLost`.
    @discardableResult
    package func copyIn(_ script: String, _ body: (inout PostgresCopyWriter) throws -> Void) throws -> Int {
        guard !script.utf8.contains(0) else { throw PostgresError(.misuse, "the script contains U+0000") }
        return try guarding { handle throws(PostgresError) in try handle.copyIn(script, body) }.get()
    }

    /// Streams the rows of `COPY (query) TO STDOUT (FORMAT binary)` to a closure, row by row. One row is in memory at a time.
    ///
    /// The closure may block, but must not use the connection. It may throw to stop early: the COPY is then cancelled, which makes a
    /// surrounding transaction fail, and the connection can be used again.
    ///
    /// - Returns: How many rows there were.
    /// - Throws: what the closure throws; ``PostgresError`` with the server's SQLSTATE, `misuse` for a script without such a COPY, `decoding`, or
    ///   `connectionLost`.
    @discardableResult
    package func copyOut(_ script: String, _ body: (inout PostgresCopyRow) throws -> Void) throws -> Int {
        try unsafe copyOutMessages(script) { bytes, start in
            _ = try unsafe PostgresCopyRow.forEach(in: bytes, from: start, body)
        }
    }

    /// Streams the rows of `COPY (query) TO STDOUT (FORMAT binary)` in chunks, each as soon as it has `chunkSize` bytes, the last one at the
    /// end: for rows that are decoded elsewhere, while the connection goes on reading. Otherwise as ``copyOut(_:_:)``.
    @discardableResult
    package func copyOut(
        _ script: String,
        chunkSize: Int,
        _ body: (PostgresCopyChunk) throws -> Void
    ) throws -> Int {
        var chunk = PostgresCopyChunk()
        let rows = try unsafe copyOutMessages(script) { bytes, start in
            unsafe chunk.append(UnsafeRawBufferPointer(rebasing: bytes[start...]))
            guard chunk.byteCount >= chunkSize else { return }
            try body(chunk)
            chunk = PostgresCopyChunk()
        }
        if chunk.byteCount > 0 { try body(chunk) }
        return rows
    }

    /// Hands each message to the closure with the place where its rows begin.
    private func copyOutMessages(
        _ script: String,
        _ body: (UnsafeRawBufferPointer, Int) throws -> Void
    ) throws -> Int {
        guard !script.utf8.contains(0) else { throw PostgresError(.misuse, "the script contains U+0000") }
        return try guarding { handle throws(PostgresError) in
            var isFirst = true
            return try unsafe handle.copyOut(script) { bytes in
                let start = isFirst ? try unsafe PostgresCopyRow.skipHeader(of: bytes) : 0
                isFirst = false
                try unsafe body(bytes, start)
            }
        }.get()
    }
}
