/// Why a booking stands.
package enum MotivoDaConfirmacao: String, Sendable, Codable {
    /// There is nothing to pay.
    case precoZero = "preco_zero"
    /// An operator confirmed it, as when it is paid at the desk.
    case operador
}

extension MotivoDaConfirmacao: LidoDaForma {}
