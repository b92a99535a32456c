/// The address is another, or it is told of other events.
package struct WebhookAlterado: Evento {
    package static let tipo = "notificacoes.WebhookAlterado"

    package let webhook: WebhookID
    package let endereco: String
    package let tipos: [FiltroDeEventos]
    package let por: UsuarioID
    package let em: Instante

    package init(
        webhook: WebhookID,
        endereco: String,
        tipos: [FiltroDeEventos],
        por: UsuarioID,
        em: Instante
    ) {
        self.webhook = webhook
        self.endereco = endereco
        self.tipos = tipos
        self.por = por
        self.em = em
    }
}
