import Crypto
import Domain
import EventStore
import FoundationEssentials
package import HTTP
import HTTPTypes
package import Hummingbird

/// What people do with what they are told: read it, and say how they want it.
package struct NotificacoesRoutes: Sendable {
    private static let mostAtOnce = 100

    private let commands: CommandHandling
    private let keyring: Keyring
    private let zones: ZoneCatalog

    package init(_ dependencies: ServiceDependencies) {
        commands = dependencies.commands
        keyring = dependencies.keyring
        zones = dependencies.zones
    }

    package func add(to router: Router<CoworkRequestContext>) {
        router.put("notifications/preferences", use: setPreferences)
        router.post("notifications/read", use: readMany)
        router.post("notifications/:notice/read", use: read)
        router.post("users/me/calendar", use: shareCalendar)
        router.delete("users/me/calendar", use: withdrawCalendar)
    }

    @Sendable private func setPreferences(_ request: Request, _ context: CoworkRequestContext) async throws -> CommandAnswer<Message> {
        let user = try context.signedIn().user
        let (input, body) = try await request.json(PreferenceInput.self)
        let (language, choices) = (try input.checkedLanguage(), try input.checkedChoices())
        let quiet = try input.checkedQuietHours(zones)
        let (phone, device) = (try input.checkedPhone(), try input.checkedPushToken())
        let execution = try await commands.run(request, context, body: body) { loader in
            let account = Conta.dobrar(try await loader.load(.usuario(user)))
            _ = try await loader.load(.preferencias(user))
            let definition = PreferenciasDefinidas(
                usuario: user,
                idioma: language,
                escolhas: choices,
                silencio: quiet,
                telefone: try await self.sealed(phone, of: user, field: "telefone", loader),
                dispositivo: try await self.sealed(device, of: user, field: "dispositivo", loader),
                em: commands.now
            )
            return try DefinirPreferencias(definition).decidir(conta: account)
        }
        return CommandAnswer(Message("Preferências salvas."), at: execution.position)
    }

    private func sealed(_ text: String?, of user: UsuarioID, field: String, _ loader: StreamLoader) async throws -> Selado? {
        guard let text else { return nil }
        return try await loader.seal(text, of: user, field: field, with: keyring)
    }

    @Sendable private func read(_ request: Request, _ context: CoworkRequestContext) async throws -> CommandAnswer<Message> {
        try await markRead([try context.id("notice")], request, context, body: [])
    }

    private struct Many: Decodable {
        let ids: [String]
    }

    @Sendable private func readMany(_ request: Request, _ context: CoworkRequestContext) async throws -> CommandAnswer<Message> {
        let (input, body) = try await request.json(Many.self)
        let ids = try Set(input.ids).sorted().map { text in
            guard let id = NotificacaoID(text) else { throw Problem.invalid(field: "ids", "must be ids of notifications") }
            return id
        }
        guard (1...Self.mostAtOnce).contains(ids.count) else {
            throw Problem.invalid(field: "ids", "must be 1 to \(Self.mostAtOnce) ids")
        }
        return try await markRead(ids, request, context, body: body)
    }

    /// All of them or none.
    private func markRead(
        _ ids: [NotificacaoID],
        _ request: Request,
        _ context: CoworkRequestContext,
        body: [UInt8]
    ) async throws -> CommandAnswer<Message> {
        let user = try context.signedIn().user
        let execution = try await commands.run(request, context, body: body) { loader in
            let streams = try await loader.load(ids.map { .notificacao($0) })
            return try ids.flatMap { id in
                try MarcarComoLida(notificacao: id, usuario: user, agora: commands.now)
                    .decidir(notificacao: .dobrar(streams[.notificacao(id)] ?? []))
            }
        }
        return CommandAnswer(Message(ids.count == 1 ? "Notificação lida." : "Notificações lidas."), at: execution.position)
    }

    private struct Shared: Encodable, Sendable {
        let message: String
        /// Relative to the API's address. Told once.
        let path: String
    }

    /// A new secret; the one before holds no longer. A repeat makes another: a secret is told nobody twice.
    @Sendable private func shareCalendar(_ request: Request, _ context: CoworkRequestContext) async throws -> CommandAnswer<Shared> {
        let user = try context.signedIn().user
        let secret = SymmetricKey(size: .bits256).urlText
        guard let key = ChaveDeAgenda(SHA256.hash(data: Array(secret.utf8)).hexadecimal) else { throw Problem.unavailable }
        let execution = try await commands.run(request, context, body: [], repeatable: false) { loader in
            let streams = try await loader.load([.usuario(user), .preferencias(user)])
            return try CompartilharAgenda(usuario: user, chave: key, agora: commands.now)
                .decidir(conta: .dobrar(streams[.usuario(user)] ?? []), preferencias: .dobrar(streams[.preferencias(user)] ?? []))
        }
        return CommandAnswer(.created, Shared(message: "Agenda compartilhada.", path: "/calendar/\(secret).ics"), at: execution.position)
    }

    @Sendable private func withdrawCalendar(_ request: Request, _ context: CoworkRequestContext) async throws -> CommandAnswer<Message> {
        let user = try context.signedIn().user
        let execution = try await commands.run(request, context, body: []) { loader in
            RecolherAgenda(usuario: user, agora: commands.now)
                .decidir(preferencias: .dobrar(try await loader.load(.preferencias(user))))
        }
        return CommandAnswer(Message("Agenda recolhida."), at: execution.position)
    }
}

extension SymmetricKey {
    /// Letters, digits, hyphen and underscore.
    var urlText: String {
        unsafe withUnsafeBytes { unsafe Data($0) }.base64EncodedString()
            .replacing("+", with: "-").replacing("/", with: "_").replacing("=", with: "")
    }
}
