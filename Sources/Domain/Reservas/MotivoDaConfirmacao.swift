/// Why a booking stands.
package enum MotivoDaConfirmacao: String, Sendable, Codable {
    /// There is nothing to pay.
    case precoZero = "preco_zero"
    /// An operator confirmed it, as when it is paid at the desk.
    case operador
    /// It was moved while the difference of an earlier move was due, and now there is none.
    case semDiferenca = "sem_diferenca"
    /// It was paid.
    case pagamento
}

extension MotivoDaConfirmacao: LidoDaForma {}
