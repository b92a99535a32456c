package import Domain

/// The API's names of what people are told about.
extension TipoDeAviso {
    package var apiName: String {
        switch self {
        case .reservaConfirmada: "booking_confirmed"
        case .reservaCancelada: "booking_cancelled"
        case .reservaExpirada: "booking_expired"
        case .reservaRemarcada: "booking_moved"
        case .aprovacaoPedida: "approval_requested"
        case .aprovacaoAResponder: "approval_to_decide"
        case .reservaAprovada: "booking_approved"
        case .reservaNaoAprovada: "booking_not_approved"
        case .vagaOferecida: "waitlist_offer"
        case .naoComparecimento: "no_show"
        case .excedenteApurado: "overtime"
        case .pagamentoRecebido: "payment_received"
        case .pagamentoRecusado: "payment_refused"
        case .cobrancaVencida: "charge_expired"
        case .estornoRealizado: "refund_done"
        case .assinaturaIniciada: "subscription_started"
        case .assinaturaRenovada: "subscription_renewed"
        case .assinaturaAlterada: "subscription_changed"
        case .assinaturaEncerrada: "subscription_ended"
        case .creditosAExpirar: "credits_expiring"
        case .mensagem: "message"
        }
    }

    /// Nil for what is no name of a kind that channels are chosen for.
    package init?(apiName: String) {
        guard let kind = Self.preferiveis.first(where: { $0.apiName == apiName }) else { return nil }
        self = kind
    }
}
