/// Content lines of iCalendar (RFC 5545, section 3.1), each folded where it is longer than 75 octets.
struct LinhasICS {
    private static let maximo = 75
    private(set) var texto = ""

    mutating func acrescentar(_ nome: String, _ valor: String) {
        dobrar("\(nome):\(valor)")
    }

    /// With a value of type TEXT.
    mutating func acrescentar(_ nome: String, texto valor: String) {
        acrescentar(nome, Self.escapado(valor))
    }

    /// Never within a character: a line that goes on begins with a space, which counts.
    private mutating func dobrar(_ linha: String) {
        var octetos = 0
        for escalar in linha.unicodeScalars {
            let largura = UTF8.width(escalar)
            if octetos + largura > Self.maximo {
                texto += "\r\n "
                octetos = 1
            }
            texto.unicodeScalars.append(escalar)
            octetos += largura
        }
        texto += "\r\n"
    }

    /// Section 3.3.11. Control characters have no place in a text.
    static func escapado(_ valor: String) -> String {
        var saida = ""
        var anterior: Unicode.Scalar?
        for escalar in valor.unicodeScalars {
            switch escalar {
            case "\\", ";", ",": saida += "\\\(escalar)"
            case "\n": if anterior != "\r" { saida += "\\n" }
            case "\r": saida += "\\n"
            default: if !ehControle(escalar) { saida.unicodeScalars.append(escalar) }
            }
            anterior = escalar
        }
        return saida
    }

    /// A parameter's value, which cannot have quotes or control characters at all.
    static func parametro(_ valor: String) -> String {
        var saida = ""
        for escalar in valor.unicodeScalars where escalar != "\"" && !ehControle(escalar) { saida.unicodeScalars.append(escalar) }
        return "\"\(saida)\""
    }

    private static func ehControle(_ escalar: Unicode.Scalar) -> Bool {
        escalar.value < 0x20 && escalar != "\t" || escalar.value == 0x7F
    }
}
