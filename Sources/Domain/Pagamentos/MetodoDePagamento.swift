/// How a charge is paid.
package enum MetodoDePagamento: String, Sendable, Codable, CaseIterable {
    case pix
    case cartao
    /// Cash, at the desk.
    case dinheiro
    /// A card, with the desk's own machine.
    case maquininha

    /// Whether the desk took the money, and has to give it back: no provider knows of it.
    package var noBalcao: Bool {
        switch self {
        case .pix, .cartao: false
        case .dinheiro, .maquininha: true
        }
    }

    /// As it is called in the HTTP API.
    package var codigo: String {
        switch self {
        case .pix: "pix"
        case .cartao: "card"
        case .dinheiro: "cash"
        case .maquininha: "card_machine"
        }
    }
}

/// Why a provider said no, in words that every provider's answers are translated to.
package enum MotivoDaRecusa: String, Sendable, Codable, CaseIterable {
    case saldoInsuficiente = "saldo_insuficiente"
    case cartaoRecusado = "cartao_recusado"
    case cartaoVencido = "cartao_vencido"
    /// The payer or the payer's bank gave up.
    case canceladoPeloPagador = "cancelado_pelo_pagador"
    case suspeitaDeFraude = "suspeita_de_fraude"
    /// Of a giving back: the receiver's account takes no money any more.
    case contaEncerrada = "conta_encerrada"
    case outro
}

/// Why a charge closed unpaid.
package enum MotivoDoEncerramento: String, Sendable, Codable {
    /// Its time ran out.
    case prazo
    /// What it was for was given up, or settled in another way.
    case semObjeto = "sem_objeto"
}

/// Why money goes back.
package enum MotivoDoEstorno: String, Sendable, Codable {
    /// The booking was cancelled; the amount follows its policy.
    case cancelamento
    /// The booking was moved to a cheaper time.
    case remarcacao
    /// The booking waited for the difference of a move, which was not paid in time; the amount follows its policy.
    case expiracao
    /// It was paid late, and what it was for could not be had any more.
    case atraso
    /// Another payment had paid the charge, or it was of another amount than is owed.
    case pagamentoIndevido = "pagamento_indevido"
    /// An operator decided it.
    case operador
}
