package import Domain
package import EventStore
import FoundationEssentials
package import HTTP

/// What people are told by itself: of what becomes of their bookings. And what is to be told is sent, when its time has come.
package struct NotificacoesPolicy: Policy {
    package let name = "notificacoes.avisos"
    package let contexts: Set<String> = ["reservas", "notificacoes"]

    private static let tell = "notificacoes.avisar."
    private static let send = "notificacoes.enviar"

    package init() {}

    package func react(to event: EventoDoDominio) -> [ScheduledCommand] {
        switch event {
        case .reservas(let event): react(to: event)
        case .notificacoes(let event): react(to: event)
        case .usuarios, .espacos, .precos, .pagamentos, .checkin, .analytics, .financeiro: []
        }
    }

    private func react(to event: EventoDeReservas) -> [ScheduledCommand] {
        switch event {
        case .reservaConfirmada(let event): [tell(.reservaConfirmada, of: event.reserva, event.em)]
        case .reservaCancelada(let event): [tell(.reservaCancelada, of: event.reserva, event.em)]
        case .reservaExpirada(let event): [tell(.reservaExpirada, of: event.reserva, event.em)]
        case .reservaRemarcada(let event): [tell(.reservaRemarcada, of: event.reserva, event.em)]
        case .reservaSolicitada, .reservaConcluida, .reservaRetomada, .reservaNaoComparecida, .reservaAprovada, .convidadosDefinidos,
            .horarioOcupado, .horarioLiberado, .serieCriada, .serieAlterada, .serieEncerrada, .esperaInscrita, .esperaOferecida,
            .esperaAtendida, .esperaVencida, .esperaRetirada:
            []
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

    private func tell(_ notice: TipoDeAviso, of booking: ReservaID, _ time: Instante) -> ScheduledCommand {
        ScheduledCommand(kind: Self.tell + notice.rawValue, aggregate: booking.texto, due: time.microssegundos)
    }

    /// What is done when a time comes.
    package func handlers(_ commands: CommandHandling, desk: NoticeDesk, delivery: NoticeDelivery) -> [String: TimerRunner.Handler] {
        var handlers: [String: TimerRunner.Handler] = [Self.send: { timer in try await delivery.deliver(timer, commands, policy: name) }]
        for notice in TipoDeAviso.preferiveis {
            handlers[Self.tell + notice.rawValue] = { timer in
                guard let booking = ReservaID(timer.aggregate) else { throw Problem.notFound }
                guard SolicitarNotificacao.aindaInteressa(Instante(microssegundos: timer.due), agora: commands.now) else { return }
                _ = try await commands.run(timer, of: name) { loader in
                    try await desk.tell(notice, of: booking, because: timer.cause, at: commands.now, loader)
                }
            }
        }
        return handlers
    }
}
