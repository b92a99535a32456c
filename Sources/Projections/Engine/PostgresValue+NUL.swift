import Postgres

extension PostgresValue {
    /// The value with U+FFFD where it has U+0000, which Postgres stores neither in text nor in jsonb. Requests that bring one
    /// are refused; an event that has one all the same must not stop a read model.
    var withoutNUL: PostgresValue {
        switch self {
        case .text(let text) where text.utf8.contains(0):
            .text(String(String.UnicodeScalarView(text.unicodeScalars.map { $0 == "\0" ? "\u{FFFD}" : $0 })))
        case .json(let json):
            .json(PostgresJSON(utf8: Self.withoutEscapedNUL(json.utf8)))
        case .null, .bool, .int2, .int4, .int8, .double, .text, .bytes, .uuid, .timestamp, .date:
            self
        }
    }

    /// In JSON the character can only stand as the escape `\u0000`. A backslash that is escaped itself begins none.
    private static func withoutEscapedNUL(_ json: [UInt8]) -> [UInt8] {
        let backslash = UInt8(ascii: "\\")
        let nul = Array("u0000".utf8)
        guard json.contains(backslash) else { return json }
        var clean = json
        var index = 0
        while let found = clean[index...].firstIndex(of: backslash) {
            if clean[(found + 1)...].starts(with: nul) {
                clean.replaceSubrange(found + 2..<found + 6, with: "fffd".utf8)
            }
            index = min(found + 2, clean.count)
        }
        return clean
    }
}
