/// The address is told nothing any more.
package struct WebhookRemovido: Evento {
    package static let tipo = "notificacoes.WebhookRemovido"

    package let webhook: WebhookID
    package let por: UsuarioID
    package let em: Instante

    package init(
        webhook: WebhookID,
        por: UsuarioID,
        em: Instante
    ) {
        self.webhook = webhook
        self.por = por
        self.em = em
    }
}
