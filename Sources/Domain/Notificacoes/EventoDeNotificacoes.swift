/// All that can happen in `notificacoes`: messages, how people want to be told things, and addresses that are told of events.
package enum EventoDeNotificacoes: EventoDeContexto {
    case notificacaoSolicitada(NotificacaoSolicitada)
    case notificacaoEnviada(NotificacaoEnviada)
    case notificacaoFalhou(NotificacaoFalhou)
    case notificacaoLida(NotificacaoLida)
    case preferenciasDefinidas(PreferenciasDefinidas)
    case agendaCompartilhada(AgendaCompartilhada)
    case agendaRecolhida(AgendaRecolhida)
    case webhookCadastrado(WebhookCadastrado)
    case webhookAlterado(WebhookAlterado)
    case webhookDesativado(WebhookDesativado)
    case webhookReativado(WebhookReativado)
    case webhookRemovido(WebhookRemovido)

    package static let leitores: [LeitorDeEvento<EventoDeNotificacoes>] = [
        LeitorDeEvento(NotificacaoSolicitada.self, EventoDeNotificacoes.notificacaoSolicitada),
        LeitorDeEvento(NotificacaoEnviada.self, EventoDeNotificacoes.notificacaoEnviada),
        LeitorDeEvento(NotificacaoFalhou.self, EventoDeNotificacoes.notificacaoFalhou),
        LeitorDeEvento(NotificacaoLida.self, EventoDeNotificacoes.notificacaoLida),
        LeitorDeEvento(PreferenciasDefinidas.self, EventoDeNotificacoes.preferenciasDefinidas),
        LeitorDeEvento(AgendaCompartilhada.self, EventoDeNotificacoes.agendaCompartilhada),
        LeitorDeEvento(AgendaRecolhida.self, EventoDeNotificacoes.agendaRecolhida),
        LeitorDeEvento(WebhookCadastrado.self, EventoDeNotificacoes.webhookCadastrado),
        LeitorDeEvento(WebhookAlterado.self, EventoDeNotificacoes.webhookAlterado),
        LeitorDeEvento(WebhookDesativado.self, EventoDeNotificacoes.webhookDesativado),
        LeitorDeEvento(WebhookReativado.self, EventoDeNotificacoes.webhookReativado),
        LeitorDeEvento(WebhookRemovido.self, EventoDeNotificacoes.webhookRemovido),
    ]

    package var evento: any Evento {
        switch self {
        case .notificacaoSolicitada(let evento): evento
        case .notificacaoEnviada(let evento): evento
        case .notificacaoFalhou(let evento): evento
        case .notificacaoLida(let evento): evento
        case .preferenciasDefinidas(let evento): evento
        case .agendaCompartilhada(let evento): evento
        case .agendaRecolhida(let evento): evento
        case .webhookCadastrado(let evento): evento
        case .webhookAlterado(let evento): evento
        case .webhookDesativado(let evento): evento
        case .webhookReativado(let evento): evento
        case .webhookRemovido(let evento): evento
        }
    }

    package init?(_ evento: EventoDoDominio) {
        guard case .notificacoes(let meu) = evento else { return nil }
        self = meu
    }
}
