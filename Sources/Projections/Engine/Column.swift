import Postgres

/// A column of a read model's table.
package struct Column: Sendable, Hashable {
    /// The types that read models use.
    package enum Kind: String, Sendable {
        case uuid
        case text
        case bigint
        case integer
        case boolean
        case timestamp = "timestamptz"
        case date
        case jsonb

        var postgresType: PostgresType {
            switch self {
            case .uuid: .uuid
            case .text: .text
            case .bigint: .int8
            case .integer: .int4
            case .boolean: .bool
            case .timestamp: .timestamptz
            case .date: .date
            case .jsonb: .jsonb
            }
        }
    }

    package let name: String
    package let kind: Kind
    package let isNullable: Bool

    package init(_ name: String, _ kind: Kind, nullable: Bool = false) {
        self.name = name
        self.kind = kind
        isNullable = nullable
    }

    var definition: String {
        "\(name) \(kind.rawValue)\(isNullable ? "" : " not null")"
    }

    /// What the column holds in a row that an increment brings about: nothing, or none. Nil where a row cannot begin so.
    var initialValue: PostgresValue? {
        if isNullable { return .null(kind.postgresType) }
        return kind == .bigint ? .int8(0) : nil
    }

    func admits(_ value: PostgresValue) -> Bool {
        value.isPostgresNull ? isNullable : value.postgresType == kind.postgresType
    }
}
