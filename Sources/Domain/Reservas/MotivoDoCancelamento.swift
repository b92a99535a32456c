/// Who gave a booking up, or why it had to be.
package enum MotivoDoCancelamento: String, Sendable, Codable {
    case membro
    case operador
    /// A gestor did not approve it.
    case naoAprovada = "nao_aprovada"
    /// Its owner was erased.
    case contaApagada = "conta_apagada"
}
