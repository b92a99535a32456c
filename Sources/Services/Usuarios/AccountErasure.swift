package import Domain
package import EventStore
import HTTP

/// Decides the erasure of an account, on all that it depends on.
package struct AccountErasure: Sendable {
    private let schedule: ScheduleReader

    package init(schedule: ScheduleReader) {
        self.schedule = schedule
    }

    /// - Parameter account: as loaded through the same loader, which guards it.
    package func decide(
        _ user: UsuarioID,
        _ account: Conta,
        via: ApagarUsuario.Via,
        at now: Instante,
        _ loader: StreamLoader
    ) async throws -> [EventosDoFluxo] {
        var address = EnderecoDeEmail.livre
        switch account {
        case .ativa(let data), .bloqueada(let data): address = .dobrar(try await loader.load(.email(data.chaveDoEmail)))
        case .inexistente, .apagada: break
        }
        let bookings = via == .proprioPedido ? try await self.bookings(of: user, loader) : []
        return try ApagarUsuario(usuario: user, via: via, agora: now).decidir(conta: account, endereco: address, reservas: bookings)
    }

    /// The person's bookings that may be open, among others' that the policy of bookings has not come to yet.
    private func bookings(of user: UsuarioID, _ loader: StreamLoader) async throws -> [Reserva] {
        let found: ScheduleReader.Found
        do {
            found = try await schedule.find(.endsOfBookings, for: user.texto)
        } catch is ScheduleReader.TooFarBehind {
            throw Problem.unavailable
        }
        let scheduled = found.aggregates.compactMap { ReservaID($0) }.map { NomeDeFluxo.reserva($0) }
        let names = Set(scheduled + found.unseen.map { NomeDeFluxo(lido: $0) })
        return try await loader.load(names.sorted()).values.map { .dobrar($0) }
    }
}
