/// JSON text as UTF-8 bytes, sent as `jsonb` and read from `jsonb` or `json`. Nothing is parsed here.
///
/// `jsonb` rewrites numbers, key order and duplicates, so what comes back may differ in its bytes from what was sent.
package struct PostgresJSON: Hashable, Sendable {
    /// The JSON text in UTF-8.
    package let utf8: [UInt8]

    package init(utf8: [UInt8]) {
        self.utf8 = utf8
    }

    package init(_ text: String) {
        utf8 = Array(text.utf8)
    }
}

extension PostgresJSON: PostgresScalar {
    package static var postgresType: PostgresType { .jsonb }

    // jsonb's binary form is a version byte, 1, and then the text.
    package func encode(into buffer: inout PostgresBuffer) {
        buffer.append(UInt8(1))
        buffer.append(bytes: utf8)
    }

    package static func decode(_ bytes: RawSpan, as type: PostgresType) throws(PostgresDecodingFailure) -> PostgresJSON {
        switch type {
        case .json:
            return PostgresJSON(utf8: bytes.copied)
        case .jsonb:
            guard bytes.integer(as: UInt8.self) == 1 else { throw .malformed }
            return PostgresJSON(utf8: bytes.extracting(droppingFirst: 1).copied)
        default:
            throw .typeMismatch
        }
    }
}
