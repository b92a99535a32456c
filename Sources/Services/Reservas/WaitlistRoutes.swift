import Domain
import EventStore
import HTTP
import Hummingbird

/// The waitlist over HTTP.
struct WaitlistRoutes: Sendable {
    private let commands: CommandHandling
    private let desk: BookingDesk

    init(_ dependencies: ServiceDependencies) {
        commands = dependencies.commands
        desk = BookingDesk(reader: dependencies.reader, zones: dependencies.zones)
    }

    func add(to router: Router<CoworkRequestContext>) {
        router.post("reservations/waitlist", use: join)
        router.delete("reservations/waitlist/:entry", use: leave)
    }

    private struct Input: Decodable {
        let spaceId: String
        let startTime: String
        let endTime: String
        let seats: Int?
        /// For whom, where that is not the one who asks: operators only.
        let userId: String?
    }

    private struct Joined: Encodable, Sendable {
        let id: String
        let status: String
        let startTime: String
        let endTime: String
    }

    @Sendable private func join(_ request: Request, _ context: CoworkRequestContext) async throws -> CommandAnswer<Joined> {
        let identity = try context.signedIn()
        let (input, body) = try await request.json(Input.self)
        guard let space = EspacoID(input.spaceId) else { throw Problem.invalid(field: "space_id", "must be the id of a space") }
        let user = try input.userId.map { text in
            guard let user = UsuarioID(text) else { throw Problem.invalid(field: "user_id", "must be the id of a user") }
            return user
        }
        let owner = user ?? identity.user
        let entry: EsperaID = commands.newID()
        let execution = try await commands.run(request, context, body: body) { loader in
            try await loader.requireMember(owner, by: identity.actor)
            let setting = try await desk.setting(of: space, for: owner, owner: owner, at: commands.now, loader)
            let zone = setting.context.zona
            let command = EntrarNaEspera(
                inscricao: entry,
                usuario: owner,
                ator: identity.actor,
                inicio: try TimeInput.instant(input.startTime, field: "start_time", zone: zone),
                fim: try TimeInput.instant(input.endTime, field: "end_time", zone: zone),
                lugares: input.seats ?? 1,
                agora: commands.now
            )
            let prepared = try command.preparar(setting.context)
            let agendas = try await loader.agendas(of: space, on: prepared.diasDaAgenda)
            let lines = try await loader.lines(of: space, on: [command.dia])
            return try command.decidir(espera: lines[command.dia] ?? .inicial, preparo: prepared, agendas: agendas)
        }
        guard case .reservas(.esperaInscrita(let joined))? = execution.events.first else { throw Problem.notFound }
        let zone = try desk.zone(joined.fuso)
        let view = Joined(
            id: PlaceInLine(joined.inscricao, joined.espaco, joined.dia).text,
            status: "waiting",
            startTime: joined.intervalo.inicio.texto(em: zone),
            endTime: joined.intervalo.fim.texto(em: zone)
        )
        return CommandAnswer(.created, view, at: execution.position)
    }

    @Sendable private func leave(_ request: Request, _ context: CoworkRequestContext) async throws -> CommandAnswer<Message> {
        let identity = try context.signedIn()
        guard let place = context.parameters.get("entry").flatMap(PlaceInLine.init) else { throw Problem.notFound }
        let execution = try await commands.run(request, context, body: []) { loader in
            let line = try await loader.lines(of: place.space, on: [place.day])[place.day] ?? .inicial
            let entry = try line.exigirVisivel(place.entry, para: identity.actor)
            var offer = Reserva.inicial
            var benefits = BeneficiosDoMembro.nenhum
            if case .oferecida(let booking) = entry.situacao {
                offer = Reserva.dobrar(try await loader.load(.reserva(booking)))
                if let data = offer.dados {
                    _ = try await loader.agendas(of: data.espaco, on: data.diasDaAgenda)
                    benefits = try await loader.benefits(of: data)
                }
            }
            return try SairDaEspera(
                espaco: place.space,
                dia: place.day,
                inscricao: place.entry,
                ator: identity.actor,
                agora: commands.now
            ).decidir(espera: line, oferta: offer, beneficios: benefits)
        }
        return CommandAnswer(Message("Saiu da fila de espera."), at: execution.position)
    }
}
