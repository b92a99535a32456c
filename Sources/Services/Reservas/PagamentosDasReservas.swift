package import Domain
package import EventStore
import FoundationEssentials
package import HTTP

/// Bookings that are paid: they stand, or their money goes back.
package struct PagamentosDasReservas: Policy {
    package let name = "reservas.pagamentos"
    package let contexts: Set<String> = ["pagamentos"]

    static let confirm = "reservas.confirmar_paga"

    package init() {}

    package func react(to event: EventoDoDominio) -> [ScheduledCommand] {
        switch event {
        case .pagamentos(.pagamentoAprovado(let approved)):
            guard approved.quita, case .reserva(let booking) = approved.causa else { return [] }
            return [ScheduledCommand(kind: Self.confirm, aggregate: booking.texto, due: approved.em.microssegundos)]
        case .usuarios, .espacos, .precos, .reservas, .pagamentos, .checkin, .notificacoes, .analytics, .financeiro: return []
        }
    }

    /// What is done when a time comes. The decider ignores what no longer applies.
    package func handlers(_ commands: CommandHandling) -> [String: TimerRunner.Handler] {
        [
            Self.confirm: { timer in
                guard let booking = ReservaID(timer.aggregate) else { throw Problem.notFound }
                _ = try await commands.run(timer, of: name) { loader in try await confirm(booking, commands.now, loader) }
            }
        ]
    }

    private func confirm(_ booking: ReservaID, _ now: Instante, _ loader: StreamLoader) async throws -> [EventosDoFluxo] {
        let payment = NomeDeFluxo.pagamento(CausaDaCobranca.reserva(booking).pagamento)
        let streams = try await loader.load([.reserva(booking), payment])
        let state = Reserva.dobrar(streams[.reserva(booking)] ?? [])
        guard let data = state.dados else { return [] }
        let space = Espaco.dobrar(try await loader.load(.espaco(data.espaco)))
        let agendas = try await loader.agendas(of: data.espaco, on: data.diasDaAgenda)
        return ConfirmarPaga(agora: now).decidir(
            reserva: state,
            pagamento: .dobrar(streams[payment] ?? []),
            espaco: space,
            agendas: agendas,
            beneficios: try await loader.benefits(of: data)
        )
    }
}
