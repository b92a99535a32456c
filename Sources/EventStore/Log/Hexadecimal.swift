extension Sequence<UInt8> {
    /// Two lower-case digits a byte.
    package var hexadecimal: String {
        var text: [UInt8] = []
        appendHexadecimal(to: &text)
        return String(decoding: text, as: UTF8.self)
    }

    /// Appends the same to a text in UTF-8.
    func appendHexadecimal(to text: inout [UInt8]) {
        for byte in self {
            text.append(.hexadecimalDigit(of: byte >> 4))
            text.append(.hexadecimalDigit(of: byte & 0x0F))
        }
    }
}

extension [UInt8] {
    /// Nil unless the text is two digits a byte, in lower or upper case.
    package init?(hexadecimal text: some StringProtocol) {
        let digits = Array(text.utf8)
        guard digits.count.isMultiple(of: 2) else { return nil }
        self = []
        reserveCapacity(digits.count / 2)
        for index in stride(from: 0, to: digits.count, by: 2) {
            guard let high = digits[index].hexadecimalDigit, let low = digits[index + 1].hexadecimalDigit else { return nil }
            append(high << 4 | low)
        }
    }
}

extension UInt8 {
    /// The lower-case digit of a value below sixteen.
    static func hexadecimalDigit(of value: UInt8) -> UInt8 {
        value < 10 ? UInt8(ascii: "0") + value : UInt8(ascii: "a") + value - 10
    }

    /// The value of a digit; nil for anything else.
    var hexadecimalDigit: UInt8? {
        switch self {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): self - UInt8(ascii: "0")
        case UInt8(ascii: "a")...UInt8(ascii: "f"): self - UInt8(ascii: "a") + 10
        case UInt8(ascii: "A")...UInt8(ascii: "F"): self - UInt8(ascii: "A") + 10
        default: nil
        }
    }
}
