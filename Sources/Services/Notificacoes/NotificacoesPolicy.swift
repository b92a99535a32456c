package import Domain
package import EventStore
import FoundationEssentials
package import HTTP

/// What people are told by itself: of what becomes of their bookings, payments and subscriptions. And what is to be told is sent, when
/// its time has come.
package struct NotificacoesPolicy: Policy {
    package let name = "notificacoes.avisos"
    package let contexts: Set<String> = ["reservas", "pagamentos", "checkin", "precos", "notificacoes"]

    private static let tell = "notificacoes.avisar."
    private static let send = "notificacoes.enviar"

    package init() {}

    package func react(to event: EventoDoDominio) -> [ScheduledCommand] {
        if case .notificacoes(let event) = event { return react(to: event) }
        return CausaDoAviso.todas(event).map { cause in
            ScheduledCommand(
                kind: Self.tell + cause.tipo.rawValue,
                aggregate: ([cause.fluxo.texto] + (cause.parte.map { [$0] } ?? [])).joined(separator: "/"),
                due: cause.em.microssegundos
            )
        }
    }

    private func react(to event: EventoDeNotificacoes) -> [ScheduledCommand] {
        switch event {
        case .notificacaoSolicitada(let asked) where asked.canal != .app:
            [
                ScheduledCommand(
                    kind: Self.send, aggregate: asked.notificacao.texto, due: asked.enviarEm.microssegundos,
                    subject: asked.destinatario?.texto
                )
            ]
        case .notificacaoSolicitada, .notificacaoEnviada, .notificacaoFalhou, .notificacaoLida, .preferenciasDefinidas,
            .agendaCompartilhada, .agendaRecolhida, .webhookCadastrado, .webhookAlterado, .webhookDesativado, .webhookReativado,
            .webhookRemovido:
            []
        }
    }

    /// What is done when a time comes.
    package func handlers(_ commands: CommandHandling, desk: NoticeDesk, delivery: NoticeDelivery) -> [String: TimerRunner.Handler] {
        var handlers: [String: TimerRunner.Handler] = [Self.send: { timer in try await delivery.deliver(timer, commands, policy: name) }]
        for notice in TipoDeAviso.preferiveis {
            handlers[Self.tell + notice.rawValue] = { timer in
                guard SolicitarNotificacao.aindaInteressa(Instante(microssegundos: timer.due), agora: commands.now) else { return }
                let stream = NomeDeFluxo(lido: timer.aggregate.split(separator: "/").first.map(String.init) ?? timer.aggregate)
                let staff = try await desk.staff(for: notice)
                _ = try await commands.run(timer, of: name) { loader in
                    try await desk.tell(notice, of: stream, because: timer.cause, to: staff, at: commands.now, loader)
                }
            }
        }
        return handlers
    }
}
