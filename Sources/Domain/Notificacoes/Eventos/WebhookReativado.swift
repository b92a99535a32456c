/// The address is told of events again, from here on.
package struct WebhookReativado: Evento {
    package static let tipo = "notificacoes.WebhookReativado"

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
