/// A value that JSON writes without anything inside it.
protocol EscalarCanonico {
    func escrever(em bytes: inout [UInt8])
}

struct Nulo: EscalarCanonico {
    func escrever(em bytes: inout [UInt8]) { bytes.append(contentsOf: "null".utf8) }
}

extension Bool: EscalarCanonico {
    func escrever(em bytes: inout [UInt8]) { bytes.append(contentsOf: (self ? "true" : "false").utf8) }
}

extension FixedWidthInteger {
    func escrever(em bytes: inout [UInt8]) { bytes.append(contentsOf: String(self).utf8) }
}

extension Int: EscalarCanonico {}
extension Int8: EscalarCanonico {}
extension Int16: EscalarCanonico {}
extension Int32: EscalarCanonico {}
extension Int64: EscalarCanonico {}
extension UInt: EscalarCanonico {}
extension UInt8: EscalarCanonico {}
extension UInt16: EscalarCanonico {}
extension UInt32: EscalarCanonico {}
extension UInt64: EscalarCanonico {}

extension String: EscalarCanonico {
    func escrever(em bytes: inout [UInt8]) {
        bytes.append(UInt8(ascii: "\""))
        if utf8.allSatisfy({ $0 >= 0x20 && $0 != UInt8(ascii: "\"") && $0 != UInt8(ascii: "\\") }) {
            bytes.append(contentsOf: utf8)
        } else {
            for letra in utf8 { Self.escrever(letra, em: &bytes) }
        }
        bytes.append(UInt8(ascii: "\""))
    }

    private static func escrever(_ letra: UInt8, em bytes: inout [UInt8]) {
        switch letra {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"):
            bytes.append(UInt8(ascii: "\\"))
            bytes.append(letra)
        case 0x08: bytes.append(contentsOf: #"\b"#.utf8)
        case 0x09: bytes.append(contentsOf: #"\t"#.utf8)
        case 0x0A: bytes.append(contentsOf: #"\n"#.utf8)
        case 0x0C: bytes.append(contentsOf: #"\f"#.utf8)
        case 0x0D: bytes.append(contentsOf: #"\r"#.utf8)
        case 0x00..<0x20:
            bytes.append(contentsOf: (letra < 0x10 ? #"\u000"# : #"\u00"#).utf8)
            bytes.append(contentsOf: String(letra, radix: 16).utf8)
        default: bytes.append(letra)
        }
    }
}

/// A text in which nothing has to be escaped.
struct TextoSimples<Valor: EscritoEmTexto>: EscalarCanonico {
    let valor: Valor

    func escrever(em bytes: inout [UInt8]) {
        bytes.append(UInt8(ascii: "\""))
        valor.escrever(em: &bytes)
        bytes.append(UInt8(ascii: "\""))
    }
}
