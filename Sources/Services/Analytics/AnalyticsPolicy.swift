package import Domain
package import EventStore
import FoundationEssentials
package import HTTP

/// Closes each unit's local day when it ends, one after the other, and looks at closed days again when a booking of theirs was given up
/// or missed since.
package struct AnalyticsPolicy: Policy {
    package let name = "analytics.fechamentos"
    package let contexts: Set<String> = ["espacos", "reservas", "analytics"]

    static let close = "analytics.fechar_dia"
    static let correct = "analytics.corrigir"

    private let zones: ZoneCatalog

    package init(zones: ZoneCatalog) {
        self.zones = zones
    }

    package func react(to event: EventoDoDominio) -> [ScheduledCommand] {
        switch event {
        case .espacos(.unidadeCriada(let created)): closing(of: created.unidade, zone: created.fuso, at: created.em)
        // By another clock the day that it is now ends at another time.
        case .espacos(.unidadeAtualizada(let updated)): closing(of: updated.unidade, zone: updated.fuso, at: updated.em)
        case .analytics(.ocupacaoDiariaApurada(let closed)):
            closed.proximoFechamento.map { [closing(of: closed.unidade, closed.dia.somandoDias(1), due: $0)] } ?? []
        case .reservas(let event): react(to: event)
        case .usuarios, .espacos, .precos, .pagamentos, .checkin, .notificacoes, .financeiro: []
        }
    }

    private func react(to event: EventoDeReservas) -> [ScheduledCommand] {
        switch event {
        case .reservaCancelada(let cancelled): [correction(cancelled.reserva, cancelled.em)]
        case .reservaNaoComparecida(let missed): [correction(missed.reserva, missed.em)]
        case .reservaRetomada(let taken): [correction(taken.reserva, taken.em)]
        case .reservaSolicitada(let requested):
            // A hold that outlasts its booking may be confirmed when the day is closed.
            requested.expiraEm.flatMap { $0 >= requested.horario.intervalo.inicio ? [correction(requested.reserva, $0)] : nil } ?? []
        case .reservaConfirmada, .reservaExpirada, .reservaRemarcada, .reservaConcluida, .horarioOcupado,
            .horarioLiberado,
            .reservaAprovada, .convidadosDefinidos, .serieCriada, .serieAlterada, .serieEncerrada, .esperaInscrita, .esperaOferecida,
            .esperaAtendida, .esperaVencida, .esperaRetirada:
            []
        }
    }

    private func closing(of unit: UnidadeID, zone name: String, at time: Instante) -> [ScheduledCommand] {
        // Units have zones that exist: it is checked when they are made.
        guard let zone = try? zones.zone(name) else { return [] }
        let day = zone.data(de: time)
        return [closing(of: unit, day, due: zone.inicioDoDia(day.somandoDias(1)))]
    }

    private func closing(of unit: UnidadeID, _ day: DataCivil, due: Instante) -> ScheduledCommand {
        ScheduledCommand(kind: Self.close, aggregate: "\(unit.texto)/\(day.texto)", due: due.microssegundos)
    }

    private func correction(_ booking: ReservaID, _ time: Instante) -> ScheduledCommand {
        ScheduledCommand(kind: Self.correct, aggregate: booking.texto, due: time.microssegundos)
    }

    package func handlers(_ commands: CommandHandling, reader: LogReader) -> [String: TimerRunner.Handler] {
        let days = UnitDays(reader: reader, zones: zones)
        return [
            Self.close: { timer in
                let parts = timer.aggregate.split(separator: "/")
                guard parts.count == 2, let unit = UnidadeID(parts[0]), let day = DataCivil(parts[1]) else { throw Problem.notFound }
                _ = try await commands.run(timer, of: name) { loader in
                    let state = OcupacaoDoDia.dobrar(try await loader.load(.ocupacao(unit, day)))
                    return try await days.decide(unit, day, state, at: commands.now)
                }
            },
            Self.correct: { timer in
                guard let booking = ReservaID(timer.aggregate) else { throw Problem.notFound }
                _ = try await commands.run(timer, of: name) { loader in
                    let state = Reserva.dobrar(try await loader.load(.reserva(booking)))
                    guard let data = state.dados else { return [] }
                    return try await days.correct(data, loader, at: commands.now)
                }
            },
        ]
    }
}
