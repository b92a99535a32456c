import FoundationEssentials

/// Base64 with the URL-safe alphabet and without padding (RFC 4648, section 5).
enum Base64URL {
    static func encode(_ bytes: some Sequence<UInt8>) -> String {
        String(
            Data(bytes).base64EncodedString().compactMap { letter -> Character? in
                switch letter {
                case "+": "-"
                case "/": "_"
                case "=": nil
                default: letter
                }
            }
        )
    }

    /// Nil unless the text is exactly what `encode` makes.
    static func decode(_ text: some StringProtocol) -> [UInt8]? {
        var base64 = String(text.map { $0 == "-" ? "+" : $0 == "_" ? "/" : $0 })
        while base64.utf8.count % 4 != 0 { base64 += "=" }
        guard let data = Data(base64Encoded: base64), encode(data) == text else { return nil }
        return Array(data)
    }
}
