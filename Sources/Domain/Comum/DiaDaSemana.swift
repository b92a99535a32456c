/// A day of the week, in the order of ISO 8601 (Monday first).
package enum DiaDaSemana: String, CaseIterable, Sendable, Codable, CodingKeyRepresentable {
    case segunda
    case terca
    case quarta
    case quinta
    case sexta
    case sabado
    case domingo
}
