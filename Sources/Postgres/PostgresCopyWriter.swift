package import FoundationEssentials

/// Writes the rows of one COPY FROM STDIN, field by field in the order of the COPY's columns, each row ended by ``endRow()``.
///
/// The format has no types: a value must be of exactly the column's type. The server refuses what is too short or too long (SQLSTATE 08P01, 22P03),
/// but takes an `Int64` for a `timestamptz`, which has as many bytes. Memory is 64 KiB, however long the rows are.
///
/// Writing a field does not throw: what went wrong is thrown by the ``endRow()`` after it.
///
/// Invariant of the pointer: `buffer` is `capacity` bytes from `init` to `deinit`, of which the first `used` have been written.
@safe package struct PostgresCopyWriter: ~Copyable {
    private static let capacity = 65_536

    private let handle: ConnectionHandle
    private let buffer: UnsafeMutableRawPointer
    private var used = 0
    private var fields = 0
    private var failure: PostgresError?
    private var scratch = PostgresBuffer()

    /// How many fields a row has.
    package let columns: Int
    /// Which COPY of the script this is, counted from 0.
    package let index: Int

    init(handle: ConnectionHandle, columns: Int, index: Int) {
        self.handle = handle
        self.columns = columns
        self.index = index
        unsafe buffer = .allocate(byteCount: Self.capacity, alignment: 16)
        // The signature, no flags and no extension of the header.
        for byte in [0x50, 0x47, 0x43, 0x4F, 0x50, 0x59, 0x0A, 0xFF, 0x0D, 0x0A, 0x00] as [UInt8] { store(byte) }
        store(0 as Int32)
        store(0 as Int32)
    }

    deinit {
        unsafe buffer.deallocate()
    }

    // MARK: Rows

    /// Ends a row.
    ///
    /// - Throws: ``PostgresError`` of kind `encoding` when the row has too few or too many fields, `connectionLost`. The COPY has failed then.
    package mutating func endRow() throws(PostgresError) {
        if fields == 0 { beginRow() }
        if fields != columns, failure == nil {
            failure = PostgresError(.encoding, "a row of \(fields) fields; the COPY has \(columns) columns")
        }
        if let failure { throw failure }
        fields = 0
    }

    /// Ends the data after the last row.
    mutating func finish() throws(PostgresError) {
        if fields != 0, failure == nil { failure = PostgresError(.misuse, "the last row of the COPY was not ended") }
        reserve(2)
        store(-1 as Int16)
        flush()
        if let failure { throw failure }
    }

    private mutating func beginRow() {
        reserve(2)
        store(Int16(truncatingIfNeeded: columns))
    }

    // MARK: Fields

    /// Writes NULL.
    package mutating func writeNull() {
        beginField(-1)
    }

    /// Writes a `boolean`.
    package mutating func write(_ value: Bool) {
        write(integer: UInt8(value ? 1 : 0))
    }

    /// Writes a `smallint`.
    package mutating func write(_ value: Int16) {
        write(integer: value)
    }

    /// Writes an `integer`.
    package mutating func write(_ value: Int32) {
        write(integer: value)
    }

    /// Writes a `bigint`.
    package mutating func write(_ value: Int64) {
        write(integer: value)
    }

    /// Writes a `bigint`.
    package mutating func write(_ value: Int) {
        write(integer: Int64(value))
    }

    /// Writes a `double precision`.
    package mutating func write(_ value: Double) {
        write(integer: value.bitPattern)
    }

    /// Writes a `text`, `varchar` or `json`. U+0000 is refused by the server (SQLSTATE 22021).
    package mutating func write(_ value: String) {
        var value = value
        // The closure copies the string's bytes before it returns.
        value.withUTF8 { bytes in unsafe write(bytes: UnsafeRawBufferPointer(bytes)) }
    }

    /// Writes a `bytea`, or the UTF-8 of a `text` or `json`.
    package mutating func write(_ value: [UInt8]) {
        unsafe value.withUnsafeBytes { bytes in unsafe write(bytes: bytes) }
    }

    /// Writes a field from its binary form, as ``PostgresCopyRow/withBytes(_:)`` lends it.
    package mutating func write(_ value: RawSpan) {
        unsafe value.withUnsafeBytes { bytes in unsafe write(bytes: bytes) }
    }

    /// Writes a `jsonb` from JSON text in UTF-8.
    package mutating func writeJSONB(_ utf8: [UInt8]) {
        beginField(Int64(utf8.count) + 1)
        reserve(1)
        store(1 as UInt8)
        unsafe utf8.withUnsafeBytes { bytes in unsafe append(bytes) }
    }

    /// Writes a `uuid`.
    package mutating func write(_ value: UUID) {
        // The bytes are those of the local copy.
        unsafe withUnsafeBytes(of: value.uuid) { bytes in unsafe write(bytes: bytes) }
    }

    /// Writes any value that could be a parameter, with a copy more than the others.
    package mutating func write(_ value: some PostgresEncodable) {
        guard !value.isPostgresNull else { return writeNull() }
        scratch.reset()
        value.encode(into: &scratch)
        write(scratch.bytes)
    }

    private mutating func write(bytes: UnsafeRawBufferPointer) {
        beginField(Int64(bytes.count))
        unsafe append(bytes)
    }

    private mutating func write(integer value: some FixedWidthInteger & BitwiseCopyable) {
        beginField(Int64(MemoryLayout.size(ofValue: value)))
        reserve(8)
        store(value)
    }

    private mutating func beginField(_ length: Int64) {
        if fields == 0 { beginRow() }
        fields += 1
        if length > Int32.max, failure == nil { failure = PostgresError(.encoding, "a field of a COPY exceeds 2 GiB") }
        reserve(4)
        store(Int32(truncatingIfNeeded: length))
    }

    // MARK: Bytes

    /// Makes room for a few bytes.
    private mutating func reserve(_ count: Int) {
        if used + count > Self.capacity { flush() }
    }

    /// Room must have been reserved.
    private mutating func store(_ value: some FixedWidthInteger & BitwiseCopyable) {
        unsafe buffer.storeBytes(of: value.bigEndian, toByteOffset: used, as: type(of: value))
        used += MemoryLayout.size(ofValue: value)
    }

    private mutating func append(_ bytes: UnsafeRawBufferPointer) {
        var rest = unsafe bytes[...]
        while unsafe !rest.isEmpty {
            reserve(1)
            let piece = unsafe rest.prefix(Self.capacity - used)
            // The piece is not empty, so it has an address, and fits the room left.
            if let start = unsafe UnsafeRawBufferPointer(rebasing: piece).baseAddress {
                unsafe (buffer + used).copyMemory(from: start, byteCount: piece.count)
            }
            unsafe used += piece.count
            unsafe rest = rest.dropFirst(piece.count)
        }
    }

    private mutating func flush() {
        defer { used = 0 }
        guard failure == nil else { return }
        if handle.canceller?.isCancelled == true {
            failure = PostgresError(.cancelled, "the task was cancelled, and its COPY with it")
        } else if unsafe !handle.putCopyData(UnsafeRawBufferPointer(start: buffer, count: used)) {
            failure = PostgresError(.connectionLost, "the connection broke during a COPY", serverMessage: handle.lastMessage)
        }
    }
}
