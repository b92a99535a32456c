/// Who gave a booking up, or why it had to be.
package enum MotivoDoCancelamento: String, Sendable, Codable {
    case membro
    case operador
    /// Its owner was erased.
    case contaApagada = "conta_apagada"
}
