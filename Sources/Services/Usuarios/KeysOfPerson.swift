package import Crypto
package import Domain
package import EventStore
import HTTP

/// Finds all keys that go when a person is erased: their own, and those of the addresses that were ever theirs, under which what was sent
/// there without their account being meant is sealed.
package struct KeysOfPerson: Sendable {
    private let reader: LogReader
    private let keyring: Keyring
    private let emailKey: SymmetricKey

    package init(reader: LogReader, keyring: Keyring, emailKey: SymmetricKey) {
        self.reader = reader
        self.keyring = keyring
        self.emailKey = emailKey
    }

    /// The subjects, the person's own last: it opens their telephone numbers, so whoever is interrupted finds the others again. None where
    /// that one is gone: what is sealed for the same addresses since is for whoever has them now.
    package func subjects(of user: UsuarioID) async throws -> [String] {
        if try await keyring.isErased(user.texto) { return [] }
        let names = [NomeDeFluxo.usuario(user), .preferencias(user)].map(\.texto)
        let streams = try await reader.streams(names)
        var addresses: Set<AddressSubject> = []
        for event in try names.flatMap({ try (streams[$0] ?? []).map(reader.decoded.event) }) {
            switch event {
            case .usuarios(.usuarioCadastrado(let event)): addresses.insert(AddressSubject(email: event.chaveDoEmail))
            case .usuarios(.perfilAtualizado(let event)):
                if let key = event.chaveDoEmail { addresses.insert(AddressSubject(email: key)) }
            case .notificacoes(.preferenciasDefinidas(let event)):
                if let phone = try await number(in: event) { addresses.insert(AddressSubject(phone: phone, secret: emailKey)) }
            default: break
            }
        }
        return try await keyring.subjects(ofAddresses: addresses.map(\.text).sorted()) + [user.texto]
    }

    /// Nil also where the key is gone: it goes last, so the number's is gone too.
    private func number(in preferences: PreferenciasDefinidas) async throws -> PhoneNumber? {
        guard let sealed = preferences.telefone else { return nil }
        do {
            return try PhoneNumber(try await keyring.open(sealed, field: "telefone"), field: "phone")
        } catch Keyring.Problem.erased {
            return nil
        }
    }
}
