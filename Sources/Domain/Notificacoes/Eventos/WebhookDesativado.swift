/// The address is told nothing until it is switched on again.
package struct WebhookDesativado: Evento {
    package static let tipo = "notificacoes.WebhookDesativado"

    package let webhook: WebhookID
    package let motivo: MotivoDaDesativacao
    /// Who switched it off, if somebody did.
    package let por: UsuarioID?
    package let em: Instante

    package init(
        webhook: WebhookID,
        motivo: MotivoDaDesativacao,
        por: UsuarioID? = nil,
        em: Instante
    ) {
        self.webhook = webhook
        self.motivo = motivo
        self.por = por
        self.em = em
    }
}
