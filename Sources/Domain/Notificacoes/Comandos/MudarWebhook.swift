/// What becomes of a webhook that there is. What is so already changes nothing.
package struct MudarWebhook: Hashable, Sendable {
    package enum Mudanca: Hashable, Sendable {
        case alterar(endereco: String, tipos: [FiltroDeEventos])
        case desativar
        case reativar
        case remover
    }

    package let webhook: WebhookID
    package let mudanca: Mudanca
    package let ator: Ator
    package let agora: Instante

    package init(webhook: WebhookID, mudanca: Mudanca, ator: Ator, agora: Instante) {
        self.webhook = webhook
        self.mudanca = mudanca
        self.ator = ator
        self.agora = agora
    }

    package func decidir(webhook estado: Webhook) throws(RecusaDeNotificacoes) -> [EventosDoFluxo] {
        guard ator.papel >= .admin else { throw .proibido }
        if case .removido = estado, mudanca == .remover { return [] }
        let dados = try estado.exigir()
        return try evento(estado, dados).map { [EventosDoFluxo(.webhook(webhook), notificacoes: $0)] } ?? []
    }

    private func evento(_ estado: Webhook, _ dados: DadosDoWebhook) throws(RecusaDeNotificacoes) -> EventoDeNotificacoes? {
        switch (mudanca, estado) {
        case (.alterar(let endereco, let tipos), _):
            let maximo = CadastrarWebhook.maximoDeTipos
            guard (1...maximo).contains(tipos.count) else { throw .tiposDemais(maximo: maximo) }
            guard endereco != dados.endereco || tipos != dados.tipos else { return nil }
            return .webhookAlterado(
                WebhookAlterado(webhook: webhook, endereco: endereco, tipos: tipos, por: ator.usuario, em: agora)
            )
        case (.desativar, .ativo):
            return .webhookDesativado(WebhookDesativado(webhook: webhook, motivo: .administrador, por: ator.usuario, em: agora))
        case (.reativar, .desativado):
            return .webhookReativado(WebhookReativado(webhook: webhook, por: ator.usuario, em: agora))
        case (.remover, _):
            return .webhookRemovido(WebhookRemovido(webhook: webhook, por: ator.usuario, em: agora))
        case (.desativar, _), (.reativar, _):
            return nil
        }
    }
}

/// Deliveries to a webhook keep failing: it is told nothing any more.
package struct DesativarPorFalhas: Hashable, Sendable {
    package let webhook: WebhookID
    package let agora: Instante

    package init(webhook: WebhookID, agora: Instante) {
        self.webhook = webhook
        self.agora = agora
    }

    package func decidir(webhook estado: Webhook) -> [EventosDoFluxo] {
        guard case .ativo = estado else { return [] }
        let evento = WebhookDesativado(webhook: webhook, motivo: .falhas, em: agora)
        return [EventosDoFluxo(.webhook(webhook), notificacoes: .webhookDesativado(evento))]
    }
}
