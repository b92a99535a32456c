/// The person has seen the message in the app.
package struct NotificacaoLida: Evento {
    package static let tipo = "notificacoes.NotificacaoLida"

    package let notificacao: NotificacaoID
    package let em: Instante

    package init(
        notificacao: NotificacaoID,
        em: Instante
    ) {
        self.notificacao = notificacao
        self.em = em
    }
}
