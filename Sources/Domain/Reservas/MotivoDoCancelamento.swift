/// Who gave a booking up.
package enum MotivoDoCancelamento: String, Sendable, Codable {
    case membro
    case operador
}
