/// One row of a COPY TO STDOUT, read field by field in the order of its columns.
///
/// The row is read where it lies in memory and lives for the closure that was handed it. The format has no types: what is read must be of
/// exactly the column's type, and `Int64` reads no `integer`.
///
/// Invariant of the pointer: whoever makes a row keeps the bytes alive and in place until the row goes.
@safe package struct PostgresCopyRow: ~Copyable {
    private let bytes: UnsafeRawBufferPointer
    private var offset: Int
    private var column = 0

    /// How many fields the row has.
    package let columns: Int

    /// Begins with the row at `offset`; nil at the mark that ends the data.
    init?(_ bytes: UnsafeRawBufferPointer, at offset: Int) throws(PostgresError) {
        let span = unsafe RawSpan(_unsafeBytes: bytes)
        guard let columns = span.integer(at: offset, as: Int16.self) else { throw Self.malformed(column: 0) }
        guard columns >= 0 else { return nil }
        unsafe self.bytes = bytes
        self.offset = offset + 2
        self.columns = Int(columns)
    }

    // MARK: Fields

    /// Whether the next field is NULL; it is still to be read or skipped.
    package var isNull: Bool { (unsafe RawSpan(_unsafeBytes: bytes)).integer(at: offset, as: Int32.self) == -1 }

    /// Passes over the next field.
    ///
    /// - Throws: ``PostgresError`` of kind `decoding` after the last field.
    package mutating func skip() throws(PostgresError) {
        _ = try nextField()
    }

    /// Reads the next field, which must not be NULL, from a column of the type's own Postgres type.
    ///
    /// - Throws: ``PostgresError`` of kind `decoding`, which names the column by its place.
    package mutating func read<T: PostgresScalar>(_ type: T.Type = T.self) throws(PostgresError) -> T {
        try read(type, as: T.postgresType)
    }

    /// Reads the next field, nil for NULL, from a column of the type's own Postgres type.
    ///
    /// - Throws: ``PostgresError`` of kind `decoding`, which names the column by its place.
    package mutating func read<T: PostgresScalar>(_ type: T?.Type = T?.self) throws(PostgresError) -> T? {
        try read(type, as: T.postgresType)
    }

    /// Reads the next field from a column of the given type.
    ///
    /// - Throws: ``PostgresError`` of kind `decoding`, which names the column by its place.
    package mutating func read<T: PostgresDecodable>(_ type: T.Type, as postgresType: PostgresType) throws(PostgresError) -> T {
        let place = column
        let field = try nextField()
        do throws(PostgresDecodingFailure) {
            guard let field else {
                guard let null = T.decodeNull(postgresType) else { throw .null }
                return null
            }
            // The span is of bytes that live as long as the row, and cannot escape from the call.
            return try T.decode(unsafe RawSpan(_unsafeBytes: UnsafeRawBufferPointer(rebasing: bytes[field])), as: postgresType)
        } catch {
            switch error {
            case .typeMismatch: throw PostgresError(.decoding, "column \(place) of a COPY cannot be read as \(T.self) from \(postgresType)")
            case .null: throw PostgresError(.decoding, "column \(place) of a COPY holds NULL, which \(T.self) cannot")
            case .malformed: throw PostgresError(.decoding, "column \(place) of a COPY holds bytes that \(T.self) cannot")
            }
        }
    }

    /// Lends the bytes of the next field in their binary form, nil for NULL, without a copy.
    ///
    /// - Throws: what the closure throws; ``PostgresError`` of kind `decoding` after the last field.
    package mutating func withBytes<R>(_ body: (RawSpan?) throws -> R) throws -> R {
        guard let field = try nextField() else { return try body(nil) }
        // The span is of bytes that live as long as the row, and cannot escape from the call.
        return try body(unsafe RawSpan(_unsafeBytes: UnsafeRawBufferPointer(rebasing: bytes[field])))
    }

    private mutating func nextField() throws(PostgresError) -> Range<Int>? {
        guard column < columns else { throw PostgresError(.decoding, "a row of a COPY has \(columns) fields, no more") }
        guard let length = unsafe RawSpan(_unsafeBytes: bytes).integer(at: offset, as: Int32.self),
            length >= -1, unsafe Int(length) <= bytes.count - offset - 4
        else { throw Self.malformed(column: column) }
        column += 1
        offset += 4
        guard length >= 0 else { return nil }
        defer { offset += Int(length) }
        return offset..<(offset + Int(length))
    }

    /// Passes over what has not been read; where the next row begins.
    mutating func end() throws(PostgresError) -> Int {
        while column < columns { try skip() }
        return offset
    }

    private static func malformed(column: Int) -> PostgresError {
        PostgresError(.decoding, "a row of a COPY ends in the middle of column \(column)")
    }
}

extension PostgresCopyRow {
    /// Reads the rows that begin at `offset`, one after the other, up to the end of the bytes or of the data.
    ///
    /// - Returns: How many there were.
    static func forEach(
        in bytes: UnsafeRawBufferPointer,
        from offset: Int,
        _ body: (inout PostgresCopyRow) throws -> Void
    ) throws -> Int {
        var offset = offset
        var rows = 0
        while offset < bytes.count, var row = try unsafe PostgresCopyRow(bytes, at: offset) {
            try body(&row)
            offset = try row.end()
            rows += 1
        }
        return rows
    }

    /// Where the first row begins in the data's first message.
    static func skipHeader(of bytes: UnsafeRawBufferPointer) throws(PostgresError) -> Int {
        let span = unsafe RawSpan(_unsafeBytes: bytes)
        // "PGCOPY\n", then four bytes that a change of line ends or of the eighth bit would spoil; the flags; the rest of the header's length.
        guard span.integer(at: 0, as: UInt64.self) == 0x5047_434F_5059_0AFF, span.integer(at: 11, as: UInt32.self).map({ $0 >> 16 }) == 0,
            let extra = span.integer(at: 15, as: Int32.self), extra >= 0, Int(extra) <= span.byteCount - 19
        else { throw PostgresError(.decoding, "the data of a COPY begin with no header that is known here") }
        return 19 + Int(extra)
    }
}
