/// What is known of one message to one person over one channel: the stream `notificacao-{id}`.
package enum Notificacao: EstadoDeFluxo {
    case inexistente
    /// To be sent from `NotificacaoSolicitada.enviarEm` on.
    case pendente(NotificacaoSolicitada)
    case enviada(NotificacaoSolicitada, lida: Bool)
    case falhou(NotificacaoSolicitada)

    package static let inicial = Notificacao.inexistente

    package func evoluindo(com evento: EventoDeNotificacoes) -> Notificacao {
        switch evento {
        case .notificacaoSolicitada(let solicitada): .pendente(solicitada)
        case .notificacaoEnviada: solicitada.map { .enviada($0, lida: false) } ?? self
        case .notificacaoFalhou: solicitada.map(Notificacao.falhou) ?? self
        case .notificacaoLida: solicitada.map { .enviada($0, lida: true) } ?? self
        case .preferenciasDefinidas, .agendaCompartilhada, .agendaRecolhida, .webhookCadastrado, .webhookAlterado,
            .webhookDesativado, .webhookReativado, .webhookRemovido:
            self
        }
    }

    /// What was asked for, whatever became of it.
    package var solicitada: NotificacaoSolicitada? {
        switch self {
        case .inexistente: nil
        case .pendente(let solicitada), .enviada(let solicitada, _), .falhou(let solicitada): solicitada
        }
    }
}
