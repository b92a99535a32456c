/// An address is told of events from here on.
package struct WebhookCadastrado: Evento {
    package static let tipo = "notificacoes.WebhookCadastrado"

    package let webhook: WebhookID
    /// A URL.
    package let endereco: String
    package let tipos: [FiltroDeEventos]
    /// What deliveries are signed with, sealed under the webhook's own id.
    package let segredo: Selado
    package let por: UsuarioID
    package let em: Instante

    package init(
        webhook: WebhookID,
        endereco: String,
        tipos: [FiltroDeEventos],
        segredo: Selado,
        por: UsuarioID,
        em: Instante
    ) {
        self.webhook = webhook
        self.endereco = endereco
        self.tipos = tipos
        self.segredo = segredo
        self.por = por
        self.em = em
    }
}
