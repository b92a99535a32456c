/// Somebody is to be told something over one channel. The same message asked for again is there already, and nothing happens.
package struct SolicitarNotificacao: Equatable, Sendable {
    /// How long after it happened something is still worth telling. Who begins to listen to an old log does not tell it all again.
    package static let validade = Duracao.horas(24)

    package let pedido: NotificacaoSolicitada

    package init(_ pedido: NotificacaoSolicitada) {
        self.pedido = pedido
    }

    /// Whether something that happened then is still worth telling.
    package static func aindaInteressa(_ acontecido: Instante, agora: Instante) -> Bool {
        agora - acontecido < validade
    }

    package func decidir(notificacao estado: Notificacao) -> [EventosDoFluxo] {
        guard case .inexistente = estado else { return [] }
        var eventos: [EventoDeNotificacoes] = [.notificacaoSolicitada(pedido)]
        // What lies in the app has arrived.
        if pedido.canal == .app {
            eventos.append(.notificacaoEnviada(NotificacaoEnviada(notificacao: pedido.notificacao, tentativa: 1, em: pedido.em)))
        }
        return [EventosDoFluxo(.notificacao(pedido.notificacao), eventos.map(EventoDoDominio.notificacoes))]
    }
}
