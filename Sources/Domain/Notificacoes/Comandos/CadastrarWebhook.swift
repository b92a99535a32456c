/// An administrator has an address told of events.
package struct CadastrarWebhook: Hashable, Sendable {
    package static let maximoDeTipos = 50

    package let webhook: WebhookID
    package let endereco: String
    package let tipos: [FiltroDeEventos]
    package let segredo: Selado
    package let ator: Ator
    package let agora: Instante

    package init(
        webhook: WebhookID, endereco: String, tipos: [FiltroDeEventos], segredo: Selado, ator: Ator, agora: Instante
    ) {
        self.webhook = webhook
        self.endereco = endereco
        self.tipos = tipos
        self.segredo = segredo
        self.ator = ator
        self.agora = agora
    }

    package func decidir(webhook estado: Webhook) throws(RecusaDeNotificacoes) -> [EventosDoFluxo] {
        guard ator.papel >= .admin else { throw .proibido }
        guard (1...Self.maximoDeTipos).contains(tipos.count) else { throw .tiposDemais(maximo: Self.maximoDeTipos) }
        guard case .inexistente = estado else { return [] }
        let evento = WebhookCadastrado(
            webhook: webhook, endereco: endereco, tipos: tipos, segredo: segredo, por: ator.usuario, em: agora
        )
        return [EventosDoFluxo(.webhook(webhook), notificacoes: .webhookCadastrado(evento))]
    }
}
