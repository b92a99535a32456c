import Domain
package import EventStore
import FoundationEssentials
package import HTTP
import HTTPTypes
package import Hummingbird

/// Bookings over HTTP.
package struct ReservasRoutes: Sendable {
    private let commands: CommandHandling
    private let keyring: Keyring
    private let desk: BookingDesk
    private let history: BookingHistory
    private let series: SeriesRoutes
    private let waitlist: WaitlistRoutes
    private let attendance: AttendanceRoutes

    /// - Parameter policies: see `BookingHistory`.
    package init(_ dependencies: ServiceDependencies, policies: [any Policy]) {
        commands = dependencies.commands
        keyring = dependencies.keyring
        desk = BookingDesk(reader: dependencies.reader, zones: dependencies.zones)
        history = BookingHistory(reader: dependencies.reader, zones: dependencies.zones, policies: policies)
        series = SeriesRoutes(dependencies)
        waitlist = WaitlistRoutes(dependencies)
        attendance = AttendanceRoutes(dependencies)
    }

    package func add(to router: Router<CoworkRequestContext>) {
        router.post("reservations", use: book)
        router.put("reservations/:booking", use: reschedule)
        router.delete("reservations/:booking", use: cancel)
        router.post("reservations/:booking/confirm", use: confirm)
        router.get("reservations/:booking/history", use: explain)
        series.add(to: router)
        waitlist.add(to: router)
        attendance.add(to: router)
    }

    @Sendable private func explain(_ request: Request, _ context: CoworkRequestContext) async throws -> JSONAnswer<BookingHistoryView> {
        let identity = try context.signedIn()
        return JSONAnswer(try await history.view(of: try context.id("booking"), for: identity.actor, in: Idioma(request)))
    }

    private struct BookingInput: Decodable {
        let spaceId: String
        let startTime: String
        let endTime: String
        let seats: Int?
        let coupon: String?
        let notes: String?
        /// For whom, where that is not the one who asks: operators only.
        let userId: String?
    }

    @Sendable private func book(_ request: Request, _ context: CoworkRequestContext) async throws -> CommandAnswer<BookingView> {
        let identity = try context.signedIn()
        let (input, body) = try await request.json(BookingInput.self)
        let coupon = try input.coupon.map { code in
            guard let code = CodigoDoCupom(code) else { throw Problem.couponNotFound }
            return code
        }
        guard let space = EspacoID(input.spaceId) else { throw Problem.invalid(field: "space_id", "must be the id of a space") }
        let user = try input.userId.map { text in
            guard let user = UsuarioID(text) else { throw Problem.invalid(field: "user_id", "must be the id of a user") }
            return user
        }
        let booking: ReservaID = commands.newID()
        let owner = user ?? identity.user
        let extras = try JSON.decode(DeskInput.self, from: body)
        let execution = try await commands.run(request, context, body: body) { loader in
            if owner != identity.user {
                // Before anything of theirs is touched: sealing would make a key for whatever id was named.
                guard identity.actor.opera else { throw RecusaDeReservas.proibido }
                if try await loader.load(.usuario(owner)).isEmpty { throw Problem.invalid(field: "user_id", "is no user") }
            }
            let setting = try await desk.setting(of: space, for: owner, owner: owner, coupon: coupon, at: commands.now, loader)
            let command = SolicitarReserva(
                reserva: booking,
                usuario: owner,
                ator: identity.actor,
                inicio: try TimeInput.instant(input.startTime, field: "start_time", zone: setting.context.zona),
                fim: try TimeInput.instant(input.endTime, field: "end_time", zone: setting.context.zona),
                lugares: input.seats ?? 1,
                notas: try await self.seal(input.notes, of: owner, field: "notas", loader),
                agora: commands.now,
                origem: try await extras.origin(for: owner, by: identity.actor, loader, keyring)
            )
            return try await desk.offeringAlternatives(
                to: request, command.inicio, command.fim, command.lugares, in: setting, at: commands.now
            ) {
                let prepared = try command.preparar(setting.context)
                let agendas = try await loader.agendas(of: space, on: prepared.diasDaAgenda)
                return try command.decidir(reserva: .inexistente, preparo: prepared, agendas: agendas)
            }
        }
        // All that there is of a new booking is what the command recorded.
        return CommandAnswer(.created, try desk.view(of: .dobrar(execution.events)), at: execution.position)
    }

    private struct Times: Decodable {
        let startTime: String
        let endTime: String
    }

    @Sendable private func reschedule(_ request: Request, _ context: CoworkRequestContext) async throws -> CommandAnswer<BookingView> {
        let identity = try context.signedIn()
        let booking: ReservaID = try context.id("booking")
        let (input, body) = try await request.json(Times.self)
        let execution = try await commands.run(request, context, body: body) { loader in
            let state = Reserva.dobrar(try await loader.load(.reserva(booking)))
            let data = try state.exigirVisivel(para: identity.actor)
            let setting =
                if data.origem?.serie == nil {
                    try await desk.setting(of: data.espaco, owner: data.usuario, coupon: data.cotacao.cupom, at: commands.now, loader)
                } else {
                    try await desk.seriesSetting(of: data.espaco, for: data.usuario, at: commands.now, loader)
                }
            let command = RemarcarReserva(
                reserva: booking,
                ator: identity.actor,
                inicio: try TimeInput.instant(input.startTime, field: "start_time", zone: setting.context.zona),
                fim: try TimeInput.instant(input.endTime, field: "end_time", zone: setting.context.zona),
                agora: commands.now
            )
            let seats = data.horario.lugares
            return try await desk.offeringAlternatives(
                to: request,
                command.inicio,
                command.fim,
                seats,
                in: setting,
                at: commands.now,
                except: booking
            ) {
                let presence = Presenca.dobrar(try await loader.load(.presenca(booking)))
                guard let prepared = try command.preparar(setting.context, reserva: state, presenca: presence) else { return [] }
                let days = Set(prepared.diasDaAgenda).union(data.diasDaAgenda).sorted()
                let agendas = try await loader.agendas(of: data.espaco, on: days)
                let charges = try await loader.charges(of: state)
                return try command.decidir(reserva: state, preparo: prepared, agendas: agendas, pagamentos: charges)
            }
        }
        return try await answer(execution, booking)
    }

    private struct Cancellation: Decodable {
        let reason: String?
        /// Against the policy: operators only, with a reason.
        let refundPercent: Int?
    }

    private struct Cancelled: Encodable, Sendable {
        let message: String
        let refund: RefundView?
    }

    @Sendable private func cancel(_ request: Request, _ context: CoworkRequestContext) async throws -> CommandAnswer<Cancelled> {
        let identity = try context.signedIn()
        let booking: ReservaID = try context.id("booking")
        let body = try await request.bytes()
        let input = body.isEmpty ? Cancellation(reason: nil, refundPercent: nil) : try JSON.decode(Cancellation.self, from: body)
        let percent = try input.refundPercent.map { value in
            guard let percent = Percentual(value) else { throw Problem.invalid(field: "refund_percent", "must be from 0 to 100") }
            return percent
        }
        let execution = try await commands.run(request, context, body: body) { loader in
            let state = Reserva.dobrar(try await loader.load(.reserva(booking)))
            let data = try state.exigirVisivel(para: identity.actor)
            _ = try await loader.agendas(of: data.espaco, on: data.diasDaAgenda)
            return try CancelarReserva(
                reserva: booking,
                ator: identity.actor,
                pago: try await loader.paid(for: state),
                justificativa: try await self.seal(input.reason, of: data.usuario, field: "justificativa", loader),
                percentualExcepcional: percent,
                agora: commands.now
            ).decidir(reserva: state, beneficios: try await loader.benefits(of: data))
        }
        let refund = execution.events.lazy.compactMap(\.refund).first.map(RefundView.init)
        return CommandAnswer(Cancelled(message: "Reserva cancelada.", refund: refund), at: execution.position)
    }

    @Sendable private func confirm(_ request: Request, _ context: CoworkRequestContext) async throws -> CommandAnswer<BookingView> {
        let identity = try context.signedIn()
        let booking: ReservaID = try context.id("booking")
        let execution = try await commands.run(request, context, body: []) { loader in
            try ConfirmarReserva(reserva: booking, ator: identity.actor, agora: commands.now)
                .decidir(reserva: .dobrar(try await loader.load(.reserva(booking))))
        }
        return try await answer(execution, booking)
    }

    /// Free text is personal data: sealed under the key of the person whose booking it is on.
    private func seal(_ text: String?, of user: UsuarioID, field: String, _ loader: StreamLoader) async throws -> Selado? {
        try await loader.seal(note: text, of: user, field: field, with: keyring)
    }

    /// The booking as the command left it: rebuilt from its events, so that a repeat is answered like the first time.
    private func answer(_ execution: Execution, _ booking: ReservaID) async throws -> CommandAnswer<BookingView> {
        CommandAnswer(.ok, try await desk.view(of: booking, upTo: execution.position), at: execution.position)
    }
}

extension EventoDoDominio {
    fileprivate var refund: Reembolso? {
        if case .reservas(.reservaCancelada(let event)) = self { return event.reembolso }
        return nil
    }
}
