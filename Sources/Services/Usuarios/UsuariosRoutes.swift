import Domain
import EventStore
import FoundationEssentials
package import HTTP
import HTTPTypes
package import Hummingbird

/// Accounts over HTTP: sign-up, login, profile, passwords, roles.
package struct UsuariosRoutes: Sendable {
    private let commands: CommandHandling
    private let accounts: Accounts
    private let erasure: AccountErasure

    package init(_ dependencies: ServiceDependencies, accounts: Accounts, erasure: AccountErasure) {
        commands = dependencies.commands
        self.accounts = accounts
        self.erasure = erasure
    }

    package func add(to router: Router<CoworkRequestContext>) {
        router.post("auth/signup", use: signUp)
        router.post("auth/login", use: logIn)
        router.post("auth/logout", use: logOut)
        router.post("internal/sessions/:session/revoke", use: revokeSession)
        router.put("users/me", use: updateProfile)
        router.delete("users/me", use: erase)
        router.post("users/me/password", use: changePassword)
        router.post("admin/promote/:user", use: promote)
        router.post("admin/users/:user/block", use: block)
        router.post("admin/users/:user/unblock", use: unblock)
    }

    private struct SignUp: Decodable {
        let email: String
        let password: String
        let name: String
    }

    /// Whatever role the request names, the account is a member's.
    @Sendable private func signUp(_ request: Request, _ context: CoworkRequestContext) async throws -> CommandAnswer<Created> {
        let (input, body) = try await request.json(SignUp.self)
        let registration = Once<CadastrarUsuario>()
        let execution = try await commands.run(request, context, body: body) { loader in
            // Before anything is hashed or a key made for somebody who will not exist.
            try await accounts.requireFree(input.email, loader)
            let command = try await registration.get {
                try await accounts.registration(
                    user: commands.newID(),
                    email: input.email,
                    password: input.password,
                    name: input.name,
                    via: .autocadastro,
                    at: commands.now
                )
            }
            return try await accounts.register(command, loader)
        }
        guard let id = execution.events.lazy.compactMap(\.registered).first else { throw Problem.unavailable }
        return CommandAnswer(.created, Created(id: id.texto, message: "Conta criada."), at: execution.position)
    }

    private struct Credentials: Decodable {
        let email: String
        let password: String
    }

    private struct Session: Encodable, Sendable {
        let userId: String
        let role: String
        let unitIds: [String]?
        let sessionId: String
    }

    /// Opens a session for the gateway to make tokens of.
    @Sendable private func logIn(_ request: Request, _ context: CoworkRequestContext) async throws -> CommandAnswer<Session> {
        let (input, body) = try await request.json(Credentials.self)
        let email = try EmailAddress(input.email).key(accounts.emailKey)
        let session: SessaoID = commands.newID()
        let account = Checked()
        let execution = try await commands.run(request, context, body: body, repeatable: false) { loader in
            let data = try await accounts.authenticate(email, password: input.password, loader)
            await account.set(data)
            return try RegistrarLogin(sessao: session, usuario: data.usuario, agora: commands.now)
                .decidir(conta: .ativa(data), sessao: .dobrar(try await loader.load(.sessao(session))))
        }
        guard let data = await account.data else { throw Problem.invalidCredentials }
        return CommandAnswer(
            Session(
                userId: data.usuario.texto, role: data.papel.rawValue, unitIds: data.unidades?.texts,
                sessionId: session.texto
            ),
            at: execution.position
        )
    }

    @Sendable private func logOut(_ request: Request, _ context: CoworkRequestContext) async throws -> CommandAnswer<Message> {
        let identity = try context.signedIn()
        return try await revoke(identity.session, reason: .saida, request, context)
    }

    private struct Revocation: Decodable {
        let reason: String
    }

    /// For the gateway, when a refresh token was used twice.
    @Sendable private func revokeSession(_ request: Request, _ context: CoworkRequestContext) async throws -> CommandAnswer<Message> {
        let identity = try context.signedIn()
        let input = try await request.json(Revocation.self).value
        guard try context.id("session") == identity.session else { throw Problem.notFound }
        guard let reason = MotivoDeRevogacao(rawValue: input.reason) else {
            throw Problem.invalid(field: "reason", "is not a known reason")
        }
        return try await revoke(identity.session, reason: reason, request, context)
    }

    private func revoke(
        _ session: SessaoID,
        reason: MotivoDeRevogacao,
        _ request: Request,
        _ context: CoworkRequestContext
    ) async throws -> CommandAnswer<Message> {
        let identity = try context.signedIn()
        // Whoever has lost a role may end their sessions all the same.
        let execution = try await commands.run(request, context, body: [], restingOn: .membro) { loader in
            try RevogarSessao(sessao: session, usuario: identity.user, motivo: reason, agora: commands.now)
                .decidir(sessao: .dobrar(try await loader.load(.sessao(session))))
        }
        return CommandAnswer(Message("Sessão encerrada."), at: execution.position)
    }

    private struct Profile: Decodable {
        let name: String?
        let email: String?
    }

    @Sendable private func updateProfile(_ request: Request, _ context: CoworkRequestContext) async throws -> CommandAnswer<Message> {
        let identity = try context.signedIn()
        let (input, body) = try await request.json(Profile.self)
        let change = try await accounts.profileChange(identity.user, name: input.name, email: input.email, at: commands.now)
        let execution = try await commands.run(request, context, body: body) { loader in
            try await accounts.updateProfile(change, loader)
        }
        return CommandAnswer(Message("Perfil atualizado."), at: execution.position)
    }

    private struct Erasure: Decodable {
        let password: String
    }

    /// For good, so the password is asked for again. The key that opens what is recorded goes by `UsuariosPolicy`.
    @Sendable private func erase(_ request: Request, _ context: CoworkRequestContext) async throws -> CommandAnswer<Message> {
        let identity = try context.signedIn()
        let (input, body) = try await request.json(Erasure.self)
        let execution = try await commands.run(request, context, body: body) { loader in
            let account = Conta.dobrar(try await loader.load(.usuario(identity.user)))
            try await accounts.check(input.password, of: account)
            return try await erasure.decide(identity.user, account, via: .proprioPedido, at: commands.now, loader)
        }
        return CommandAnswer(Message("Conta apagada."), at: execution.position)
    }

    private struct PasswordChange: Decodable {
        let currentPassword: String
        let newPassword: String
    }

    @Sendable private func changePassword(_ request: Request, _ context: CoworkRequestContext) async throws -> CommandAnswer<Message> {
        let identity = try context.signedIn()
        let (input, body) = try await request.json(PasswordChange.self)
        let password = try await accounts.sealedHash(of: input.newPassword, field: "new_password", user: identity.user)
        let execution = try await commands.run(request, context, body: body) { loader in
            let account = Conta.dobrar(try await loader.load(.usuario(identity.user)))
            try await accounts.check(input.currentPassword, of: account)
            return try AlterarSenha(usuario: identity.user, senha: password, sessao: identity.session, agora: commands.now)
                .decidir(conta: account)
        }
        return CommandAnswer(Message("Senha alterada."), at: execution.position)
    }

    private struct Promotion: Decodable {
        let role: String?
        /// The units that the role is for; absent for all.
        let unitIds: [String]?
    }

    /// Without a body, as the old API had it, the user becomes an administrator.
    @Sendable private func promote(_ request: Request, _ context: CoworkRequestContext) async throws -> CommandAnswer<Message> {
        let identity = try context.signedIn(atLeast: .admin)
        let user: UsuarioID = try context.id("user")
        let body = try await request.bytes()
        let input = body.isEmpty ? Promotion(role: nil, unitIds: nil) : try JSON.decode(Promotion.self, from: body)
        guard let role = Papel(rawValue: input.role ?? Papel.admin.rawValue) else {
            throw Problem.invalid(field: "role", "must be membro, recepcao, gestor or admin")
        }
        let units = try input.unitIds.map { texts in
            guard let units = Set<UnidadeID>(texts: texts) else { throw Problem.invalid(field: "unit_ids", "must be ids of units") }
            return units
        }
        let execution = try await commands.run(request, context, body: body) { loader in
            let decided = try AlterarPapel(usuario: user, para: role, unidades: units, por: .ator(identity.actor), agora: commands.now)
                .decidir(conta: .dobrar(try await loader.load(.usuario(user))))
            let named = try await loader.load((units ?? []).sorted().map { .unidade($0) })
            guard named.values.allSatisfy({ !$0.isEmpty }) else { throw RecusaDeEspacos.unidadeNaoEncontrada }
            return decided
        }
        return CommandAnswer(Message("Papel alterado."), at: execution.position)
    }

    @Sendable private func block(_ request: Request, _ context: CoworkRequestContext) async throws -> CommandAnswer<Message> {
        let identity = try context.signedIn(atLeast: .admin)
        let user: UsuarioID = try context.id("user")
        let execution = try await commands.run(request, context, body: []) { loader in
            try BloquearUsuario(usuario: user, por: .ator(identity.actor), agora: commands.now)
                .decidir(conta: .dobrar(try await loader.load(.usuario(user))))
        }
        return CommandAnswer(Message("Conta bloqueada."), at: execution.position)
    }

    @Sendable private func unblock(_ request: Request, _ context: CoworkRequestContext) async throws -> CommandAnswer<Message> {
        let identity = try context.signedIn(atLeast: .admin)
        let user: UsuarioID = try context.id("user")
        let execution = try await commands.run(request, context, body: []) { loader in
            try DesbloquearUsuario(usuario: user, por: .ator(identity.actor), agora: commands.now)
                .decidir(conta: .dobrar(try await loader.load(.usuario(user))))
        }
        return CommandAnswer(Message("Conta desbloqueada."), at: execution.position)
    }
}

/// What is costly to make, made once although a decision may be taken several times.
private actor Once<Value: Sendable> {
    private var value: Value?

    func get(_ make: @Sendable () async throws -> Value) async throws -> Value {
        if let value { return value }
        let made = try await make()
        value = made
        return made
    }
}

/// The account that a login's last try was decided on.
private actor Checked {
    private(set) var data: DadosDaConta?

    func set(_ data: DadosDaConta) {
        self.data = data
    }
}

extension EventoDoDominio {
    fileprivate var registered: UsuarioID? {
        if case .usuarios(.usuarioCadastrado(let event)) = self { return event.usuario }
        return nil
    }
}
