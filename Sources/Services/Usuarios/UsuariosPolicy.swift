package import Domain
package import EventStore
import HTTP

/// What follows the erasure of a person: their keys are deleted, and with them all that was ever sealed for them or sent to
/// an address of theirs.
package struct UsuariosPolicy: Policy {
    package let name = "usuarios.apagamentos"
    package let contexts: Set<String> = ["usuarios"]

    static let deleteKey = "usuarios.apagar_chave"

    package init() {}

    package func react(to event: EventoDoDominio) -> [ScheduledCommand] {
        guard case .usuarios(.usuarioApagado(let erased)) = event else { return [] }
        return [ScheduledCommand(kind: Self.deleteKey, aggregate: erased.usuario.texto, due: erased.em.microssegundos)]
    }

    /// - Parameter list: writes a key's subject where no backup reaches it, before anything is deleted. Called again where the
    ///   process dies in between.
    package func handlers(
        _ keyring: Keyring,
        keys: KeysOfPerson,
        list: @escaping @Sendable (_ subject: String) async throws -> Void
    ) -> [String: TimerRunner.Handler] {
        [
            Self.deleteKey: { timer in
                guard let user = UsuarioID(timer.aggregate) else { throw Problem.notFound }
                let subjects = try await keys.subjects(of: user)
                for subject in subjects { try await list(subject) }
                for subject in subjects { try await keyring.erase(subject) }
            }
        ]
    }
}
