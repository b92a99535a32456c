/// A Postgres data type, named by its object id.
///
/// The ids of built-in types are fixed by Postgres (`pg_type.dat`) and the same on every server.
package struct PostgresType: RawRepresentable, Hashable, Sendable, CustomStringConvertible {
    /// The object id.
    package let rawValue: UInt32

    package init(rawValue: UInt32) {
        self.rawValue = rawValue
    }

    /// `bool` as named in `pg_type`.
    package static let bool = PostgresType(rawValue: 16)
    /// `bytea` as named in `pg_type`.
    package static let bytea = PostgresType(rawValue: 17)
    /// `name` as named in `pg_type`.
    package static let name = PostgresType(rawValue: 19)
    /// `int8` as named in `pg_type`.
    package static let int8 = PostgresType(rawValue: 20)
    /// `int2` as named in `pg_type`.
    package static let int2 = PostgresType(rawValue: 21)
    /// `int4` as named in `pg_type`.
    package static let int4 = PostgresType(rawValue: 23)
    /// `text` as named in `pg_type`.
    package static let text = PostgresType(rawValue: 25)
    /// `oid` as named in `pg_type`.
    package static let oid = PostgresType(rawValue: 26)
    /// `json` as named in `pg_type`.
    package static let json = PostgresType(rawValue: 114)
    /// `float4` as named in `pg_type`.
    package static let float4 = PostgresType(rawValue: 700)
    /// `float8` as named in `pg_type`.
    package static let float8 = PostgresType(rawValue: 701)
    /// `unknown` as named in `pg_type`.
    package static let unknown = PostgresType(rawValue: 705)
    /// `bpchar` as named in `pg_type`.
    package static let bpchar = PostgresType(rawValue: 1042)
    /// `varchar` as named in `pg_type`.
    package static let varchar = PostgresType(rawValue: 1043)
    /// `date` as named in `pg_type`.
    package static let date = PostgresType(rawValue: 1082)
    /// `timestamp` as named in `pg_type`.
    package static let timestamp = PostgresType(rawValue: 1114)
    /// `timestamptz` as named in `pg_type`.
    package static let timestamptz = PostgresType(rawValue: 1184)
    /// `numeric` as named in `pg_type`.
    package static let numeric = PostgresType(rawValue: 1700)
    /// `uuid` as named in `pg_type`.
    package static let uuid = PostgresType(rawValue: 2950)
    /// `void` as named in `pg_type`.
    package static let void = PostgresType(rawValue: 2278)
    /// `jsonb` as named in `pg_type`.
    package static let jsonb = PostgresType(rawValue: 3802)

    // Element type, array type and name of every type this module can send.
    private static let known: [PostgresType: (name: String, array: UInt32?)] = [
        .bool: ("boolean", 1000), .bytea: ("bytea", 1001), .name: ("name", 1003), .int8: ("bigint", 1016),
        .int2: ("smallint", 1005), .int4: ("integer", 1007), .text: ("text", 1009), .oid: ("oid", 1028),
        .json: ("json", 199), .float4: ("real", 1021), .float8: ("double precision", 1022), .unknown: ("unknown", nil),
        .bpchar: ("character", 1014), .varchar: ("character varying", 1015), .date: ("date", 1182),
        .timestamp: ("timestamp without time zone", 1115), .timestamptz: ("timestamp with time zone", 1185),
        .numeric: ("numeric", 1231), .uuid: ("uuid", 2951), .void: ("void", nil), .jsonb: ("jsonb", 3807),
    ]

    private static let elements: [UInt32: PostgresType] = Dictionary(
        uniqueKeysWithValues: known.compactMap { type, info in info.array.map { ($0, type) } }
    )

    /// The type of an array of this type; nil where Postgres or this module knows none.
    package var array: PostgresType? {
        Self.known[self]?.array.map(PostgresType.init(rawValue:))
    }

    /// The type of the elements, if this is an array type known here.
    package var element: PostgresType? { Self.elements[rawValue] }

    package var description: String {
        if let name = Self.known[self]?.name { return name }
        if let element { return "\(element)[]" }
        return "type \(rawValue)"
    }
}
