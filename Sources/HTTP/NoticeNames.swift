package import Domain

/// The API's names of what people are told about.
extension TipoDeAviso {
    package var apiName: String {
        switch self {
        case .reservaConfirmada: "booking_confirmed"
        case .reservaCancelada: "booking_cancelled"
        case .reservaExpirada: "booking_expired"
        case .reservaRemarcada: "booking_moved"
        case .mensagem: "message"
        }
    }

    /// Nil for what is no name of a kind that channels are chosen for.
    package init?(apiName: String) {
        guard let kind = Self.preferiveis.first(where: { $0.apiName == apiName }) else { return nil }
        self = kind
    }
}
