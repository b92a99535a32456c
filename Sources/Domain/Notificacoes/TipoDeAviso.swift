/// What somebody is told about. Stored as its name.
package enum TipoDeAviso: String, Sendable, Codable, CaseIterable {
    case reservaConfirmada = "reserva_confirmada"
    case reservaCancelada = "reserva_cancelada"
    case reservaExpirada = "reserva_expirada"
    case reservaRemarcada = "reserva_remarcada"
    /// The booking waits for a gestor.
    case aprovacaoPedida = "aprovacao_pedida"
    /// A booking waits for an answer of whom it is told: somebody who may approve it.
    case aprovacaoAResponder = "aprovacao_a_responder"
    case reservaAprovada = "reserva_aprovada"
    case reservaNaoAprovada = "reserva_nao_aprovada"
    /// What somebody waited for is held for them.
    case vagaOferecida = "vaga_oferecida"
    case naoComparecimento = "nao_comparecimento"
    /// They stayed too long, and owe for it.
    case excedenteApurado = "excedente_apurado"
    /// The receipt.
    case pagamentoRecebido = "pagamento_recebido"
    case pagamentoRecusado = "pagamento_recusado"
    case cobrancaVencida = "cobranca_vencida"
    case estornoRealizado = "estorno_realizado"
    case assinaturaIniciada = "assinatura_iniciada"
    case assinaturaRenovada = "assinatura_renovada"
    /// Another plan, now or from the renewal on.
    case assinaturaAlterada = "assinatura_alterada"
    case assinaturaEncerrada = "assinatura_encerrada"
    /// A lot of credits is there still, and not for long.
    case creditosAExpirar = "creditos_a_expirar"
    /// Written by somebody of the desk.
    case mensagem

    /// Those that a person chooses channels for; a message goes where its writer sends it.
    package static let preferiveis: [TipoDeAviso] = allCases.filter { $0 != .mensagem }

    /// Where it goes for whoever has chosen nothing.
    package var canaisPadrao: [Canal] { [.app, .email] }

    /// Whether it says what somebody owes, paid, got back or is bound to: it may be had over another channel, but not be turned off.
    package var obrigatorio: Bool {
        switch self {
        case .excedenteApurado, .pagamentoRecebido, .estornoRealizado, .assinaturaIniciada, .assinaturaRenovada, .assinaturaAlterada,
            .assinaturaEncerrada:
            true
        case .reservaConfirmada, .reservaCancelada, .reservaExpirada, .reservaRemarcada, .aprovacaoPedida,
            .aprovacaoAResponder, .reservaAprovada, .reservaNaoAprovada, .vagaOferecida, .naoComparecimento, .pagamentoRecusado,
            .cobrancaVencida, .creditosAExpirar, .mensagem:
            false
        }
    }
}

extension TipoDeAviso {
    /// The least role of whom it is told, where that is not whom it concerns: all of that role who may use their account.
    package var papel: Papel? {
        switch self {
        case .aprovacaoAResponder: DecidirAprovacao.papel
        case .reservaConfirmada, .reservaCancelada, .reservaExpirada, .reservaRemarcada, .aprovacaoPedida, .reservaAprovada,
            .reservaNaoAprovada, .vagaOferecida, .naoComparecimento, .excedenteApurado, .pagamentoRecebido, .pagamentoRecusado,
            .cobrancaVencida, .estornoRealizado, .assinaturaIniciada, .assinaturaRenovada, .assinaturaAlterada, .assinaturaEncerrada,
            .creditosAExpirar, .mensagem:
            nil
        }
    }
}
