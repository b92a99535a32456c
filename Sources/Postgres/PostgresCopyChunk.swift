/// Some rows of a COPY TO STDOUT as they came, to be read later or elsewhere, for example by several tasks in parallel.
package struct PostgresCopyChunk: Sendable {
    private var bytes: [UInt8] = []

    /// How many bytes the rows take.
    package var byteCount: Int { bytes.count }

    /// Appends one message's rows. The mark that ends the data is none.
    mutating func append(_ rows: UnsafeRawBufferPointer) {
        guard unsafe RawSpan(_unsafeBytes: rows).integer(as: Int16.self) != -1 else { return }
        // Copied before the call returns.
        unsafe bytes.append(contentsOf: rows)
    }

    /// Reads the rows in order.
    ///
    /// - Returns: How many there were.
    /// - Throws: what the closure throws; ``PostgresError`` of kind `decoding` for bytes that are no rows.
    @discardableResult
    package func forEachRow(_ body: (inout PostgresCopyRow) throws -> Void) throws -> Int {
        // The array keeps the bytes alive and in place until the closure returns.
        try unsafe bytes.withUnsafeBytes { bytes in try unsafe PostgresCopyRow.forEach(in: bytes, from: 0, body) }
    }
}
