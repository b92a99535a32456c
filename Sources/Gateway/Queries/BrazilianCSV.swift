import Domain

/// Comma-separated values as a spreadsheet in Brazil opens them: UTF-8 with its mark, semicolons, decimal commas, dates
/// `dd/mm/yyyy`, lines ended by CRLF.
enum BrazilianCSV {
    /// What a file begins with: it tells Excel that this is UTF-8.
    static let mark = "\u{FEFF}"

    enum Field: Sendable, Equatable {
        case text(String?)
        case date(DataCivil)
        case money(Dinheiro)
    }

    static func line(_ fields: [Field]) -> String {
        fields.map(written).joined(separator: ";") + "\r\n"
    }

    private static func written(_ field: Field) -> String {
        switch field {
        case .text(let text): quoted(harmless(text ?? ""))
        case .date(let date):
            "\(twoDigits(date.dia))/\(twoDigits(date.mes))/\(String(repeating: "0", count: max(0, 4 - String(date.ano).count)))\(date.ano)"
        case .money(let money): decimal(money)
        }
    }

    /// Without the dots of thousands, which some programs take for decimal ones.
    private static func decimal(_ money: Dinheiro) -> String {
        let cents = money.centavos.magnitude
        return (money.centavos < 0 ? "-" : "") + "\(cents / 100),\(twoDigits(Int(cents % 100)))"
    }

    private static func twoDigits(_ number: Int) -> String {
        number < 10 ? "0\(number)" : "\(number)"
    }

    /// A text that a spreadsheet would run as a formula gets an apostrophe before it (OWASP, CSV injection).
    private static func harmless(_ text: String) -> String {
        guard let first = text.unicodeScalars.first, "=+-@\t\r\n＝＋－＠".unicodeScalars.contains(first) else { return text }
        return "'" + text
    }

    private static func quoted(_ text: String) -> String {
        guard text.unicodeScalars.contains(where: { ";\"\r\n".unicodeScalars.contains($0) }) else { return text }
        return "\"\(text.replacing("\"", with: "\"\""))\""
    }
}
