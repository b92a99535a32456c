import Domain
import EventStore
import HTTP
import Hummingbird

/// Approvals, and who comes along to a booking.
struct AttendanceRoutes: Sendable {
    private let commands: CommandHandling
    private let keyring: Keyring
    private let desk: BookingDesk

    init(_ dependencies: ServiceDependencies) {
        commands = dependencies.commands
        keyring = dependencies.keyring
        desk = BookingDesk(reader: dependencies.reader, zones: dependencies.zones)
    }

    func add(to router: Router<CoworkRequestContext>) {
        router.post("reservations/:booking/approve", use: approve)
        router.post("reservations/:booking/reject", use: reject)
        router.put("reservations/:booking/guests", use: setGuests)
    }

    @Sendable private func approve(_ request: Request, _ context: CoworkRequestContext) async throws -> CommandAnswer<BookingView> {
        try await decide(true, because: nil, body: [], request, context)
    }

    private struct Rejection: Decodable {
        let reason: String
    }

    @Sendable private func reject(_ request: Request, _ context: CoworkRequestContext) async throws -> CommandAnswer<BookingView> {
        let (input, body) = try await request.json(Rejection.self)
        return try await decide(false, because: input.reason, body: body, request, context)
    }

    private func decide(
        _ approves: Bool,
        because reason: String?,
        body: [UInt8],
        _ request: Request,
        _ context: CoworkRequestContext
    ) async throws -> CommandAnswer<BookingView> {
        let identity = try context.signedIn()
        let booking: ReservaID = try context.id("booking")
        let execution = try await commands.run(request, context, body: body) { loader in
            let state = Reserva.dobrar(try await loader.load(.reserva(booking)))
            let data = try state.exigirVisivel(para: identity.actor)
            _ = try await loader.agendas(of: data.espaco, on: data.diasDaAgenda)
            let space = Espaco.dobrar(try await loader.load(.espaco(data.espaco)))
            guard let rules = space.dados?.regras else { throw RecusaDeReservas.espacoNaoEncontrado }
            return try DecidirAprovacao(
                reserva: booking,
                ator: identity.actor,
                aprova: approves,
                justificativa: try await loader.seal(note: reason, of: data.usuario, field: "justificativa", with: keyring),
                agora: commands.now
            ).decidir(reserva: state, regras: rules, beneficios: try await loader.benefits(of: data))
        }
        return CommandAnswer(.ok, try await desk.view(of: booking, upTo: execution.position), at: execution.position)
    }

    private struct Guests: Decodable {
        let guests: [GuestInput]
    }

    private struct Done: Encodable, Sendable {
        let reservationId: String
        let guests: Int
    }

    @Sendable private func setGuests(_ request: Request, _ context: CoworkRequestContext) async throws -> CommandAnswer<Done> {
        let identity = try context.signedIn()
        let booking: ReservaID = try context.id("booking")
        let (input, body) = try await request.json(Guests.self)
        guard input.guests.count <= ConvidadosDefinidos.maximo else {
            throw RecusaDeReservas.atendimento(.convidadosDemais(maximo: ConvidadosDefinidos.maximo))
        }
        let execution = try await commands.run(request, context, body: body) { loader in
            let state = Reserva.dobrar(try await loader.load(.reserva(booking)))
            let data = try state.exigirVisivel(para: identity.actor)
            let space = Espaco.dobrar(try await loader.load(.espaco(data.espaco)))
            guard let card = space.dados?.ficha else { throw RecusaDeReservas.espacoNaoEncontrado }
            var guests: [Convidado] = []
            for guest in input.guests { guests.append(try await guest.sealed(for: data.usuario, loader, keyring)) }
            return try DefinirConvidados(reserva: booking, ator: identity.actor, convidados: guests, agora: commands.now)
                .decidir(reserva: state, ficha: card)
        }
        return CommandAnswer(Done(reservationId: booking.texto, guests: input.guests.count), at: execution.position)
    }
}

/// Somebody without an account.
struct GuestInput: Decodable {
    let name: String
    let email: String?

    /// - Throws: 400 for a name or an address that is none.
    func sealed(for owner: UsuarioID, _ loader: StreamLoader, _ keyring: Keyring) async throws -> Convidado {
        guard (1...200).contains(name.unicodeScalars.count) else { throw Problem.invalid(field: "name", "must have 1 to 200 characters") }
        if let email {
            guard (3...254).contains(email.utf8.count), email.split(separator: "@", omittingEmptySubsequences: false).count == 2 else {
                throw Problem.invalid(field: "email", "must be an e-mail address")
            }
        }
        let address = email
        return Convidado(
            nome: try await loader.seal(name, of: owner, field: "convidado", with: keyring),
            email: address == nil ? nil : try await loader.seal(address ?? "", of: owner, field: "convidado", with: keyring)
        )
    }
}

/// What an operator may add to a booking.
struct DeskInput: Decodable {
    /// `desk` where the money was taken.
    let payment: String?
    /// Why rules of the space are set aside.
    let overrideReason: String?
    /// For whom without an account it is made.
    let visitor: GuestInput?

    /// - Parameter owner: under whose key the texts are sealed.
    /// - Returns: nil for a booking like any other.
    func origin(for owner: UsuarioID, by actor: Ator, _ loader: StreamLoader, _ keyring: Keyring) async throws -> OrigemDaReserva? {
        guard payment != nil || overrideReason != nil || visitor != nil else { return nil }
        guard actor.opera else { throw RecusaDeReservas.proibido }
        guard payment == nil || payment == "desk" else { throw Problem.invalid(field: "payment", "must be desk") }
        if visitor != nil, owner != actor.usuario {
            throw Problem.invalid(field: "visitor", "is for who has no account: leave user_id out")
        }
        if let overrideReason, overrideReason.isEmpty { throw RecusaDeReservas.atendimento(.semJustificativa) }
        return OrigemDaReserva(
            pagamento: payment == nil ? nil : .balcao,
            visitante: try await visitor?.sealed(for: owner, loader, keyring),
            dispensa: try await loader.seal(note: overrideReason, of: owner, field: "dispensa", with: keyring)
        )
    }
}
