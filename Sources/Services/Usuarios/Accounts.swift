package import Crypto
package import Domain
package import EventStore
import FoundationEssentials
import HTTP
import HTTPTypes

/// What the commands of accounts share: sealing, hashing, finding an account by its address.
package struct Accounts: Sendable {
    let keyring: Keyring
    let emailKey: SymmetricKey
    let hasher: PasswordHasher

    /// - Parameter emailKey: never rotated, because the streams that keep addresses unique are named by it.
    package init(keyring: Keyring, emailKey: SymmetricKey, hasher: PasswordHasher) {
        self.keyring = keyring
        self.emailKey = emailKey
        self.hasher = hasher
    }

    /// The command to open an account, with everything personal sealed.
    ///
    /// - Throws: 400 for an address, a name or a password that will not do.
    package func registration(
        user: UsuarioID,
        email: String,
        password: String,
        name: String,
        via: CadastrarUsuario.Via,
        at now: Instante
    ) async throws -> CadastrarUsuario {
        let address = try EmailAddress(email)
        let name = try Self.checkedName(name)
        return CadastrarUsuario(
            usuario: user,
            chaveDoEmail: try address.key(emailKey),
            nome: try await keyring.seal(name, of: user.texto, field: "nome"),
            email: try await keyring.seal(address.text, of: user.texto, field: "email"),
            senha: try await sealedHash(of: password, field: "password", user: user),
            via: via,
            agora: now
        )
    }

    /// - Throws: 400 for what is no address, the refusal where the address has an account.
    func requireFree(_ email: String, _ loader: StreamLoader) async throws {
        let key = try EmailAddress(email).key(emailKey)
        guard case .livre = EnderecoDeEmail.dobrar(try await loader.load(.email(key))) else { throw RecusaDeUsuarios.emailEmUso }
    }

    package func register(_ command: CadastrarUsuario, _ loader: StreamLoader) async throws -> [EventosDoFluxo] {
        let streams = try await loader.load([.usuario(command.usuario), .email(command.chaveDoEmail)])
        return try command.decidir(
            conta: .dobrar(streams[.usuario(command.usuario)] ?? []),
            email: .dobrar(streams[.email(command.chaveDoEmail)] ?? [])
        )
    }

    /// The account behind an address, if the password is its own.
    ///
    /// - Throws: 401, the same and as late whether the address, the password or neither is known.
    func authenticate(_ email: ChaveDeEmail, password: String, _ loader: StreamLoader) async throws -> DadosDaConta {
        var account = Conta.inexistente
        if case .reservado(let user) = EnderecoDeEmail.dobrar(try await loader.load(.email(email))) {
            account = .dobrar(try await loader.load(.usuario(user)))
        }
        try await check(password, of: account)
        return try account.exigirAtiva()
    }

    func check(_ password: String, of account: Conta) async throws {
        guard try await hasher.verify(password, against: try await storedHash(of: account)) else { throw Problem.invalidCredentials }
    }

    /// Nil where there is no account, or nothing of it any more.
    private func storedHash(of account: Conta) async throws -> String? {
        switch account {
        case .inexistente, .apagada:
            return nil
        case .ativa(let data), .bloqueada(let data):
            do {
                return try await keyring.open(data.senha, field: "senha")
            } catch Keyring.Problem.erased {
                return nil
            }
        }
    }

    func profileChange(_ user: UsuarioID, name: String?, email: String?, at now: Instante) async throws -> AtualizarPerfil {
        var newEmail: AtualizarPerfil.NovoEmail?
        if let email {
            let address = try EmailAddress(email)
            newEmail = .init(
                chave: try address.key(emailKey),
                selado: try await keyring.seal(address.text, of: user.texto, field: "email")
            )
        }
        var newName: Selado?
        if let name {
            newName = try await keyring.seal(try Self.checkedName(name), of: user.texto, field: "nome")
        }
        return AtualizarPerfil(usuario: user, nome: newName, email: newEmail, agora: now)
    }

    func updateProfile(_ change: AtualizarPerfil, _ loader: StreamLoader) async throws -> [EventosDoFluxo] {
        let account = Conta.dobrar(try await loader.load(.usuario(change.usuario)))
        guard let email = change.email, email.chave != (try account.exigirAtiva()).chaveDoEmail else {
            return try change.decidir(conta: account, novoEndereco: .livre)
        }
        let streams = try await loader.load([.email(email.chave), .email(try account.exigirAtiva().chaveDoEmail)])
        return try change.decidir(conta: account, novoEndereco: .dobrar(streams[.email(email.chave)] ?? []))
    }

    func sealedHash(of password: String, field: String, user: UsuarioID) async throws -> Selado {
        guard password.unicodeScalars.count >= 6, password.utf8.count <= 256 else {
            throw Problem.invalid(field: field, "must have 6 characters or more, and at most 256 bytes")
        }
        return try await keyring.seal(try await hasher.hash(password), of: user.texto, field: "senha")
    }

    private static func checkedName(_ name: String) throws(Problem) -> String {
        let scalars = name.unicodeScalars
        guard (1...200).contains(scalars.count), scalars.contains(where: { !$0.properties.isWhitespace }),
            scalars.allSatisfy({ $0.properties.generalCategory != .control })
        else { throw .invalid(field: "name", "must have 1 to 200 characters, no control characters among them") }
        return name
    }
}

extension Problem {
    static let invalidCredentials = Problem(
        .unauthorized,
        code: "invalid_credentials",
        portuguese: "E-mail ou senha incorretos.",
        english: "Wrong e-mail or password."
    )
}
