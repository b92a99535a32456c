package import Domain
package import EventStore
import FoundationEssentials
package import HTTP

/// The times of a booking: its hold runs out, its end comes.
package struct ReservasPolicy: Policy {
    package let name = "reservas.prazos"
    package let contexts: Set<String> = ["reservas"]

    static let expire = "reservas.expirar"
    static let complete = "reservas.concluir"

    package init() {}

    package func react(to event: EventoDoDominio) -> [ScheduledCommand] {
        guard case .reservas(let event) = event else { return [] }
        switch event {
        case .reservaSolicitada(let requested):
            let end = command(Self.complete, requested.reserva, requested.horario.intervalo.fim)
            return [end] + (requested.expiraEm.map { [command(Self.expire, requested.reserva, $0)] } ?? [])
        case .reservaRemarcada(let moved):
            return [command(Self.complete, moved.reserva, moved.para.intervalo.fim)]
        case .reservaConfirmada(let confirmed):
            // A booking may be confirmed after its end, when the timer of the end has come and gone.
            return [command(Self.complete, confirmed.reserva, confirmed.em)]
        case .reservaExpirada, .reservaCancelada, .reservaConcluida, .horarioOcupado, .horarioLiberado:
            return []
        }
    }

    private func command(_ kind: String, _ booking: ReservaID, _ due: Instante) -> ScheduledCommand {
        ScheduledCommand(kind: kind, aggregate: booking.texto, due: due.microssegundos)
    }

    /// What is done when a time comes. The deciders ignore what no longer applies.
    package func handlers(_ commands: CommandHandling) -> [String: TimerRunner.Handler] {
        [
            Self.expire: { timer in
                try await give(timer, commands) { state, booking, now in
                    ExpirarReserva(reserva: booking, agora: now).decidir(reserva: state)
                }
            },
            Self.complete: { timer in
                try await give(timer, commands) { state, booking, now in
                    ConcluirReserva(reserva: booking, agora: now).decidir(reserva: state)
                }
            },
        ]
    }

    private func give(
        _ timer: DueTimer,
        _ commands: CommandHandling,
        decide: @escaping @Sendable (Reserva, ReservaID, Instante) -> [EventosDoFluxo]
    ) async throws {
        guard let booking = ReservaID(timer.aggregate) else { throw Problem.notFound }
        _ = try await commands.run(timer, of: name) { loader in
            let state = Reserva.dobrar(try await loader.load(.reserva(booking)))
            if let data = state.dados { _ = try await loader.agendas(of: data.espaco, on: data.diasDaAgenda) }
            return decide(state, booking, commands.now)
        }
    }
}
