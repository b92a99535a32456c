/// What somebody is told about. Stored as its name.
package enum TipoDeAviso: String, Sendable, Codable, CaseIterable {
    case reservaConfirmada = "reserva_confirmada"
    case reservaCancelada = "reserva_cancelada"
    case reservaExpirada = "reserva_expirada"
    case reservaRemarcada = "reserva_remarcada"
    /// Written by somebody of the desk.
    case mensagem

    /// Those that a person chooses channels for; a message goes where its writer sends it.
    package static let preferiveis: [TipoDeAviso] = allCases.filter { $0 != .mensagem }

    /// Where it goes for whoever has chosen nothing.
    package var canaisPadrao: [Canal] { [.app, .email] }
}
