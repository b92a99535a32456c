/// Whether somebody came to a booking: the stream `presenca-{reserva}`.
package enum Presenca: EstadoDeFluxo {
    case aguardada
    case presente(CheckinRealizado)
    case encerrada(CheckinRealizado, CheckoutRealizado)
    case ausente(NaoComparecimentoRegistrado)

    package static let inicial = Presenca.aguardada

    package func evoluindo(com evento: EventoDeCheckin) -> Presenca {
        switch evento {
        case .checkinRealizado(let entrada): .presente(entrada)
        case .checkoutRealizado(let saida):
            if case .presente(let entrada) = self { .encerrada(entrada, saida) } else { self }
        case .naoComparecimentoRegistrado(let ausencia): .ausente(ausencia)
        case .excedenteApurado, .painelAutorizado, .painelRevogado: self
        }
    }

    /// Whether somebody came, be they still here or not.
    package var houveEntrada: Bool {
        switch self {
        case .aguardada, .ausente: false
        case .presente, .encerrada: true
        }
    }
}
