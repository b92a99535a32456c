package import FoundationEssentials

extension Bool: PostgresScalar {
    package static var postgresType: PostgresType { .bool }

    package func encode(into buffer: inout PostgresBuffer) {
        buffer.append(UInt8(self ? 1 : 0))
    }

    package static func decode(_ bytes: RawSpan, as type: PostgresType) throws(PostgresDecodingFailure) -> Bool {
        guard type == .bool else { throw .typeMismatch }
        guard let byte = bytes.wholeInteger(as: UInt8.self) else { throw .malformed }
        return byte != 0
    }
}

/// Reads a signed integer column no wider than the requested type.
private func decodeInteger<T: FixedWidthInteger & SignedInteger>(
    _ bytes: RawSpan,
    as type: PostgresType,
    _ requested: T.Type
) throws(PostgresDecodingFailure) -> T {
    let value: Int64?
    switch type {
    case .int2: value = bytes.wholeInteger(as: Int16.self).map(Int64.init)
    case .int4 where T.bitWidth >= 32: value = bytes.wholeInteger(as: Int32.self).map(Int64.init)
    case .int8 where T.bitWidth >= 64: value = bytes.wholeInteger(as: Int64.self)
    default: throw .typeMismatch
    }
    guard let value else { throw .malformed }
    return T(truncatingIfNeeded: value)
}

extension Int16: PostgresScalar {
    package static var postgresType: PostgresType { .int2 }

    package func encode(into buffer: inout PostgresBuffer) {
        buffer.append(self)
    }

    package static func decode(_ bytes: RawSpan, as type: PostgresType) throws(PostgresDecodingFailure) -> Int16 {
        try decodeInteger(bytes, as: type, Int16.self)
    }
}

extension Int32: PostgresScalar {
    package static var postgresType: PostgresType { .int4 }

    package func encode(into buffer: inout PostgresBuffer) {
        buffer.append(self)
    }

    package static func decode(_ bytes: RawSpan, as type: PostgresType) throws(PostgresDecodingFailure) -> Int32 {
        try decodeInteger(bytes, as: type, Int32.self)
    }
}

extension Int64: PostgresScalar {
    package static var postgresType: PostgresType { .int8 }

    package func encode(into buffer: inout PostgresBuffer) {
        buffer.append(self)
    }

    package static func decode(_ bytes: RawSpan, as type: PostgresType) throws(PostgresDecodingFailure) -> Int64 {
        try decodeInteger(bytes, as: type, Int64.self)
    }
}

extension Int: PostgresScalar {
    package static var postgresType: PostgresType { .int8 }

    package func encode(into buffer: inout PostgresBuffer) {
        buffer.append(Int64(self))
    }

    package static func decode(_ bytes: RawSpan, as type: PostgresType) throws(PostgresDecodingFailure) -> Int {
        try decodeInteger(bytes, as: type, Int.self)
    }
}

extension Double: PostgresScalar {
    package static var postgresType: PostgresType { .float8 }

    package func encode(into buffer: inout PostgresBuffer) {
        buffer.append(bitPattern)
    }

    package static func decode(_ bytes: RawSpan, as type: PostgresType) throws(PostgresDecodingFailure) -> Double {
        let value: Double?
        switch type {
        case .float8: value = bytes.wholeInteger(as: UInt64.self).map(Double.init(bitPattern:))
        case .float4: value = bytes.wholeInteger(as: UInt32.self).map { Double(Float(bitPattern: $0)) }
        default: throw .typeMismatch
        }
        guard let value else { throw .malformed }
        return value
    }
}

/// Sent as `text`. A string with U+0000 is refused by the server (SQLSTATE 22021).
extension String: PostgresScalar {
    package static var postgresType: PostgresType { .text }

    package func encode(into buffer: inout PostgresBuffer) {
        buffer.append(bytes: utf8)
    }

    package static func decode(_ bytes: RawSpan, as type: PostgresType) throws(PostgresDecodingFailure) -> String {
        switch type {
        case .text, .varchar, .bpchar, .name, .unknown, .json: break
        default: throw .typeMismatch
        }
        // The client encoding is UTF-8, so the server sends nothing else. The closure copies before it returns.
        return unsafe bytes.withUnsafeBytes { bytes in unsafe String(decoding: bytes, as: UTF8.self) }
    }
}

extension Array: PostgresEncodable, PostgresDecodable, PostgresArrayElement, PostgresScalar where Element == UInt8 {
    package static var postgresType: PostgresType { .bytea }

    package func encode(into buffer: inout PostgresBuffer) {
        buffer.append(bytes: self)
    }

    package static func decode(_ bytes: RawSpan, as type: PostgresType) throws(PostgresDecodingFailure) -> [UInt8] {
        guard type == .bytea else { throw .typeMismatch }
        return bytes.copied
    }
}

extension UUID: PostgresScalar {
    package static var postgresType: PostgresType { .uuid }

    package func encode(into buffer: inout PostgresBuffer) {
        // The closure copies the sixteen bytes of the local value before it returns.
        unsafe withUnsafeBytes(of: uuid) { bytes in unsafe buffer.append(bytes: bytes) }
    }

    package static func decode(_ bytes: RawSpan, as type: PostgresType) throws(PostgresDecodingFailure) -> UUID {
        guard type == .uuid else { throw .typeMismatch }
        guard bytes.byteCount == 16 else { throw .malformed }
        // Any sixteen bytes are a uuid_t, a tuple of sixteen UInt8.
        return unsafe UUID(uuid: bytes.unsafeLoadUnaligned(as: uuid_t.self))
    }
}

extension Optional: PostgresEncodable where Wrapped: PostgresScalar {
    package var postgresType: PostgresType { Wrapped.postgresType }

    package var isPostgresNull: Bool { self == nil }

    package func encode(into buffer: inout PostgresBuffer) {
        self?.encode(into: &buffer)
    }
}

extension Optional: PostgresArrayElement where Wrapped: PostgresScalar {
    package static var elementType: PostgresType { Wrapped.postgresType }
}

extension Optional: PostgresDecodable where Wrapped: PostgresDecodable {
    package static func decode(_ bytes: RawSpan, as type: PostgresType) throws(PostgresDecodingFailure) -> Wrapped? {
        try Wrapped.decode(bytes, as: type)
    }

    package static func decodeNull(_ type: PostgresType) -> Wrapped?? { .some(.none) }
}
