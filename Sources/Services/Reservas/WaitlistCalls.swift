import Domain
import EventStore
import FoundationEssentials
import HTTP

/// Goes through the lines of a space when something of it was freed, a span that somebody waits for begins, or the space came to have
/// more to give: seats, hours, a closure less.
struct WaitlistCalls: Sendable {
    static let call = "reservas.chamar_da_espera"
    static let callAll = "reservas.chamar_todas_as_filas"
    /// The calls for the beginnings of spans that somebody waits for, by space: while one is scheduled, the wait may go on.
    private static let waits = ScheduleReader.Schedule(policy: PrazoDaReserva.politica, kind: call, eventTypes: [EsperaInscrita.tipo])
    /// The most offers in one append, when a whole space is gone through.
    private static let mostAtOnce = 20

    private let commands: CommandHandling
    private let desk: BookingDesk
    private let schedule: ScheduleReader

    init(_ dependencies: ServiceDependencies, schedule: ScheduleReader) {
        commands = dependencies.commands
        desk = BookingDesk(reader: dependencies.reader, zones: dependencies.zones)
        self.schedule = schedule
    }

    /// A call about one UTC day of a space.
    /// - Parameter cause: tells calls about one day and time apart: none must be taken for another.
    static func command(_ space: EspacoID, _ day: DataCivil, cause: String, due: Instante) -> ScheduledCommand {
        ScheduledCommand(
            kind: call, aggregate: "\(space.texto)_\(day.texto)_\(cause)", due: due.microssegundos, subject: space.texto
        )
    }

    /// A call about a whole space, when an event gave it more to give; nil for any other event. Who made it smaller made nobody's wait
    /// shorter, but is not told apart: the call finds nothing.
    static func command(for event: EventoDeEspacos) -> ScheduledCommand? {
        func all(_ space: EspacoID, _ time: Instante) -> ScheduledCommand {
            ScheduledCommand(kind: callAll, aggregate: space.texto, due: time.microssegundos)
        }
        return switch event {
        case .espacoAtualizado(let event): all(event.espaco, event.em)
        case .horarioDefinido(let event): all(event.espaco, event.em)
        case .fechamentoDefinido(let event): all(event.espaco, event.em)
        case .fechamentoRemovido(let event): all(event.espaco, event.em)
        case .regrasDeReservaDefinidas(let event): all(event.espaco, event.em)
        case .espacoReativado(let event): all(event.espaco, event.em)
        case .unidadeCriada, .unidadeAtualizada, .espacoCriado, .espacoDesativado: nil
        }
    }

    /// Goes through all lines of a space as one: on neighbouring days they may want the same seats, and the first who joined comes
    /// first. A few offers an append, until nobody is left whom anything fits.
    func answerAll(_ timer: DueTimer, of policy: String) async throws {
        guard let space = EspacoID(timer.aggregate) else { throw Problem.notFound }
        let days = try await daysWithLines(of: space)
        guard !days.isEmpty else { return }
        var round = 0
        while true {
            let execution = try await commands.run(timer, of: policy, round: round) { loader in
                let lines = try await loader.lines(of: space, on: days)
                let calling = ChamarDaEspera(espaco: space, filas: lines, agora: commands.now)
                return EventosDoFluxo.unir(try await offers(calling, atMost: Self.mostAtOnce, loader))
            }
            guard !execution.events.isEmpty else { return }
            round += 1
        }
    }

    /// The UTC days on which somebody may wait for a span of a space to begin.
    private func daysWithLines(of space: EspacoID) async throws -> [DataCivil] {
        let found = try await schedule.find(Self.waits, for: space.texto)
        let scheduled = found.aggregates.compactMap { name in
            name.split(separator: "_").dropFirst().first.flatMap { DataCivil($0) }
        }
        let start = NomeDeFluxo.inicioDaEspera(space)
        let unseen = found.unseen.filter { $0.hasPrefix(start) }.compactMap { DataCivil($0.dropFirst(start.count)) }
        return Set(scheduled + unseen).sorted()
    }

    func answer(_ timer: DueTimer, of policy: String) async throws {
        let parts = timer.aggregate.split(separator: "_")
        guard parts.count == 3, let space = EspacoID(parts[0]), let day = DataCivil(parts[1]) else { throw Problem.notFound }
        _ = try await commands.run(timer, of: policy) { loader in
            let lines = try await loader.lines(of: space, on: Espera.dias(aoLiberar: day))
            let calling = ChamarDaEspera(espaco: space, filas: lines, agora: commands.now)
            let over = calling.encerrar(try await loader.bookings(calling.ofertas))
            return EventosDoFluxo.unir(over + (try await offers(calling, loader)))
        }
    }

    /// A hold for each who waits for what is free, in their order.
    private func offers(
        _ calling: ChamarDaEspera,
        atMost most: Int = .max,
        _ loader: StreamLoader
    ) async throws -> [EventosDoFluxo] {
        let turns = calling.aVez
        guard let first = turns.first else { return [] }
        let setting: BookingDesk.Setting
        do {
            setting = try await desk.setting(of: calling.espaco, owner: first.inscricao.usuario, at: calling.agora, loader)
        } catch is RecusaDeReservas {
            return []
        }
        var agenda = AgendaDaSerie([:])
        var offered: [EventosDoFluxo] = []
        var offers = 0
        // Whose credits one offer of this append has reckoned with already.
        var drawing: Set<UsuarioID> = []
        for turn in turns {
            guard offers < most else { break }
            let request = calling.pedido(turn, reserva: .offer(to: turn.inscricao.id))
            do {
                // Whether it fits is the same for everybody; only then is it asked who they are.
                let seen = try request.preparar(setting.context)
                agenda.incluir(try await loader.agendaDays(of: calling.espaco, on: agenda.faltam(seen.diasDaAgenda)))
                guard !seen.semLugar(agenda.agendas(seen.diasDaAgenda)) else { continue }
                let own = try await ownSetting(
                    of: calling.espaco, for: turn.inscricao.usuario, again: drawing.contains(turn.inscricao.usuario), at: calling.agora,
                    loader)
                let prepared = try request.preparar(own.context)
                let agendas = agenda.agendas(prepared.diasDaAgenda)
                offered += try calling.oferecer(turn, request, preparo: prepared, agendas: agendas)
                agenda.ocupar(prepared, por: request.reserva, em: calling.agora)
                offers += 1
                drawing.insert(turn.inscricao.usuario)
            } catch is any Recusa {
                // The space is closed then by now, or the account is: nothing for them, but perhaps for the next.
                continue
            }
        }
        return offered
    }

    /// Where the booking of an offer is decided: with all that its member may draw on, once an append.
    private func ownSetting(
        of space: EspacoID,
        for user: UsuarioID,
        again: Bool,
        at now: Instante,
        _ loader: StreamLoader
    ) async throws -> BookingDesk.Setting {
        again
            ? try await desk.seriesSetting(of: space, for: user, at: now, loader)
            : try await desk.setting(of: space, for: user, owner: user, at: now, loader)
    }
}

extension StreamLoader {
    /// The lines of a space for spans that begin on these UTC days.
    func lines(of space: EspacoID, on days: [DataCivil]) async throws -> [DataCivil: Espera] {
        let streams = try await load(days.map { .espera(space, $0) })
        return Dictionary(days.map { ($0, Espera.dobrar(streams[.espera(space, $0)] ?? [])) }) { first, _ in first }
    }

    /// What the end of an offer means for whoever it was made to.
    func endOfOffer(_ state: Reserva, at now: Instante) async throws -> [EventosDoFluxo] {
        guard let data = state.dados, data.origem?.espera != nil else { return [] }
        let day = data.horario.intervalo.inicio.diaUTC
        let calling = ChamarDaEspera(espaco: data.espaco, filas: try await lines(of: data.espaco, on: [day]), agora: now)
        return calling.encerrar([data.reserva: state])
    }
}

extension ReservaID {
    /// The id of the booking that is offered to a place in the line: there is one at most.
    static func offer(to entry: EsperaID) -> ReservaID {
        // The text of an id is always one.
        let namespace = UUID(uuidString: entry.texto) ?? UUID(uuid: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0))
        return ReservaID(UUID.v5(namespace: namespace, name: "offer".utf8))
    }
}
