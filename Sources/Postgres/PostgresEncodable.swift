/// A value that can be bound to a parameter. Parameters travel in Postgres' binary format and carry their own type, so
/// the server never guesses: bind a `String` to an enum column as `$1::my_enum`.
package protocol PostgresEncodable: Sendable {
    /// The type the parameter is declared with.
    var postgresType: PostgresType { get }

    /// Whether the value is SQL NULL. If so, `encode` is not called.
    var isPostgresNull: Bool { get }

    /// Appends the value's binary form.
    func encode(into buffer: inout PostgresBuffer)
}

extension PostgresEncodable {
    package var isPostgresNull: Bool { false }
}

/// A value that can be read from a column of a result.
package protocol PostgresDecodable {
    /// Reads the binary form of a value that is not NULL.
    ///
    /// - Throws: ``PostgresDecodingFailure`` when the column's type or the bytes do not fit.
    static func decode(_ bytes: RawSpan, as type: PostgresType) throws(PostgresDecodingFailure) -> Self

    /// What NULL in a column of the given type reads as; nil, the default, makes it an error.
    static func decodeNull(_ type: PostgresType) -> Self?
}

extension PostgresDecodable {
    package static func decodeNull(_ type: PostgresType) -> Self? { nil }
}

/// Why a value could not be read. ``PostgresRow`` turns it into a ``PostgresError`` that names the column.
package enum PostgresDecodingFailure: Error, Hashable {
    /// The column's type is not one the requested type is read from.
    case typeMismatch
    /// The column holds NULL and the requested type has no place for it.
    case null
    /// The bytes do not fit the type.
    case malformed
}

/// A type with one Postgres type of its own, so that it can be an optional parameter or an element of an array.
package protocol PostgresScalar: PostgresArrayElement, PostgresEncodable, PostgresDecodable {
    /// The type values are sent as.
    static var postgresType: PostgresType { get }
}

extension PostgresScalar {
    package var postgresType: PostgresType { Self.postgresType }
    package static var elementType: PostgresType { postgresType }
}

/// What may stand in a ``PostgresArray``: a scalar or an optional scalar.
package protocol PostgresArrayElement: PostgresEncodable, PostgresDecodable {
    /// The type of the array's elements.
    static var elementType: PostgresType { get }
    /// Appends elements of an array in their binary form. A requirement so that each type has its own, which the compiler then
    /// specializes: the recorder sends a dozen arrays of thousands of elements with every batch.
    static func append(_ elements: [Self], to buffer: inout PostgresBuffer)
}

extension PostgresArrayElement {
    package static func append(_ elements: [Self], to buffer: inout PostgresBuffer) {
        for element in elements { buffer.appendElement(element) }
    }
}
