import Domain
import EventStore
import FoundationEssentials

/// An event of the log as people read it. What is sealed stays sealed: only that it is there is said.
enum EventText {
    /// A line with time, position, stream and type, then the payload, indented.
    static func brief(_ link: ChainedEvent) -> String {
        let event = link.event
        let time = Instante(microssegundos: event.recordedAt).texto
        return """
            \(time)  #\(event.position)  \(event.stream)@\(event.version)  \(event.type) v\(event.schemaVersion)
            \(json(event.payload, indent: "    "))
            """
    }

    /// Everything there is about an event.
    ///
    /// - Parameter chained: whether its hash is what it must be after the event before.
    static func full(_ link: ChainedEvent, chained: Bool) -> String {
        let event = link.event
        let command = link.command.map { "positions \($0.first) to \($0.last)" } ?? "unknown to the log"
        return """
            position   \(event.position)
            recorded   \(Instante(microssegundos: event.recordedAt).texto)
            stream     \(event.stream)@\(event.version)
            type       \(event.type) v\(event.schemaVersion)
            event      \(event.id.uuidString.lowercased())
            command    \(event.commandID.uuidString.lowercased()), \(command)
            hash       \(link.hash.hexadecimal) (\(chained ? "follows from the event before" : "DOES NOT FOLLOW from the event before"))
            metadata
            \(json(event.metadata, indent: "    "))
            payload
            \(json(event.payload, indent: "    "))
            """
    }

    /// JSON with a member a line.
    static func json(_ bytes: [UInt8], indent: String) -> String {
        guard var text = String(validating: bytes, as: UTF8.self).map(JSONLayout.init), let laidOut = text.layOut(indent: indent) else {
            return indent + "(\(bytes.count) bytes that are no JSON)"
        }
        return laidOut
    }
}

/// Lays stored JSON out without decoding it: numbers and names stand as they are stored.
private struct JSONLayout {
    private let text: [Character]
    private var index = 0
    private var out = ""

    init(_ text: String) {
        self.text = Array(text)
    }

    /// Nil for what has brackets or strings that do not end.
    mutating func layOut(indent: String) -> String? {
        out = indent
        var depth = 0
        while index < text.count {
            let character = text[index]
            index += 1
            switch character {
            case "\"":
                guard let string = string() else { return nil }
                out += Keyring.isSealed(string) ? "(sealed)" : "\"\(string)\""
            case "{", "[":
                out.append(character)
                skipSpace()
                if index < text.count, text[index] == (character == "{" ? "}" : "]") {
                    out.append(text[index])
                    index += 1
                } else {
                    depth += 1
                    newLine(indent, depth)
                }
            case "}", "]":
                depth -= 1
                guard depth >= 0 else { return nil }
                newLine(indent, depth)
                out.append(character)
            case ",":
                out.append(character)
                newLine(indent, depth)
            case ":": out += ": "
            case let space where space.isWhitespace: break
            default: out.append(character)
            }
        }
        return depth == 0 && !text.isEmpty ? out : nil
    }

    /// What is between quotes, escapes as they are; the first quote is read already.
    private mutating func string() -> String? {
        var string = ""
        while index < text.count {
            let character = text[index]
            index += 1
            if character == "\"" { return string }
            string.append(character)
            if character == "\\", index < text.count {
                string.append(text[index])
                index += 1
            }
        }
        return nil
    }

    private mutating func skipSpace() {
        while index < text.count, text[index].isWhitespace { index += 1 }
    }

    private mutating func newLine(_ indent: String, _ depth: Int) {
        out += "\n" + indent + String(repeating: "  ", count: depth)
    }
}
