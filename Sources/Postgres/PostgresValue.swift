package import FoundationEssentials

/// A value whose type is known only at run time.
package enum PostgresValue: Hashable, Sendable {
    case null(PostgresType)
    case bool(Bool)
    case int2(Int16)
    case int4(Int32)
    case int8(Int64)
    case double(Double)
    case text(String)
    case bytes([UInt8])
    case uuid(UUID)
    case timestamp(PostgresTimestamp)
    case date(PostgresDate)
    case json(PostgresJSON)
}

extension PostgresValue: PostgresEncodable {
    package var postgresType: PostgresType {
        switch self {
        case .null(let type): type
        case .bool: .bool
        case .int2: .int2
        case .int4: .int4
        case .int8: .int8
        case .double: .float8
        case .text: .text
        case .bytes: .bytea
        case .uuid: .uuid
        case .timestamp: .timestamptz
        case .date: .date
        case .json: .jsonb
        }
    }

    package var isPostgresNull: Bool {
        if case .null = self { true } else { false }
    }

    package func encode(into buffer: inout PostgresBuffer) {
        switch self {
        case .null: break
        case .bool(let value): value.encode(into: &buffer)
        case .int2(let value): value.encode(into: &buffer)
        case .int4(let value): value.encode(into: &buffer)
        case .int8(let value): value.encode(into: &buffer)
        case .double(let value): value.encode(into: &buffer)
        case .text(let value): value.encode(into: &buffer)
        case .bytes(let value): value.encode(into: &buffer)
        case .uuid(let value): value.encode(into: &buffer)
        case .timestamp(let value): value.encode(into: &buffer)
        case .date(let value): value.encode(into: &buffer)
        case .json(let value): value.encode(into: &buffer)
        }
    }
}

extension PostgresValue: PostgresDecodable {
    /// Reads a column of any type that has a case here; other types are an error.
    package static func decode(_ bytes: RawSpan, as type: PostgresType) throws(PostgresDecodingFailure) -> PostgresValue {
        switch type {
        case .bool: .bool(try Bool.decode(bytes, as: type))
        case .int2: .int2(try Int16.decode(bytes, as: type))
        case .int4: .int4(try Int32.decode(bytes, as: type))
        case .int8: .int8(try Int64.decode(bytes, as: type))
        case .float4, .float8: .double(try Double.decode(bytes, as: type))
        case .text, .varchar, .bpchar, .name: .text(try String.decode(bytes, as: type))
        case .bytea: .bytes(try [UInt8].decode(bytes, as: type))
        case .uuid: .uuid(try UUID.decode(bytes, as: type))
        case .timestamptz: .timestamp(try PostgresTimestamp.decode(bytes, as: type))
        case .date: .date(try PostgresDate.decode(bytes, as: type))
        case .json, .jsonb: .json(try PostgresJSON.decode(bytes, as: type))
        default: throw .typeMismatch
        }
    }

    package static func decodeNull(_ type: PostgresType) -> PostgresValue? { .null(type) }
}
