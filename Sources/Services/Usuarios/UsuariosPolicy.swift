package import Domain
package import EventStore
import HTTP

/// What follows the erasure of a person: their key is deleted, and with it all that was ever sealed for them.
package struct UsuariosPolicy: Policy {
    package let name = "usuarios.apagamentos"
    package let contexts: Set<String> = ["usuarios"]

    static let deleteKey = "usuarios.apagar_chave"

    package init() {}

    package func react(to event: EventoDoDominio) -> [ScheduledCommand] {
        guard case .usuarios(.usuarioApagado(let erased)) = event else { return [] }
        return [ScheduledCommand(kind: Self.deleteKey, aggregate: erased.usuario.texto, due: erased.em.microssegundos)]
    }

    /// - Parameter list: writes the person's id where no backup reaches it, before anything is deleted. Called again where the
    ///   process dies in between.
    package func handlers(
        _ keyring: Keyring,
        list: @escaping @Sendable (UsuarioID) async throws -> Void
    ) -> [String: TimerRunner.Handler] {
        [
            Self.deleteKey: { timer in
                guard let user = UsuarioID(timer.aggregate) else { throw Problem.notFound }
                try await list(user)
                try await keyring.erase(user.texto)
            }
        ]
    }
}
