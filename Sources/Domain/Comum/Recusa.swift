/// A rule of the domain said no. Each context has an enum of its own, one case a rule, with what the rule looked at.
package protocol Recusa: Error, Equatable {
    /// Stable and machine-readable, `snake_case`.
    var codigo: String { get }
    var especie: EspecieDeRecusa { get }
    /// A sentence for the person who asked.
    func frase(em idioma: Idioma) -> String
}

/// What sort of no it is, whatever carries the answer.
package enum EspecieDeRecusa: Sendable {
    /// Somebody else was there first; another choice may do.
    case conflito
    /// A rule forbids it.
    case regra
    /// There is no such thing, or the asker may not know of it.
    case naoEncontrado
    /// The asker's role does not allow it.
    case proibido
    /// What says who asks does not hold any more: asking with a new proof may do.
    case naoAutenticado
    /// It comes too early or too late, or with a proof that does not hold: asking anew, at the right time, may do.
    case inoportuno
}

/// The languages we answer in.
package enum Idioma: Sendable, CaseIterable {
    case portugues
    case ingles

    /// One sentence in each language; picks.
    func escolher(_ portugues: String, _ ingles: String) -> String {
        switch self {
        case .portugues: portugues
        case .ingles: ingles
        }
    }
}
