/// The message was not handed over, and will not be.
package struct NotificacaoFalhou: Evento {
    package static let tipo = "notificacoes.NotificacaoFalhou"

    package let notificacao: NotificacaoID
    package let motivo: MotivoDaFalha
    /// Which try was the last, from 1.
    package let tentativa: Int
    package let em: Instante

    package init(
        notificacao: NotificacaoID,
        motivo: MotivoDaFalha,
        tentativa: Int,
        em: Instante
    ) {
        self.notificacao = notificacao
        self.motivo = motivo
        self.tentativa = tentativa
        self.em = em
    }
}
