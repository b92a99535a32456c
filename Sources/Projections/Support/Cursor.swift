import Domain
import FoundationEssentials

/// Where a page of a list ended. To callers it is a text without meaning.
package struct Cursor: Sendable, Equatable {
    /// The value by which the list is ordered.
    let key: String
    /// What tells apart items with the same value.
    let id: String

    init(key: String, id: String) {
        self.key = key
        self.id = id
    }

    /// Nil where no list of ours ended so.
    package init?(_ text: String) {
        guard let data = Data(base64Encoded: text.base64WithPadding), let plain = String(validating: data, as: UTF8.self),
            let newline = plain.lastIndex(of: "\n")
        else { return nil }
        key = String(plain[..<newline])
        id = String(plain[plain.index(after: newline)...])
    }

    /// Safe in a URL's query.
    package var text: String {
        String(
            Data("\(key)\n\(id)".utf8).base64EncodedString().compactMap { letter in
                switch letter {
                case "+": "-"
                case "/": "_"
                case "=": nil
                default: letter
                }
            }
        )
    }
}

/// The cursor is of another list.
package struct InvalidCursor: Error, Equatable {
    package init() {}
}

extension Cursor {
    init(_ instant: Instante, _ id: UUID) {
        self.init(key: String(instant.microssegundos), id: id.uuidString)
    }

    /// Of a list ordered by time and id.
    func instantAndID() throws(InvalidCursor) -> (Instante, UUID) {
        guard let microseconds = Int64(key), let uuid = UUID(uuidString: id) else { throw InvalidCursor() }
        return (Instante(microssegundos: microseconds), uuid)
    }
}

extension String {
    fileprivate var base64WithPadding: String {
        let text = String(map { $0 == "-" ? "+" : $0 == "_" ? "/" : $0 })
        return text + String(repeating: "=", count: (4 - text.utf8.count % 4) % 4)
    }
}
