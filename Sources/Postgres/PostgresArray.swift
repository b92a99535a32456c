/// A one-dimensional array of scalars, for `= ANY($1)`, `unnest($1)` and array columns.
///
/// `PostgresArray<Int64>` refuses NULL elements when read; `PostgresArray<Int64?>` takes them.
package struct PostgresArray<Element: PostgresArrayElement> {
    /// The elements in order.
    package var elements: [Element]

    package init(_ elements: [Element]) {
        self.elements = elements
    }
}

extension PostgresArray: ExpressibleByArrayLiteral {
    package init(arrayLiteral elements: Element...) {
        self.elements = elements
    }
}

extension PostgresArray: Equatable where Element: Equatable {}

extension PostgresArray: PostgresEncodable, PostgresDecodable {
    package var postgresType: PostgresType {
        // Every scalar's type has an array type; `unknown` makes the server say so if one were ever added without.
        Element.elementType.array ?? .unknown
    }

    package func encode(into buffer: inout PostgresBuffer) {
        buffer.appendArrayHeader(count: elements.count, hasNulls: elements.contains { $0.isPostgresNull }, of: Element.elementType)
        Element.append(elements, to: &buffer)
    }

    package static func decode(_ bytes: RawSpan, as type: PostgresType) throws(PostgresDecodingFailure) -> PostgresArray {
        PostgresArray(try decodeArray(bytes, as: type))
    }
}

extension PostgresBuffer {
    /// Appends what the binary form of a one-dimensional array begins with, before its elements: dimensions, whether there are NULLs,
    /// the element type, then for the dimension its size and first index.
    mutating func appendArrayHeader(count: Int, hasNulls: Bool, of type: PostgresType) {
        append(Int32(count == 0 ? 0 : 1))
        append(Int32(hasNulls ? 1 : 0))
        append(type.rawValue)
        guard count > 0 else { return }
        append(Int32(truncatingIfNeeded: count))
        append(Int32(1))
    }
}

/// Reads the binary form of an array with at most one dimension.
func decodeArray<Element: PostgresDecodable>(
    _ bytes: RawSpan,
    as type: PostgresType
) throws(PostgresDecodingFailure) -> [Element] {
    guard let elementType = type.element else { throw .typeMismatch }
    guard let dimensions = bytes.integer(as: Int32.self), bytes.integer(at: 8, as: UInt32.self) == elementType.rawValue
    else { throw .malformed }
    guard dimensions > 0 else { return [] }
    guard dimensions == 1, let count = bytes.integer(at: 12, as: Int32.self), count >= 0 else { throw .malformed }
    var elements: [Element] = []
    elements.reserveCapacity(min(Int(count), bytes.byteCount / 4))
    var offset = 20
    for _ in 0..<count {
        guard let length = bytes.integer(at: offset, as: Int32.self) else { throw .malformed }
        offset += 4
        if length < 0 {
            guard let null = Element.decodeNull(elementType) else { throw .null }
            elements.append(null)
        } else {
            guard Int(length) <= bytes.byteCount - offset else { throw .malformed }
            elements.append(try Element.decode(bytes.extracting(offset..<(offset + Int(length))), as: elementType))
            offset += Int(length)
        }
    }
    return elements
}
