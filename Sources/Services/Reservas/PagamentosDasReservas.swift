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
            guard approved.quita else { return [] }
            switch approved.causa {
            case .reserva(let booking): return [command(booking.texto, approved)]
            case .diferenca(let booking, let move): return [command("\(booking.texto)/\(move)", approved)]
            case .excedente, .mensalidade: return []
            }
        case .usuarios, .espacos, .precos, .reservas, .pagamentos, .checkin, .notificacoes, .analytics, .financeiro: return []
        }
    }

    private func command(_ aggregate: String, _ approved: PagamentoAprovado) -> ScheduledCommand {
        ScheduledCommand(kind: Self.confirm, aggregate: aggregate, due: approved.em.microssegundos)
    }

    /// What is done when a time comes. The decider ignores what no longer applies.
    package func handlers(_ commands: CommandHandling) -> [String: TimerRunner.Handler] {
        [
            Self.confirm: { timer in
                let parts = timer.aggregate.split(separator: "/", maxSplits: 1)
                guard let booking = parts.first.flatMap({ ReservaID($0) }) else { throw Problem.notFound }
                let move = parts.count == 2 ? Int(parts[1]) : nil
                let cause = move.map { CausaDaCobranca.diferenca(booking, remarcacao: $0) } ?? .reserva(booking)
                _ = try await commands.run(timer, of: name) { loader in try await confirm(booking, paying: cause, commands.now, loader) }
            }
        ]
    }

    private func confirm(
        _ booking: ReservaID,
        paying cause: CausaDaCobranca,
        _ now: Instante,
        _ loader: StreamLoader
    ) async throws -> [EventosDoFluxo] {
        let state = Reserva.dobrar(try await loader.load(.reserva(booking)))
        guard let data = state.dados else { return [] }
        let payment = Pagamento.dobrar(try await loader.load(.pagamento(cause.pagamento)))
        let others = try await loader.charges(of: state).filter { $0.dados?.causa != cause }
        let space = Espaco.dobrar(try await loader.load(.espaco(data.espaco)))
        let agendas = try await loader.agendas(of: data.espaco, on: data.diasDaAgenda)
        return ConfirmarPaga(agora: now).decidir(
            reserva: state,
            pagamento: payment,
            outros: others,
            espaco: space,
            agendas: agendas,
            beneficios: try await loader.benefits(of: data)
        )
    }
}
