/// Text beyond ASCII in headers (RFC 2047).
enum EncodedWord {
    /// An encoded word has at most 75 characters: this leaves room for `=?UTF-8?B?` and `?=`, in whole groups of three bytes.
    private static let longestWord = 45
    private static let longestLine = 76

    /// The value of a header that holds free text.
    ///
    /// - Parameter column: how much of the first line is taken already.
    static func text(_ text: String, after column: Int) -> String {
        isPlain(text) && column + text.utf8.count <= longestLine ? text : words(text)
    }

    /// A name before an address.
    static func phrase(_ name: String) -> String {
        guard isPlain(name), name.utf8.count <= 60 else { return words(name) }
        return "\"\(name.replacing("\\", with: "\\\\").replacing("\"", with: "\\\""))\""
    }

    /// Printable ASCII that cannot be taken for an encoded word.
    private static func isPlain(_ text: String) -> Bool {
        text.utf8.allSatisfy { (0x20...0x7E).contains($0) } && !text.contains("=?")
    }

    /// Whole characters in each word: one that is cut in two cannot be read.
    private static func words(_ text: String) -> String {
        var words: [[UInt8]] = []
        var word: [UInt8] = []
        for scalar in text.unicodeScalars {
            let bytes = Array(String(scalar).utf8)
            if word.count + bytes.count > longestWord {
                words.append(word)
                word = []
            }
            word += bytes
        }
        words.append(word)
        return words.map { "=?UTF-8?B?\(Base64.text($0))?=" }.joined(separator: "\r\n ")
    }
}
