/// A value of a header or of a queue's argument.
package enum AMQPFieldValue: Sendable, Equatable {
    case bool(Bool)
    /// Every integer width arrives as this one.
    case int64(Int64)
    /// Every floating-point width and AMQP's decimals arrive as this one.
    case double(Double)
    case string(String)
    case bytes([UInt8])
    /// Seconds since 1970.
    case timestamp(UInt64)
    case array([AMQPFieldValue])
    case table([String: AMQPFieldValue])
    case null

    /// An upper bound of the encoded size in bytes.
    var encodedSizeBound: Int {
        switch self {
        case .bool, .null: 2
        case .int64, .double, .timestamp: 9
        case .string(let text): 5 + text.utf8.count
        case .bytes(let bytes): 5 + bytes.count
        case .array(let values): values.reduce(5) { $0 + $1.encodedSizeBound }
        case .table(let table): 1 + Self.encodedSizeBound(of: table)
        }
    }

    static func encodedSizeBound(of table: [String: AMQPFieldValue]) -> Int {
        table.reduce(4) { $0 + 1 + $1.key.utf8.count + $1.value.encodedSizeBound }
    }
}

extension AMQPFieldValue: ExpressibleByBooleanLiteral, ExpressibleByIntegerLiteral, ExpressibleByStringLiteral {
    package init(booleanLiteral value: Bool) { self = .bool(value) }
    package init(integerLiteral value: Int64) { self = .int64(value) }
    package init(stringLiteral value: String) { self = .string(value) }
}
