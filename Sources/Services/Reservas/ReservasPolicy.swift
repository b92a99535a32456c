package import Domain
package import EventStore
import FoundationEssentials
package import HTTP

/// The times of a booking: its hold runs out, its end comes, its owner is erased, somebody waits for what it frees. And a space that
/// comes to have more to give has somebody who waits for it.
package struct ReservasPolicy: Policy {
    package let name = PrazoDaReserva.politica
    package let contexts: Set<String> = ["reservas", "usuarios", "espacos"]

    static let expire = PrazoDaReserva.expirar.rawValue
    static let complete = PrazoDaReserva.concluir.rawValue
    static let cancelErased = "reservas.cancelar_do_apagado"

    package init() {}

    package func react(to event: EventoDoDominio) -> [ScheduledCommand] {
        switch event {
        case .reservas(let event): react(to: event)
        case .usuarios(.usuarioApagado(let erased)):
            // By now every booking of theirs has its end scheduled, or is parked: it was made before, and nobody books for them any more.
            [ScheduledCommand(kind: Self.cancelErased, aggregate: erased.usuario.texto, due: erased.em.microssegundos)]
        case .espacos(let event): WaitlistCalls.command(for: event).map { [$0] } ?? []
        case .usuarios, .precos, .pagamentos, .checkin, .notificacoes, .analytics, .financeiro: []
        }
    }

    private func react(to event: EventoDeReservas) -> [ScheduledCommand] {
        switch event {
        case .reservaSolicitada(let requested):
            return [end(of: requested.reserva, at: requested.horario.intervalo.fim, owner: requested.usuario)]
                + (requested.expiraEm.map { [command(Self.expire, requested.reserva, $0)] } ?? [])
        case .reservaRemarcada(let moved):
            return [end(of: moved.reserva, at: moved.para.intervalo.fim, owner: moved.usuario)]
                + ((moved.pagarAte ?? moved.expiraEm).map { [command(Self.expire, moved.reserva, $0)] } ?? [])
        case .reservaConfirmada(let confirmed):
            // A booking may be confirmed after its end, when the timer of the end has come and gone. Before its end, that timer is there
            // still, and says whose booking it is.
            return [command(Self.complete, confirmed.reserva, confirmed.em)]
        case .reservaAprovada(let approved):
            return approved.expiraEm.map { [command(Self.expire, approved.reserva, $0)] } ?? []
        case .horarioLiberado(let freed):
            return [WaitlistCalls.command(freed.espaco, freed.dia, cause: freed.reserva.texto, due: freed.em)]
        case .esperaInscrita(let joined):
            return [WaitlistCalls.command(joined.espaco, joined.dia, cause: joined.inscricao.texto, due: joined.intervalo.inicio)]
        case .reservaExpirada, .reservaCancelada, .reservaConcluida, .reservaRetomada, .reservaNaoComparecida, .horarioOcupado,
            .convidadosDefinidos, .serieCriada, .serieAlterada,
            .serieEncerrada, .esperaOferecida, .esperaAtendida, .esperaVencida, .esperaRetirada:
            return []
        }
    }

    /// - Parameter owner: nil where the event does not say: it is an old one.
    private func end(of booking: ReservaID, at end: Instante, owner: UsuarioID?) -> ScheduledCommand {
        ScheduledCommand(kind: Self.complete, aggregate: booking.texto, due: end.microssegundos, subject: owner?.texto)
    }

    private func command(_ kind: String, _ booking: ReservaID, _ due: Instante) -> ScheduledCommand {
        ScheduledCommand(kind: kind, aggregate: booking.texto, due: due.microssegundos)
    }

    /// What is done when a time comes. The deciders ignore what no longer applies.
    package func handlers(_ dependencies: ServiceDependencies, schedule: ScheduleReader) -> [String: TimerRunner.Handler] {
        let commands = dependencies.commands
        let waitlist = WaitlistCalls(dependencies, schedule: schedule)
        return [
            Self.expire: { timer in
                try await give(timer, commands) { _, state, booking, benefits, now in
                    ExpirarReserva(reserva: booking, agora: now).decidir(reserva: state, beneficios: benefits)
                }
            },
            Self.complete: { timer in try await complete(timer, commands) },
            WaitlistCalls.call: { timer in try await waitlist.answer(timer, of: name) },
            WaitlistCalls.callAll: { timer in try await waitlist.answerAll(timer, of: name) },
            Self.cancelErased: { timer in try await cancelAll(timer, commands, schedule) },
        ]
    }

    /// It is asked for when a booking is confirmed, too: that is when an offer from the waitlist was taken.
    private func complete(_ timer: DueTimer, _ commands: CommandHandling) async throws {
        guard let booking = ReservaID(timer.aggregate) else { throw Problem.notFound }
        _ = try await commands.run(timer, of: name) { loader in
            let state = Reserva.dobrar(try await loader.load(.reserva(booking)))
            let presence = Presenca.dobrar(try await loader.load(.presenca(booking)))
            guard let data = state.dados else { return [] }
            _ = try await loader.agendas(of: data.espaco, on: data.diasDaAgenda)
            let (paid, benefits) = (try await loader.paid(for: state), try await loader.benefits(of: data))
            let completed = try ConcluirReserva(reserva: booking, pago: paid, agora: commands.now)
                .decidir(reserva: state, presenca: presence, beneficios: benefits)
            return completed + (try await loader.endOfOffer(state, at: commands.now))
        }
    }

    private func give(
        _ timer: DueTimer,
        _ commands: CommandHandling,
        decide: @escaping @Sendable (StreamLoader, Reserva, ReservaID, BeneficiosDoMembro, Instante) async throws -> [EventosDoFluxo]
    ) async throws {
        guard let booking = ReservaID(timer.aggregate) else { throw Problem.notFound }
        _ = try await commands.run(timer, of: name) { loader in
            let state = Reserva.dobrar(try await loader.load(.reserva(booking)))
            guard let data = state.dados else { return [] }
            _ = try await loader.agendas(of: data.espaco, on: data.diasDaAgenda)
            return try await decide(loader, state, booking, try await loader.benefits(of: data), commands.now)
        }
    }

    /// Cancels what an erased person had still booked: first all whose ends are scheduled, in one append; then what they may have among the
    /// bookings that this policy has parked. One of those that cannot be read has the command fail, and given again, until it can.
    private func cancelAll(_ timer: DueTimer, _ commands: CommandHandling, _ schedule: ScheduleReader) async throws {
        guard let user = UsuarioID(timer.aggregate) else { throw Problem.notFound }
        var round = 0
        while true {
            let execution = try await commands.run(timer, of: name, round: round) { loader in
                let found = try await schedule.find(.endsOfBookings, for: user.texto)
                let scheduled = Set(found.aggregates.compactMap { ReservaID($0) }.map { NomeDeFluxo.reserva($0) })
                let cancelled = try await cancellations(of: scheduled, of: user, at: commands.now, loader)
                guard cancelled.isEmpty else { return cancelled }
                let unseen = Set(found.unseen.map { NomeDeFluxo(lido: $0) }).subtracting(scheduled)
                return try await cancellations(of: unseen, of: user, at: commands.now, loader)
            }
            guard !execution.events.isEmpty else { return }
            round += 1
        }
    }

    /// - Parameter streams: of bookings, anybody's.
    private func cancellations(
        of streams: Set<NomeDeFluxo>,
        of user: UsuarioID,
        at now: Instante,
        _ loader: StreamLoader
    ) async throws -> [EventosDoFluxo] {
        let owner = Conta.dobrar(try await loader.load(.usuario(user)))
        var decided: [EventosDoFluxo] = []
        for (_, events) in try await loader.load(streams.sorted()).sorted(by: { $0.key < $1.key }) {
            let state = Reserva.dobrar(events)
            guard let data = state.dados, data.usuario == user else { continue }
            let paid = try await loader.paid(for: state)
            let command = CancelarPorApagamento(reserva: data.reserva, pago: paid, agora: now)
            if try command.decidir(reserva: state, dono: owner).isEmpty { continue }
            _ = try await loader.agendas(of: data.espaco, on: data.diasDaAgenda)
            decided += try command.decidir(reserva: state, dono: owner, beneficios: try await loader.benefits(of: data))
        }
        return decided.joinedByStream
    }
}

extension [EventosDoFluxo] {
    /// Several bookings may have been on one day of one space: an append names each stream once.
    fileprivate var joinedByStream: [EventosDoFluxo] {
        var events: [NomeDeFluxo: [EventoDoDominio]] = [:]
        for part in self { events[part.fluxo, default: []] += part.eventos }
        return events.sorted { $0.key < $1.key }.map { EventosDoFluxo($0.key, $0.value) }
    }
}
