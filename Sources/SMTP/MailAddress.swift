/// A mail address as a server is told it.
package enum MailAddress {
    /// Whether a text is one `local@domain` and nothing else: no comment, no list, no line break that would begin a header or command
    /// of its own. Letters beyond ASCII are refused: not every server on the way takes them.
    package static func isPlain(_ text: String) -> Bool {
        let bytes = text.utf8
        let parts = text.split(separator: "@", omittingEmptySubsequences: false)
        guard (3...254).contains(bytes.count), parts.count == 2, (1...64).contains(parts[0].utf8.count), parts[1].utf8.count >= 1 else {
            return false
        }
        let refused = Set(" \t\"(),:;<>[\\]".utf8)
        return bytes.allSatisfy { $0 > 0x20 && $0 < 0x7F && !refused.contains($0) }
    }
}
