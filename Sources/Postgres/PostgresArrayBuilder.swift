/// A one-dimensional array parameter that is put together piece by piece. What is added is brought into its binary form then, so
/// that little is left to do when the statement is sent.
package struct PostgresArrayBuilder<Element: PostgresScalar>: PostgresEncodable {
    private var elements = PostgresBuffer()
    private var count = 0

    /// An empty array.
    package init() {}

    /// Adds elements at the end.
    package mutating func append(_ added: [Element]) {
        Element.append(added, to: &elements)
        count += added.count
    }

    package var postgresType: PostgresType { Element.elementType.array ?? .unknown }

    package func encode(into buffer: inout PostgresBuffer) {
        // No scalar is NULL.
        buffer.appendArrayHeader(count: count, hasNulls: false, of: Element.elementType)
        buffer.append(bytes: elements.bytes)
    }
}
