/// The message was handed over: to the mail server, to whoever carries it, or to the app.
package struct NotificacaoEnviada: Evento {
    package static let tipo = "notificacoes.NotificacaoEnviada"

    package let notificacao: NotificacaoID
    /// Which try it was, from 1.
    package let tentativa: Int
    package let em: Instante

    package init(
        notificacao: NotificacaoID,
        tentativa: Int,
        em: Instante
    ) {
        self.notificacao = notificacao
        self.tentativa = tentativa
        self.em = em
    }
}
