/// A display at a door: the stream `painel-{id}`.
package enum Painel: EstadoDeFluxo {
    case inexistente
    case autorizado(PainelAutorizado)
    case revogado(PainelAutorizado)

    package static let inicial = Painel.inexistente

    package func evoluindo(com evento: EventoDeCheckin) -> Painel {
        switch evento {
        case .painelAutorizado(let autorizado): .autorizado(autorizado)
        case .painelRevogado: autorizacao.map(Painel.revogado) ?? self
        case .checkinRealizado, .checkoutRealizado, .naoComparecimentoRegistrado, .excedenteApurado: self
        }
    }

    /// How it came to be, whatever became of it.
    package var autorizacao: PainelAutorizado? {
        switch self {
        case .inexistente: nil
        case .autorizado(let autorizado), .revogado(let autorizado): autorizado
        }
    }
}
