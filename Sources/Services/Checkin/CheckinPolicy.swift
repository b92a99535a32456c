package import Domain
package import EventStore
import FoundationEssentials
package import HTTP

/// The times of a presence: nobody came, nobody said that they left.
package struct CheckinPolicy: Policy {
    package let name = "checkin.prazos"
    package let contexts: Set<String> = ["reservas", "checkin"]

    static let miss = PrazoDaPresenca.ausencia.rawValue
    static let close = PrazoDaPresenca.encerrar.rawValue

    package init() {}

    package func react(to event: EventoDoDominio) -> [ScheduledCommand] {
        switch event {
        case .reservas(let event): react(to: event)
        case .checkin(.checkinRealizado(let entered)): [command(Self.close, entered.reserva, entered.encerraEm)]
        case .usuarios, .espacos, .precos, .pagamentos, .checkin, .notificacoes, .analytics, .financeiro: []
        }
    }

    private func react(to event: EventoDeReservas) -> [ScheduledCommand] {
        switch event {
        case .reservaSolicitada(let requested):
            guard let grace = requested.regras.toleranciaNaoComparecimento?.duracao else { return [] }
            let interval = requested.horario.intervalo
            let first = min(interval.inicio + grace, interval.fim)
            // Who is confirmed after the start has as long from then on, and is confirmed before the hold runs out.
            let last = requested.expiraEm.map { $0 + grace }.flatMap { $0 > first && $0 <= interval.fim ? $0 : nil }
            return ([first] + (last.map { [$0] } ?? [])).map { command(Self.miss, requested.reserva, $0) }
        case .reservaRemarcada(let moved):
            let interval = moved.para.intervalo
            let grace = moved.regras.toleranciaNaoComparecimento?.duracao
            let rules = moved.regras.presenca ?? .padrao
            return (grace.map { [command(Self.miss, moved.reserva, min(interval.inicio + $0, interval.fim))] } ?? [])
                // Somebody may be in already.
                + [command(Self.close, moved.reserva, interval.fim + rules.encerramento.duracao)]
        case .reservaConfirmada, .reservaExpirada, .reservaCancelada, .reservaConcluida, .reservaNaoComparecida, .reservaRetomada,
            .reservaAprovada, .convidadosDefinidos, .horarioOcupado, .horarioLiberado, .serieCriada, .serieAlterada, .serieEncerrada,
            .esperaInscrita, .esperaOferecida, .esperaAtendida, .esperaVencida, .esperaRetirada:
            return []
        }
    }

    private func command(_ kind: String, _ booking: ReservaID, _ due: Instante) -> ScheduledCommand {
        ScheduledCommand(kind: kind, aggregate: booking.texto, due: due.microssegundos)
    }

    /// What is done when a time comes. The deciders ignore what no longer applies.
    package func handlers(_ commands: CommandHandling) -> [String: TimerRunner.Handler] {
        [
            Self.miss: { timer in
                guard let booking = ReservaID(timer.aggregate) else { throw Problem.notFound }
                _ = try await commands.run(timer, of: name) { loader in
                    let (state, presence) = try await Visits.load(booking, loader)
                    guard let data = state.dados else { return [] }
                    _ = try await loader.agendas(of: data.espaco, on: data.diasDaAgenda)
                    let (paid, benefits) = (try await loader.paid(for: state), try await loader.benefits(of: data))
                    return try RegistrarAusencia(reserva: booking, pago: paid, agora: commands.now)
                        .decidir(reserva: state, presenca: presence, beneficios: benefits)
                }
            },
            Self.close: { timer in
                guard let booking = ReservaID(timer.aggregate) else { throw Problem.notFound }
                _ = try await commands.run(timer, of: name) { loader in
                    let (state, presence) = try await Visits.load(booking, loader)
                    return EncerrarPresenca(reserva: booking, agora: commands.now).decidir(reserva: state, presenca: presence)
                }
            },
        ]
    }
}
