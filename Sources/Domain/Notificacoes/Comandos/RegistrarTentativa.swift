/// A message was tried to be handed over. What was settled before stays as it was.
package struct RegistrarTentativa: Hashable, Sendable {
    /// For how long a message is tried to be handed over, counted from when it might first have been.
    package static let prazo = Duracao.horas(24)

    package enum Resultado: Hashable, Sendable {
        case entregue
        /// It may go better later.
        case adiada
        case recusada(MotivoDaFalha)
    }

    package let notificacao: NotificacaoID
    package let resultado: Resultado
    /// Which try it was, from 1.
    package let tentativa: Int
    package let agora: Instante

    package init(notificacao: NotificacaoID, resultado: Resultado, tentativa: Int, agora: Instante) {
        self.notificacao = notificacao
        self.resultado = resultado
        self.tentativa = tentativa
        self.agora = agora
    }

    /// Nothing where it is to be tried again.
    package func decidir(notificacao estado: Notificacao) -> [EventosDoFluxo] {
        guard case .pendente(let pedido) = estado else { return [] }
        switch resultado {
        case .entregue:
            let enviada = NotificacaoEnviada(notificacao: notificacao, tentativa: tentativa, em: agora)
            return [EventosDoFluxo(.notificacao(notificacao), notificacoes: .notificacaoEnviada(enviada))]
        case .recusada(let motivo):
            return [falha(motivo)]
        case .adiada:
            return agora - pedido.enviarEm < Self.prazo ? [] : [falha(.prazoEsgotado)]
        }
    }

    private func falha(_ motivo: MotivoDaFalha) -> EventosDoFluxo {
        let falhou = NotificacaoFalhou(notificacao: notificacao, motivo: motivo, tentativa: tentativa, em: agora)
        return EventosDoFluxo(.notificacao(notificacao), notificacoes: .notificacaoFalhou(falhou))
    }
}
