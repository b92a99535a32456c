import FoundationEssentials

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
        let text: String?
        if let plain = try plainString() {
            text = String(validating: bytes[plain], as: UTF8.self)
        } else {
            text = String(validating: try stringBytes(), as: UTF8.self)
        }
        guard let text else { throw Malformed() }
        return text
    }

    /// The content of a string, with the escapes that `append` writes undone.
    mutating func stringBytes() throws(Malformed) -> [UInt8] {
        if let plain = try plainString() { return Array(bytes[plain]) }
        try expect(UInt8(ascii: "\""))
        var content: [UInt8] = []
        content.reserveCapacity(256)
        while true {
            let start = index
            skipPlain()
            content.append(contentsOf: bytes[start..<index])
            guard let byte = current else { throw Malformed() }
            index += 1
            if byte == UInt8(ascii: "\"") { return content }
            content.append(try escaped())
        }
    }

    /// Passes over a string.
    mutating func skipStringValue() throws(Malformed) {
        skipSpace()
        guard current == UInt8(ascii: "\"") else { throw Malformed() }
        try skipString()
    }

    /// Where the content of the string that comes next lies. Nil, and nothing is read, where it has escapes.
    private mutating func plainString() throws(Malformed) -> Range<Int>? {
        let before = index
        try expect(UInt8(ascii: "\""))
        let start = index
        skipPlain()
        guard current == UInt8(ascii: "\"") else {
            index = before
            return nil
        }
        index += 1
        return start..<index - 1
    }

    /// Goes to the next quote or backslash, or to the end.
    private mutating func skipPlain() {
        let bytes = bytes
        var place = index
        while place < bytes.count, bytes[place] != UInt8(ascii: "\""), bytes[place] != UInt8(ascii: "\\") { place += 1 }
        index = place
    }

    /// A whole number.
    mutating func integer<Number: FixedWidthInteger>(_ type: Number.Type = Number.self) throws(Malformed) -> Number {
        try number(in: try rawRange())
    }

    /// A whole number in a string.
    mutating func quotedInteger<Number: FixedWidthInteger>(_ type: Number.Type = Number.self) throws(Malformed) -> Number {
        guard let plain = try plainString() else { throw Malformed() }
        return try number(in: plain)
    }

    private func number<Number: FixedWidthInteger>(in range: Range<Int>) throws(Malformed) -> Number {
        guard let number = Number(String(decoding: bytes[range], as: UTF8.self)) else { throw Malformed() }
        return number
    }

    /// A UUID as a string of 36 characters.
    mutating func uuid() throws(Malformed) -> UUID {
        guard let plain = try plainString(), let uuid = UUID(utf8: bytes[plain]) else { throw Malformed() }
        return uuid
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
        Array(bytes[try rawRange()])
    }

    private mutating func rawRange() throws(Malformed) -> Range<Int> {
        skipSpace()
        let start = index
        var depth = 0
        while let byte = current {
            switch byte {
            case UInt8(ascii: "\""):
                try skipString()
                if depth == 0 { return start..<index }
                continue
            case UInt8(ascii: "{"), UInt8(ascii: "["):
                depth += 1
            case UInt8(ascii: "}"), UInt8(ascii: "]"):
                if depth == 0 { return try scalar(from: start) }
                depth -= 1
                if depth == 0 {
                    index += 1
                    return start..<index
                }
            case UInt8(ascii: ",") where depth == 0:
                return try scalar(from: start)
            default: break
            }
            index += 1
        }
        throw Malformed()
    }

    private func scalar(from start: Int) throws(Malformed) -> Range<Int> {
        guard index > start else { throw Malformed() }
        return start..<index
    }

    private mutating func skipString() throws(Malformed) {
        index += 1
        while true {
            skipPlain()
            guard let byte = current else { throw Malformed() }
            index += byte == UInt8(ascii: "\\") ? 2 : 1
            if byte == UInt8(ascii: "\"") { return }
        }
    }

    /// Appends `content`, which must be UTF-8, as a JSON string.
    static func append(_ content: Span<UInt8>, to json: inout [UInt8]) {
        json.append(UInt8(ascii: "\""))
        var start = 0
        for place in content.indices {
            let byte = content[place]
            guard byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\") || byte < 0x20 else { continue }
            appendPlain(content.extracting(start..<place), to: &json)
            start = place + 1
            if byte < 0x20 {
                json.append(contentsOf: byte < 0x10 ? "\\u000".utf8 : "\\u00".utf8)
                json.append(contentsOf: String(byte, radix: 16).utf8)
            } else {
                json.append(UInt8(ascii: "\\"))
                json.append(byte)
            }
        }
        appendPlain(content.extracting(start..<content.count), to: &json)
        json.append(UInt8(ascii: "\""))
    }

    private static func appendPlain(_ content: Span<UInt8>, to json: inout [UInt8]) {
        // Copied before the closure returns.
        unsafe content.withUnsafeBufferPointer { content in unsafe json.append(contentsOf: content) }
    }
}
