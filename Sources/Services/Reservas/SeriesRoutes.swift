import Domain
import EventStore
import HTTP
import Hummingbird

/// Recurring bookings over HTTP. A series is booked, moved or given up in one append, however many occurrences it has: they are 366 at
/// most, and so "all or nothing" is what it says.
struct SeriesRoutes: Sendable {
    /// For how many occurrences a preview looks for other times.
    private static let alternativesFor = 12

    private let commands: CommandHandling
    private let keyring: Keyring
    private let reader: LogReader
    private let desk: BookingDesk

    init(_ dependencies: ServiceDependencies) {
        commands = dependencies.commands
        keyring = dependencies.keyring
        reader = dependencies.reader
        desk = BookingDesk(reader: dependencies.reader, zones: dependencies.zones)
    }

    func add(to router: Router<CoworkRequestContext>) {
        router.post("reservations/series/preview", use: preview)
        router.post("reservations/series", use: create)
        router.put("reservations/series/:series", use: change)
        router.delete("reservations/series/:series", use: cancel)
    }

    // MARK: Booking

    @Sendable private func preview(_ request: Request, _ context: CoworkRequestContext) async throws -> JSONAnswer<SeriesPreviewView> {
        let identity = try context.signedIn()
        let (input, _) = try await request.json(SeriesInput.self)
        let owner = try input.user() ?? identity.user
        let loader = StreamLoader(reader: reader)
        try await loader.requireMember(owner, by: identity.actor)
        let setting = try await desk.seriesSetting(of: try input.space(), for: owner, at: commands.now, loader)
        let command = try input.command(
            commands.newID(), for: owner, by: identity.actor, notes: nil, in: setting.context.zona, at: commands.now
        )
        let prepared = try command.preparar(setting.context)
        let days = try await loader.agendaDays(of: setting.space.espaco, on: CriarSerie.diasDaAgenda(prepared))
        let expected = command.prever(prepared, agenda: AgendaDaSerie(days))
        return JSONAnswer(try await view(expected, of: command, in: setting, Idioma(request)))
    }

    private func view(
        _ expected: [OcorrenciaPrevista],
        of command: CriarSerie,
        in setting: BookingDesk.Setting,
        _ language: Idioma
    ) async throws -> SeriesPreviewView {
        let zone = setting.context.zona
        var occurrences: [SeriesPreviewView.Occurrence] = []
        var searches = 0
        for occurrence in expected {
            let start = try zone.instantePedido(occurrence.ocorrencia.inicio)
            guard let span = Intervalo(inicio: start, fim: start + command.duracao.duracao) else { continue }
            var free: [Intervalo]?
            if occurrence.recusa?.admiteAlternativas == true, searches < Self.alternativesFor {
                searches += 1
                free = try await desk.freeTimes(near: start, span.duracao, command.lugares, in: setting, at: commands.now)
            }
            occurrences.append(.init(occurrence, span, zone, language, alternatives: free))
        }
        let prices = expected.compactMap { $0.preparo?.cotacao.total }
        let total = try prices.reduce(Dinheiro.zero) { try $0.somando($1) }
        return SeriesPreviewView(
            rrule: command.regra.texto,
            timezone: zone.nome,
            count: expected.count,
            free: prices.count,
            totalPrice: total.decimal,
            totalPriceCents: total.centavos,
            currency: total.moeda.rawValue,
            occurrences: occurrences
        )
    }

    @Sendable private func create(_ request: Request, _ context: CoworkRequestContext) async throws -> CommandAnswer<SeriesView> {
        let identity = try context.signedIn()
        let (input, body) = try await request.json(SeriesInput.self)
        let (space, owner) = (try input.space(), try input.user() ?? identity.user)
        let series: SerieID = commands.newID()
        let execution = try await commands.run(request, context, body: body) { loader in
            try await loader.requireMember(owner, by: identity.actor)
            let setting = try await desk.seriesSetting(of: space, for: owner, at: commands.now, loader)
            let command = try input.command(
                series,
                for: owner,
                by: identity.actor,
                notes: try await loader.seal(note: input.notes, of: owner, field: "notas", with: keyring),
                in: setting.context.zona,
                at: commands.now
            )
            let prepared = try command.preparar(setting.context)
            let days = try await loader.agendaDays(of: space, on: CriarSerie.diasDaAgenda(prepared))
            return try command.decidir(serie: .inexistente, contexto: setting.context, prepared, agenda: AgendaDaSerie(days))
        }
        guard case .reservas(.serieCriada(let made))? = execution.events.first else { throw Problem.notFound }
        let view = SeriesView(made.serie, made.ocorrencias, "booked", skipped: made.puladas)
        return CommandAnswer(.created, view, at: execution.position)
    }

    // MARK: Changing

    @Sendable private func change(_ request: Request, _ context: CoworkRequestContext) async throws -> CommandAnswer<SeriesView> {
        let identity = try context.signedIn()
        let series: SerieID = try context.id("series")
        let (input, body) = try await request.json(SeriesChangeInput.self)
        let (scope, booking) = (try SpanInput.scope(input.scope), try input.booking())
        let execution = try await commands.run(request, context, body: body) { loader in
            let data = try Serie.dobrar(try await loader.load(.serie(series))).exigirVisivel(para: identity.actor)
            let setting = try await desk.seriesSetting(of: data.espaco, for: data.usuario, at: commands.now, loader)
            let (start, duration) = try SpanInput.read(input.startTime, input.endTime, in: setting.context.zona)
            let command = AlterarSerie(
                serie: series,
                ator: identity.actor,
                alcance: scope,
                referencia: booking,
                inicio: start,
                duracao: duration,
                aoConflitar: try SpanInput.conflict(input.onConflict),
                agora: commands.now
            )
            let chosen = try data.escolhidas(scope, desde: booking).map(\.reserva)
            let bookings = try await loader.bookings(chosen)
            let targets = try command.alvos(
                data,
                reservas: bookings,
                pagamentos: try await loader.charges(of: bookings),
                presencas: try await loader.presences(at: Array(bookings.keys))
            )
            let prepared = try command.preparar(targets, setting.context)
            let days = try await loader.agendaDays(of: data.espaco, on: AlterarSerie.diasDaAgenda(targets, prepared))
            return try command.decidir(targets, prepared, contexto: setting.context, agenda: AgendaDaSerie(days))
        }
        guard case .reservas(.serieAlterada(let changed))? = execution.events.first else {
            return CommandAnswer(SeriesView(series, [], "moved", skipped: []), at: execution.position)
        }
        return CommandAnswer(SeriesView(series, changed.movidas, "moved", skipped: changed.mantidas), at: execution.position)
    }

    @Sendable private func cancel(_ request: Request, _ context: CoworkRequestContext) async throws -> CommandAnswer<SeriesView> {
        let identity = try context.signedIn()
        let series: SerieID = try context.id("series")
        let body = try await request.bytes()
        let input =
            body.isEmpty
            ? SeriesCancellationInput(scope: nil, reservationId: nil, reason: nil)
            : try JSON.decode(SeriesCancellationInput.self, from: body)
        let (scope, booking) = (try SpanInput.scope(input.scope ?? "all"), try input.booking())
        let execution = try await commands.run(request, context, body: body) { loader in
            let data = try Serie.dobrar(try await loader.load(.serie(series))).exigirVisivel(para: identity.actor)
            let command = EncerrarSerie(
                serie: series,
                ator: identity.actor,
                alcance: scope,
                referencia: booking,
                justificativa: try await loader.seal(note: input.reason, of: data.usuario, field: "justificativa", with: keyring),
                agora: commands.now
            )
            let bookings = try await loader.bookings(try data.escolhidas(scope, desde: booking).map(\.reserva))
            let targets = try command.alvos(data, reservas: bookings)
            _ = try await loader.agendaDays(of: data.espaco, on: Set(targets.flatMap(\.diasDaAgenda)).sorted())
            var paid: [ReservaID: Dinheiro] = [:]
            var benefits: [ReservaID: BeneficiosDoMembro] = [:]
            for target in targets {
                paid[target.reserva] = try await loader.paid(for: bookings[target.reserva] ?? .inexistente)
                benefits[target.reserva] = try await loader.benefits(of: target)
            }
            return try command.decidir(data, reservas: bookings, pago: paid, beneficios: benefits)
        }
        let cancelled = execution.events.lazy.compactMap(\.endedSeries).first?.canceladas ?? []
        let data = try Serie.dobrar(try await StreamLoader(reader: reader).load(.serie(series))).exigirVisivel(para: identity.actor)
        let done = data.ocorrencias.filter { cancelled.contains($0.reserva) }
        return CommandAnswer(SeriesView(series, done, "cancelled", skipped: []), at: execution.position)
    }
}

extension BookingDesk {
    /// The setting of all occurrences of a series: each is paid by itself, at the price of the member's plan.
    func seriesSetting(of space: EspacoID, for user: UsuarioID, at now: Instante, _ loader: StreamLoader) async throws -> Setting {
        let setting = try await setting(of: space, for: user, owner: user, at: now, loader)
        let context = setting.context
        return Setting(
            space: setting.space,
            context: ContextoDaReserva(
                espaco: context.espaco,
                zona: context.zona,
                tarifario: context.tarifario,
                planoID: context.planoID,
                plano: context.plano,
                beneficios: context.beneficios.paraVarias
            )
        )
    }
}

extension EventoDoDominio {
    fileprivate var endedSeries: SerieEncerrada? {
        if case .reservas(.serieEncerrada(let event)) = self { return event }
        return nil
    }
}
