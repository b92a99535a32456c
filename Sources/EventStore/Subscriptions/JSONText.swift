/// A cursor over JSON bytes that finds values without building them: what is only passed on is not decoded.
package struct JSONText {
    /// Not the JSON that was expected.
    package struct Malformed: Error {}

    private let bytes: [UInt8]
    private var index = 0

    init(_ bytes: [UInt8]) {
        self.bytes = bytes
    }

    private var current: UInt8? {
        index < bytes.count ? bytes[index] : nil
    }

    /// Whether nothing but white space is left.
    var isAtEnd: Bool {
        mutating get {
            skipSpace()
            return current == nil
        }
    }

    private mutating func skipSpace() {
        while let byte = current, byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09 { index += 1 }
    }

    /// Steps over `byte` if it comes next, white space aside.
    mutating func skip(_ byte: UInt8) -> Bool {
        skipSpace()
        guard current == byte else { return false }
        index += 1
        return true
    }

    mutating func expect(_ byte: UInt8) throws(Malformed) {
        guard skip(byte) else { throw Malformed() }
    }

    mutating func string() throws(Malformed) -> String {
        guard let text = String(validating: try stringBytes(), as: UTF8.self) else { throw Malformed() }
        return text
    }

    /// The content of a string, with the escapes that `append` writes undone.
    mutating func stringBytes() throws(Malformed) -> [UInt8] {
        try expect(UInt8(ascii: "\""))
        var content: [UInt8] = []
        while let byte = current {
            index += 1
            switch byte {
            case UInt8(ascii: "\""): return content
            case UInt8(ascii: "\\"): content.append(try escaped())
            default: content.append(byte)
            }
        }
        throw Malformed()
    }

    private mutating func escaped() throws(Malformed) -> UInt8 {
        guard let byte = current else { throw Malformed() }
        index += 1
        switch byte {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): return byte
        case UInt8(ascii: "n"): return 0x0A
        case UInt8(ascii: "r"): return 0x0D
        case UInt8(ascii: "t"): return 0x09
        case UInt8(ascii: "u"):
            guard bytes.count - index >= 4,
                let code = UInt8(String(decoding: bytes[index..<index + 4], as: UTF8.self), radix: 16), code < 0x80
            else { throw Malformed() }
            index += 4
            return code
        default: throw Malformed()
        }
    }

    /// The bytes of the value that comes next, whatever it is. Brackets and strings are followed; the inside is not checked.
    mutating func rawValue() throws(Malformed) -> [UInt8] {
        skipSpace()
        let start = index
        var depth = 0
        while let byte = current {
            switch byte {
            case UInt8(ascii: "\""):
                try skipString()
                if depth == 0 { return Array(bytes[start..<index]) }
                continue
            case UInt8(ascii: "{"), UInt8(ascii: "["):
                depth += 1
            case UInt8(ascii: "}"), UInt8(ascii: "]"):
                if depth == 0 { return try scalar(from: start) }
                depth -= 1
                if depth == 0 {
                    index += 1
                    return Array(bytes[start..<index])
                }
            case UInt8(ascii: ",") where depth == 0:
                return try scalar(from: start)
            default: break
            }
            index += 1
        }
        throw Malformed()
    }

    private func scalar(from start: Int) throws(Malformed) -> [UInt8] {
        guard index > start else { throw Malformed() }
        return Array(bytes[start..<index])
    }

    private mutating func skipString() throws(Malformed) {
        index += 1
        while let byte = current {
            index += byte == UInt8(ascii: "\\") ? 2 : 1
            if byte == UInt8(ascii: "\"") { return }
        }
        throw Malformed()
    }

    /// Appends `content`, which must be UTF-8, as a JSON string.
    static func append(_ content: some Collection<UInt8>, to json: inout [UInt8]) {
        json.append(UInt8(ascii: "\""))
        var rest = content[...]
        // What needs no escape is copied in one go.
        while let special = rest.firstIndex(where: { $0 < 0x20 || $0 == UInt8(ascii: "\"") || $0 == UInt8(ascii: "\\") }) {
            json.append(contentsOf: rest[..<special])
            switch rest[special] {
            case let byte where byte >= 0x20:
                json.append(UInt8(ascii: "\\"))
                json.append(byte)
            case let byte:
                json.append(contentsOf: byte < 0x10 ? "\\u000".utf8 : "\\u00".utf8)
                json.append(contentsOf: String(byte, radix: 16).utf8)
            }
            rest = rest[rest.index(after: special)...]
        }
        json.append(contentsOf: rest)
        json.append(UInt8(ascii: "\""))
    }
}
