package import Domain

extension StreamLoader {
    /// Seals a person's text for the decision that is being taken.
    ///
    /// Loads the person's own stream, so the decision holds only if they were not erased meanwhile: after `UsuarioApagado` the log
    /// has nothing that is sealed for them, whatever keys processes remember. What read models show of an erased person rests
    /// on it. Whoever loads the stream themself, as the commands of accounts do, may seal without this.
    ///
    /// - Throws: `RecusaDeUsuarios.naoEncontrado` for somebody who is erased or never was.
    package func seal(_ text: String, of user: UsuarioID, field: String, with keyring: Keyring) async throws -> Selado {
        switch Conta.dobrar(try await load(.usuario(user))) {
        case .inexistente, .apagada: throw RecusaDeUsuarios.naoEncontrado
        case .ativa, .bloqueada: return try await keyring.seal(text, of: user.texto, field: field)
        }
    }
}
