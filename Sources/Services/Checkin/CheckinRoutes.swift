import Domain
import EventStore
import FoundationEssentials
package import HTTP
import HTTPTypes
package import Hummingbird
import NIOCore
import QR

/// Coming and leaving, over HTTP.
package struct CheckinRoutes: Sendable {
    /// How long a code opens.
    private static let codeLifetime = Duracao.minutos(5)

    private let commands: CommandHandling
    private let visits: Visits
    private let entries: SignedCode<MarcaDeReserva>.Signer
    private let displays: SignedCode<MarcaDeEspaco>.Signer

    package init(_ dependencies: ServiceDependencies) {
        commands = dependencies.commands
        visits = Visits(reader: dependencies.reader, zones: dependencies.zones)
        entries = dependencies.signer.entryCodes
        displays = dependencies.signer.displayCodes
    }

    package func add(to router: Router<CoworkRequestContext>) {
        router.post("checkin/scan", use: scan)
        router.post("checkin/:booking", use: checkIn)
        router.post("checkout/:booking", use: checkOut)
        router.get("reservations/:booking/qr", use: code)
        router.get("reservations/:booking/qr.png", use: picture)
        router.post("spaces/:space/display", use: display)
        router.delete("spaces/:space/displays/:display", use: revokeDisplay)
    }

    // MARK: Coming and leaving

    @Sendable private func checkIn(_ request: Request, _ context: CoworkRequestContext) async throws -> CommandAnswer<CheckinView> {
        try await checkIn(try context.id("booking"), nil, body: [], request, context)
    }

    @Sendable private func checkOut(_ request: Request, _ context: CoworkRequestContext) async throws -> CommandAnswer<CheckoutView> {
        try await checkOut(try context.id("booking"), nil, body: [], request, context)
    }

    private func checkIn(
        _ booking: ReservaID,
        _ code: CodigoApresentado?,
        body: [UInt8],
        _ request: Request,
        _ context: CoworkRequestContext
    ) async throws -> CommandAnswer<CheckinView> {
        let actor = try context.signedIn().actor
        let execution = try await commands.run(request, context, body: body) { loader in
            let (state, presence) = try await Visits.load(booking, loader)
            return try FazerCheckin(reserva: booking, ator: actor, codigo: code, agora: commands.now)
                .decidir(reserva: state, presenca: presence)
        }
        let visit = try await visits.visit(booking, upTo: execution.position)
        let view = try CheckinView(visit, alreadyDone: execution.events.isEmpty, Idioma(request))
        return CommandAnswer(view, at: execution.position)
    }

    private func checkOut(
        _ booking: ReservaID,
        _ code: CodigoApresentado?,
        body: [UInt8],
        _ request: Request,
        _ context: CoworkRequestContext
    ) async throws -> CommandAnswer<CheckoutView> {
        let actor = try context.signedIn().actor
        let execution = try await commands.run(request, context, body: body) { loader in
            let (state, presence) = try await Visits.load(booking, loader)
            if let data = state.dados { _ = try await loader.agendas(of: data.espaco, on: data.diasDaAgenda) }
            return try FazerCheckout(reserva: booking, ator: actor, codigo: code, agora: commands.now)
                .decidir(reserva: state, presenca: presence)
        }
        let visit = try await visits.visit(booking, upTo: execution.position)
        let view = try CheckoutView(visit, alreadyDone: execution.events.isEmpty, Idioma(request))
        return CommandAnswer(view, at: execution.position)
    }

    // MARK: Codes

    private struct ScanInput: Decodable {
        let code: String
        /// `in`, if absent, or `out`.
        let action: Action?

        enum Action: String, Decodable {
            case `in`
            case out
        }
    }

    /// What a camera at the desk read. The code says which booking it is.
    @Sendable private func scan(_ request: Request, _ context: CoworkRequestContext) async throws -> Response {
        _ = try context.signedIn(atLeast: .recepcao)
        let (input, body) = try await request.json(ScanInput.self)
        guard let code = entries.code(input.code) else { throw RecusaDeCheckin.codigoInvalido }
        let shown = CodigoApresentado(id: code.id, reserva: code.subject, vence: code.expires)
        switch input.action ?? .in {
        case .in:
            return try await checkIn(shown.reserva, shown, body: body, request, context).response(from: request, context: context)
        case .out:
            return try await checkOut(shown.reserva, shown, body: body, request, context).response(from: request, context: context)
        }
    }

    private struct CodeView: Encodable, Sendable {
        let code: String
        let expiresAt: String
    }

    /// A new code for a booking. It says who may come, so only its member, or the desk, gets one.
    @Sendable private func code(_ request: Request, _ context: CoworkRequestContext) async throws -> Response {
        let (code, zone) = try await newCode(try context.id("booking"), for: try context.signedIn().actor)
        let view = CodeView(code: entries.text(of: code), expiresAt: code.expires.texto(em: zone))
        var response = try JSONAnswer(view).response(from: request, context: context)
        response.headers[.cacheControl] = "no-store"
        return response
    }

    @Sendable private func picture(_ request: Request, _ context: CoworkRequestContext) async throws -> Response {
        let (code, _) = try await newCode(try context.id("booking"), for: try context.signedIn().actor)
        let png = try QRCode(entries.text(of: code)).png()
        let headers: HTTPFields = [.contentType: "image/png", .cacheControl: "no-store"]
        return Response(status: .ok, headers: headers, body: .init(byteBuffer: ByteBuffer(bytes: png)))
    }

    private func newCode(_ booking: ReservaID, for actor: Ator) async throws -> (SignedCode<MarcaDeReserva>, ZonaHoraria) {
        let visit = try await visits.visit(booking, for: actor)
        try visit.state.exigirCodigo(presenca: visit.presence)
        return (SignedCode(subject: booking, id: CodigoID(UUID()), expires: commands.now + Self.codeLifetime), visit.zone)
    }

    // MARK: Displays

    private struct DisplayView: Encodable, Sendable {
        let id: String
        let token: String
        let expiresAt: String
    }

    /// What a display at the door of a space reads its day with, and nothing else. The token is made from what is recorded, so that
    /// a repeat with its key gives the same one.
    @Sendable private func display(_ request: Request, _ context: CoworkRequestContext) async throws -> Response {
        let identity = try context.signedIn(atLeast: .gestor)
        let space: EspacoID = try context.id("space")
        let unit = try await visits.unit(of: space, for: identity.actor)
        let zone = try visits.zones.zone(unit.fuso)
        let id = CodigoID(UUID())
        let execution = try await commands.run(request, context, body: []) { loader in
            try AutorizarPainel(painel: id, espaco: space, unidade: unit.unidade, ator: identity.actor, agora: commands.now)
                .decidir(painel: .dobrar(try await loader.load(.painel(id))))
        }
        guard case .checkin(.painelAutorizado(let made))? = execution.events.first else { throw Problem.notFound }
        let code = SignedCode(subject: made.espaco, id: made.painel, expires: made.venceEm)
        let view = DisplayView(id: made.painel.texto, token: displays.text(of: code), expiresAt: code.expires.texto(em: zone))
        var response = try CommandAnswer(.created, view, at: execution.position).response(from: request, context: context)
        response.headers[.cacheControl] = "no-store"
        return response
    }

    @Sendable private func revokeDisplay(_ request: Request, _ context: CoworkRequestContext) async throws -> CommandAnswer<Message> {
        let identity = try context.signedIn(atLeast: .gestor)
        let space: EspacoID = try context.id("space")
        let id: CodigoID = try context.id("display")
        let unit = try await visits.unit(of: space, for: identity.actor)
        let execution = try await commands.run(request, context, body: []) { loader in
            try RevogarPainel(painel: id, espaco: space, unidade: unit.unidade, ator: identity.actor, agora: commands.now)
                .decidir(painel: .dobrar(try await loader.load(.painel(id))))
        }
        return CommandAnswer(Message("Painel revogado."), at: execution.position)
    }
}
