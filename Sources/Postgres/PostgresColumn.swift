/// An array parameter put together at run time, for `unnest($1)`.
///
/// Every value is of the column's type or `.null`; which type a NULL was declared with does not matter.
package struct PostgresColumn: Hashable, Sendable {
    /// The type of the elements; the parameter's type is an array of it.
    package let type: PostgresType
    /// The elements in order.
    package private(set) var values: [PostgresValue]

    private let arrayType: PostgresType

    /// - Throws: ``PostgresError`` of kind `encoding` when the type has no array type or a value has another type.
    package init(_ type: PostgresType, _ values: [PostgresValue] = []) throws(PostgresError) {
        guard let arrayType = type.array else {
            throw PostgresError(.encoding, "there is no array type of \(type)")
        }
        self.type = type
        self.arrayType = arrayType
        self.values = []
        self.values.reserveCapacity(values.count)
        for value in values {
            try append(value)
        }
    }

    /// Appends a value.
    ///
    /// - Throws: ``PostgresError`` of kind `encoding` when the value is not of the column's type.
    package mutating func append(_ value: PostgresValue) throws(PostgresError) {
        guard value.isPostgresNull || value.postgresType == type else {
            throw PostgresError(.encoding, "a value of type \(value.postgresType) in a column of type \(type)")
        }
        values.append(value)
    }
}

extension PostgresColumn: PostgresEncodable {
    package var postgresType: PostgresType { arrayType }

    package func encode(into buffer: inout PostgresBuffer) {
        buffer.appendArrayHeader(count: values.count, hasNulls: values.contains { $0.isPostgresNull }, of: type)
        for value in values { buffer.appendElement(value) }
    }
}
