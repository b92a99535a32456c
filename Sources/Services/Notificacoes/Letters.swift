import Domain
import Mustache

/// The words of mails, from templates: text and HTML, in Portuguese and English.
struct Letters: Sendable {
    private static let templates: [(name: String, bytes: [UInt8])] = [
        ("pt-BR.html", PackageResources.letter_pt_BR_html_mustache), ("pt-BR.text", PackageResources.letter_pt_BR_text_mustache),
        ("en.html", PackageResources.letter_en_html_mustache), ("en.text", PackageResources.letter_en_text_mustache),
    ]

    private let library: [String: MustacheTemplate]

    init() throws {
        library = Dictionary(
            uniqueKeysWithValues: try Self.templates.map { name, bytes in
                (name, try MustacheTemplate(string: String(decoding: bytes, as: UTF8.self)))
            }
        )
    }

    /// The name of each value is a name in the templates.
    private struct Words {
        let language: String
        let greeting: String?
        let title: String
        let text: String
        /// Nil where there is no table: an empty one would leave its frame.
        let table: Table?
        let paragraphs: [String]
    }

    private struct Table {
        let rows: [Row]
    }

    private struct Row {
        let name: String
        let value: String
    }

    func body(of message: OutgoingMessage) -> (text: String, html: String) {
        let words = Words(
            language: message.language.rawValue,
            greeting: message.name.isEmpty ? nil : message.name,
            title: message.title,
            text: message.text,
            table: message.told.map { Self.table($0.notice, message.language.idioma) },
            paragraphs: message.text.split(whereSeparator: \.isNewline).map(String.init)
        )
        func rendered(_ form: String) -> String { library["\(message.language.rawValue).\(form)"]?.render(words) ?? "" }
        return (rendered("text"), rendered("html"))
    }

    private static func table(_ notice: Aviso, _ language: Idioma) -> Table {
        Table(rows: notice.linhas(em: language).map { Row(name: $0.nome, value: $0.valor) })
    }
}
