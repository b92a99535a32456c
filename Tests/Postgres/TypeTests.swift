import FoundationEssentials
import Postgres
import Testing

@Suite("Types travel both ways")
struct TypeTests {
    struct Sample: CustomTestStringConvertible, Sendable {
        /// What Postgres calls the value.
        let literal: String
        /// What Swift calls it.
        let value: PostgresValue

        var testDescription: String { String(literal.prefix(60)) }
    }

    static let samples: [Sample] = [
        Sample(literal: "true", value: .bool(true)),
        Sample(literal: "false", value: .bool(false)),
        Sample(literal: "'-32768'::int2", value: .int2(.min)),
        Sample(literal: "32767::int2", value: .int2(.max)),
        Sample(literal: "'-2147483648'::int4", value: .int4(.min)),
        Sample(literal: "2147483647::int4", value: .int4(.max)),
        Sample(literal: "'-9223372036854775808'::int8", value: .int8(.min)),
        Sample(literal: "9223372036854775807::int8", value: .int8(.max)),
        Sample(literal: "0::int8", value: .int8(0)),
        Sample(literal: "0.1::float8", value: .double(0.1)),
        Sample(literal: "'-Infinity'::float8", value: .double(-.infinity)),
        Sample(literal: "'5e-324'::float8", value: .double(.leastNonzeroMagnitude)),
        Sample(literal: "''::text", value: .text("")),
        Sample(literal: "'São Paulo – 東京 – 👩🏽‍🚀'::text", value: .text("São Paulo – 東京 – 👩🏽‍🚀")),
        Sample(literal: "E'tab\\t quote\\' back\\\\'::text", value: .text("tab\t quote' back\\")),
        Sample(literal: "repeat('ab', 500000)", value: .text(String(repeating: "ab", count: 500_000))),
        Sample(literal: "''::bytea", value: .bytes([])),
        Sample(literal: "'\\x00ff10'::bytea", value: .bytes([0x00, 0xFF, 0x10])),
        Sample(
            literal: "'00112233-4455-6677-8899-aabbccddeeff'::uuid",
            value: .uuid(
                UUID(
                    uuid: (
                        0x00, 0x11, 0x22, 0x33, 0x44, 0x55, 0x66, 0x77, 0x88, 0x99, 0xAA, 0xBB, 0xCC, 0xDD, 0xEE, 0xFF
                    )
                )
            )
        ),
        Sample(
            literal: "'1970-01-01T00:00:00Z'::timestamptz",
            value: .timestamp(PostgresTimestamp(microsecondsSinceEpoch: 0))
        ),
        Sample(
            literal: "'2026-11-21T21:46:49.123456-03'::timestamptz",
            value: .timestamp(PostgresTimestamp(microsecondsSinceEpoch: 1_795_308_409_123_456))
        ),
        Sample(
            literal: "'1969-12-31T23:59:59.999999Z'::timestamptz",
            value: .timestamp(PostgresTimestamp(microsecondsSinceEpoch: -1))
        ),
        Sample(literal: "'infinity'::timestamptz", value: .timestamp(.infinity)),
        Sample(literal: "'-infinity'::timestamptz", value: .timestamp(.negativeInfinity)),
        Sample(literal: "'1970-01-01'::date", value: .date(PostgresDate(daysSinceEpoch: 0))),
        Sample(literal: "'2000-02-29'::date", value: .date(PostgresDate(daysSinceEpoch: 11016))),
        Sample(literal: "'0001-01-01 BC'::date", value: .date(PostgresDate(daysSinceEpoch: -719_528))),
        Sample(literal: "'5874897-12-31'::date", value: .date(PostgresDate(daysSinceEpoch: 2_145_042_905))),
        Sample(literal: "'infinity'::date", value: .date(.infinity)),
        Sample(literal: "'-infinity'::date", value: .date(.negativeInfinity)),
        Sample(literal: "'{\"a\": [1, null]}'::jsonb", value: .json(PostgresJSON("{\"a\": [1, null]}"))),
    ]

    @Test("A value reads as what Postgres means, and is sent as that", arguments: samples)
    func roundTrip(_ sample: Sample) async throws {
        let (same, read, echoed) = try await TestServer.withConnection { c throws in
            let row = try c.query("SELECT $1 IS NOT DISTINCT FROM \(sample.literal), \(sample.literal), $1", sample.value)[0]
            return (try row.get(0, Bool.self), try row.get(1, PostgresValue.self), try row.get(2, PostgresValue.self))
        }
        #expect(same)
        #expect(read == sample.value)
        #expect(echoed == sample.value)
    }

    @Test("An array of each, with NULL first and last, keeps its elements", arguments: samples)
    func arrays(_ sample: Sample) async throws {
        let type = sample.value.postgresType
        let column = try PostgresColumn(type, [.null(type), sample.value, sample.value, .null(.text)])
        let elements = try await TestServer.withConnection { c throws in
            try c.query("SELECT e, e IS NOT DISTINCT FROM \(sample.literal) FROM unnest($1) AS e", column)
                .map { row in (try row.get(0, PostgresValue.self), try row.get(1, Bool.self)) }
        }
        #expect(elements.map(\.0) == [.null(type), sample.value, sample.value, .null(type)])
        #expect(elements.map(\.1) == [false, true, true, false])
    }

    @Test("Swift's own types are parameters and results, NULL as nil")
    func nativeTypes() async throws {
        try await TestServer.withConnection { c throws in
            let id = UUID()
            let row = try c.query(
                "SELECT $1, $2, $3, $4, $5, $6, $7, $8, $9, $10 AS last",
                true, Int16(-2), Int32(3), Int64(4), 5, 6.5, "sete", [8, 9] as [UInt8], id, nil as String?
            )[0]
            #expect(try row.get(0) == true)
            #expect(try row.get(1) == Int16(-2))
            #expect(try row.get(2) == Int32(3))
            #expect(try row.get(3) == Int64(4))
            #expect(try row.get(4) == 5)
            #expect(try row.get(5) == 6.5)
            #expect(try row.get(6) == "sete")
            #expect(try row.get(7) == [8, 9] as [UInt8])
            #expect(try row.get(8) == id)
            #expect(try row.get("last", String?.self) == nil)
            #expect(try row.get(6, String?.self) == "sete")
        }
    }

    @Test("Arrays of Swift's types: empty, with NULLs, and a NULL array")
    func nativeArrays() async throws {
        try await TestServer.withConnection { c throws in
            let row = try c.query(
                "SELECT $1, $2, $3, NULL::int8[], '{{1,2},{3,4}}'::int4[], ARRAY[1, NULL]",
                [] as PostgresArray<String>, ["a", nil, "ç"] as PostgresArray<String?>, [1, .max] as PostgresArray<Int>
            )[0]
            #expect(try row.get(0, PostgresArray<String>.self).elements == [])
            #expect(try row.get(1, PostgresArray<String?>.self).elements == ["a", nil, "ç"])
            #expect(try row.get(2, PostgresArray<Int>.self).elements == [1, .max])
            #expect(try row.get(3, PostgresArray<Int>?.self) == nil)
            #expect(throws: PostgresError.self) { try row.get(4, PostgresArray<Int32>.self) }
            #expect(throws: PostgresError.self) { try row.get(5, PostgresArray<Int32>.self) }
            #expect(try row.get(5, PostgresArray<Int32?>.self).elements == [1, nil])
        }
    }

    @Test("An array put together piece by piece is the array of all pieces")
    func builtArrays() async throws {
        try await TestServer.withConnection { c throws in
            var (none, texts) = (PostgresArrayBuilder<Int32>(), PostgresArrayBuilder<String>())
            none.append([])
            texts.append(["a", ""])
            texts.append([])
            texts.append(["ç"])
            let row = try c.query("SELECT $1, $2, pg_typeof($1)::text, cardinality($1)", none, texts)[0]
            #expect(try row.get(0, PostgresArray<Int32>.self).elements == [])
            #expect(try row.get(1, PostgresArray<String>.self).elements == ["a", "", "ç"])
            #expect(try row.get(2) == "integer[]")
            #expect(try row.get(3) == 0 as Int32)
        }
    }

    @Test("An integer column reads as a wider integer, never as a narrower one")
    func widening() async throws {
        try await TestServer.withConnection { c throws in
            let row = try c.query("SELECT 7::int2, 8::int4, 9::int8, 1.5::float4")[0]
            #expect(try row.get(0, Int.self) == 7)
            #expect(try row.get(1, Int64.self) == 8)
            #expect(throws: PostgresError.self) { try row.get(2, Int32.self) }
            #expect(throws: PostgresError.self) { try row.get(1, Int16.self) }
            #expect(try row.get(3, Double.self) == 1.5)
        }
    }

    @Test("A wrong type, NULL or column is an error that names the place and no value")
    func decodingErrors() async throws {
        try await TestServer.withConnection { c throws in
            let row = try c.query("SELECT 'segredo' AS nome, NULL::int4 AS idade, 1.5 AS valor")[0]
            let wrongType = #expect(throws: PostgresError.self) { try row.get("nome", Int.self) }
            #expect(wrongType?.description == "decoding: column 0 (nome), which is of type text, cannot be read as Int")
            let null = #expect(throws: PostgresError.self) { try row.get(1, Int.self) }
            #expect(null?.description == "decoding: column 1 (idade), which is of type integer, holds NULL, which Int cannot")
            let numeric = #expect(throws: PostgresError.self) { try row.get(2, Double.self) }
            #expect(numeric?.description.contains("numeric") == true)
            #expect(throws: PostgresError.self) { try row.get("NOME", String.self) }
            #expect(throws: PostgresError.self) { try row.get(3, String.self) }
            #expect(throws: PostgresError.self) { try row.get(-1, String.self) }
        }
    }

    @Test(
        "An instant or day outside Postgres' range is refused",
        arguments: [
            PostgresValue.timestamp(PostgresTimestamp(microsecondsSinceEpoch: .min + 1)),
            .date(PostgresDate(daysSinceEpoch: .min + 1)),
            .date(PostgresDate(daysSinceEpoch: .max - 1)),
        ]
    )
    func outOfRange(_ value: PostgresValue) async throws {
        let error = await #expect(throws: PostgresError.self) {
            try await TestServer.withConnection { c in _ = try c.query("SELECT $1", value) }
        }
        #expect(error?.sqlState == "22008")
    }

    @Test("A column refuses a value of another type and a type without arrays")
    func columnTypes() throws {
        var column = try PostgresColumn(.int8, [.int8(1)])
        #expect(throws: PostgresError.self) { try column.append(.int4(1)) }
        #expect(column.values == [.int8(1)])
        #expect(throws: PostgresError.self) { try PostgresColumn(.void) }
    }

    @Test("Malformed bytes are errors, not traps", arguments: [0, 1, 3, 7, 9, 11, 13, 15, 19, 21, 25])
    func malformed(length: Int) throws {
        let bytes = [UInt8](repeating: 0x7F, count: length)
        // Given a header that promises far more elements than there are bytes.
        var array: [UInt8] = [0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 20, 0x7F, 0xFF, 0xFF, 0xFF, 0, 0, 0, 1, 0, 0, 0, 8]
        array += bytes
        for type: PostgresType in [.bool, .int2, .int4, .int8, .float8, .uuid, .timestamptz, .date, .jsonb] where length != 1 {
            #expect(throws: PostgresDecodingFailure.malformed) { try Self.decode(bytes, as: type) as PostgresValue }
        }
        let arrayType = PostgresType(rawValue: 1016)
        #expect(throws: PostgresDecodingFailure.malformed) { try Self.decode(array, as: arrayType) as PostgresArray<Int?> }
        #expect(throws: PostgresDecodingFailure.malformed) { try Self.decode(bytes, as: arrayType) as PostgresArray<Int?> }
    }

    private static func decode<T: PostgresDecodable>(_ bytes: [UInt8], as type: PostgresType) throws -> T {
        // `bytes` is unsafe for element types with padding; UInt8 has none.
        try unsafe T.decode(bytes.span.bytes, as: type)
    }
}
