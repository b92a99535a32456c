import FoundationEssentials

extension Sequence<UInt8> {
    /// Two lower-case digits a byte.
    package var hexadecimal: String {
        reduce(into: "") { text, byte in
            text += byte < 16 ? "0" : ""
            text += String(byte, radix: 16)
        }
    }
}

extension UUID {
    /// Appends the usual text, in lower case. `uuidString` goes through C's formatted printing,
    /// which was a twelfth of what the recorder did.
    func appendText(to text: inout [UInt8]) {
        for (index, byte) in bytes.enumerated() {
            if index == 4 || index == 6 || index == 8 || index == 10 { text.append(UInt8(ascii: "-")) }
            text.append(Self.digits[Int(byte >> 4)])
            text.append(Self.digits[Int(byte & 15)])
        }
    }

    private static let digits = Array("0123456789abcdef".utf8)
}
