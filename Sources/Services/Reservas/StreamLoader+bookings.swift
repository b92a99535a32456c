import Domain
import EventStore
import HTTP

extension StreamLoader {
    /// Seals what somebody wrote about a booking; nil where nothing was written.
    ///
    /// - Throws: 400 for a text that is too long.
    func seal(note text: String?, of user: UsuarioID, field: String, with keyring: Keyring) async throws -> Selado? {
        guard let text, !text.isEmpty else { return nil }
        guard text.unicodeScalars.count <= 1000 else { throw Problem.invalid(field: "notes", "must have at most 1000 characters") }
        return try await seal(text, of: user, field: field, with: keyring)
    }

    /// The agenda of a space on these UTC days, day by day.
    func agendaDays(of space: EspacoID, on days: [DataCivil]) async throws -> [DataCivil: Agenda] {
        let names = days.map { NomeDeFluxo.agenda(space, $0) }
        let streams = try await load(names)
        return Dictionary(uniqueKeysWithValues: zip(days, names).map { day, name in (day, Agenda.dobrar(streams[name] ?? [])) })
    }

    /// These bookings, as they stand.
    func bookings(_ ids: [ReservaID]) async throws -> [ReservaID: Reserva] {
        let streams = try await load(ids.map { .reserva($0) })
        return Dictionary(ids.map { ($0, Reserva.dobrar(streams[.reserva($0)] ?? [])) }) { first, _ in first }
    }

    /// Before anything of somebody else's is touched: sealing would make a key for whatever id was named.
    func requireMember(_ user: UsuarioID, by actor: Ator) async throws {
        guard user != actor.usuario else { return }
        guard actor.opera else { throw RecusaDeReservas.proibido }
        if try await load(.usuario(user)).isEmpty { throw Problem.invalid(field: "user_id", "is no user") }
    }
}
