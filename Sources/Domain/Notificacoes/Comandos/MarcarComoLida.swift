/// The person has seen a message in the app. Somebody else's is not there.
package struct MarcarComoLida: Hashable, Sendable {
    package let notificacao: NotificacaoID
    package let usuario: UsuarioID
    package let agora: Instante

    package init(notificacao: NotificacaoID, usuario: UsuarioID, agora: Instante) {
        self.notificacao = notificacao
        self.usuario = usuario
        self.agora = agora
    }

    package func decidir(notificacao estado: Notificacao) throws(RecusaDeNotificacoes) -> [EventosDoFluxo] {
        guard case .enviada(let pedido, let lida) = estado, pedido.canal == .app, pedido.destinatario == usuario else {
            throw .notificacaoNaoEncontrada
        }
        guard !lida else { return [] }
        let evento = NotificacaoLida(notificacao: notificacao, em: agora)
        return [EventosDoFluxo(.notificacao(notificacao), notificacoes: .notificacaoLida(evento))]
    }
}
