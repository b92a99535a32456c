/// Tells code from comments and from the texts of string literals.
enum SwiftCode {
    /// The text with everything else blanked out. Line breaks stay, and so does what is interpolated.
    static func only(of text: String) -> String {
        var reader = Reader(text)
        reader.readCode(until: nil)
        return String(decoding: reader.output, as: UTF8.self)
    }

    private struct Reader {
        private let bytes: [UInt8]
        private var at = 0
        private(set) var output: [UInt8] = []

        init(_ text: String) {
            bytes = Array(text.utf8)
            output.reserveCapacity(bytes.count)
        }

        private static let slash = UInt8(ascii: "/")
        private static let star = UInt8(ascii: "*")
        private static let quote = UInt8(ascii: "\"")

        /// Whether these bytes come next, after so many others.
        private func sees(_ wanted: UInt8..., after offset: Int = 0) -> Bool {
            let start = at + offset
            return start + wanted.count <= bytes.count && bytes[start..<start + wanted.count].elementsEqual(wanted)
        }

        private mutating func keep() {
            output.append(bytes[at])
            at += 1
        }

        private mutating func blank(_ count: Int = 1) {
            for _ in 0..<count where at < bytes.count {
                output.append(bytes[at] == UInt8(ascii: "\n") ? bytes[at] : UInt8(ascii: " "))
                at += 1
            }
        }

        /// - Parameter end: the parenthesis that closes an interpolation; nil for the whole file.
        mutating func readCode(until end: UInt8?) {
            var depth = 0
            while at < bytes.count {
                if bytes[at] == Self.slash, sees(Self.slash, Self.slash) {
                    while at < bytes.count, bytes[at] != UInt8(ascii: "\n") { blank() }
                } else if bytes[at] == Self.slash, sees(Self.slash, Self.star) {
                    readBlockComment()
                } else if let marks = hashesBeforeQuote() {
                    readString(hashes: marks)
                } else {
                    if bytes[at] == UInt8(ascii: "(") { depth += 1 }
                    if bytes[at] == UInt8(ascii: ")") {
                        if depth == 0, end != nil { return }
                        depth -= 1
                    }
                    keep()
                }
            }
        }

        private mutating func readBlockComment() {
            var depth = 0
            repeat {
                if sees(Self.slash, Self.star) {
                    depth += 1
                    blank(2)
                } else if sees(Self.star, Self.slash) {
                    depth -= 1
                    blank(2)
                } else {
                    blank()
                }
            } while depth > 0 && at < bytes.count
        }

        /// How many `#` stand before a quotation mark that begins here; nil where none begins.
        private func hashesBeforeQuote() -> Int? {
            var count = 0
            while at + count < bytes.count, bytes[at + count] == UInt8(ascii: "#") { count += 1 }
            return at + count < bytes.count && bytes[at + count] == UInt8(ascii: "\"") ? count : nil
        }

        private mutating func readString(hashes: Int) {
            let isLong = sees(Self.quote, Self.quote, Self.quote, after: hashes)
            let quotes = isLong ? 3 : 1
            blank(hashes + quotes)
            while at < bytes.count {
                if bytes[at] == UInt8(ascii: "\\"), hasHashes(hashes, after: 1) {
                    blank(1 + hashes)
                    if at < bytes.count, bytes[at] == UInt8(ascii: "(") {
                        keep()
                        readCode(until: UInt8(ascii: ")"))
                        if at < bytes.count { keep() }
                    } else {
                        blank()
                    }
                } else if bytes[at] == Self.quote, !isLong || sees(Self.quote, Self.quote, Self.quote), hasHashes(hashes, after: quotes) {
                    blank(quotes + hashes)
                    return
                } else {
                    blank()
                }
            }
        }

        private func hasHashes(_ count: Int, after offset: Int) -> Bool {
            let start = at + offset
            return start + count <= bytes.count && bytes[start..<start + count].allSatisfy { $0 == UInt8(ascii: "#") }
        }
    }
}
