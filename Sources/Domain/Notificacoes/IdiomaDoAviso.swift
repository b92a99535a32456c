/// The language that somebody is written to in. Stored as its IETF tag.
package enum IdiomaDoAviso: String, Sendable, Codable, CaseIterable {
    case portugues = "pt-BR"
    case ingles = "en"

    package var idioma: Idioma {
        switch self {
        case .portugues: .portugues
        case .ingles: .ingles
        }
    }
}
