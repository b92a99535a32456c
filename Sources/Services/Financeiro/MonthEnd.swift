import Domain
import EventStore

/// What keeps a month from being closed, as far as it can be seen.
struct MonthEnd: Sendable {
    private static let bookingEnds = PrazoDaReserva.concluir.rawValue
    private static let eventsOfBookings: Set<String> = [ReservaSolicitada.tipo, ReservaConfirmada.tipo, ReservaRemarcada.tipo]

    let work: OpenWorkReader

    func openItems(of month: MesCivil) async throws -> PendenciasDoMes {
        let end = month.fimEmTodaParte.microssegundos
        let bookings = try await work.late(kinds: [Self.bookingEnds], dueBy: end, limit: PendenciasDoMes.mostradas)
        let entries = try await work.late(kinds: [FinanceiroPolicy.prefix], dueBy: end, limit: 1)
        let unseen =
            try await work.unseen(by: PrazoDaReserva.politica, of: Self.eventsOfBookings, recordedBy: end)
            + work.unseen(by: FinanceiroPolicy.policyName, of: FinanceiroPolicy.eventTypes, recordedBy: end)
        return PendenciasDoMes(
            reservas: bookings.commands.compactMap { ReservaID($0.aggregate) },
            quantasReservas: bookings.count,
            lancamentos: entries.count,
            eventos: unseen,
            separados: try await work.parked(by: [PrazoDaReserva.politica, FinanceiroPolicy.policyName])
        )
    }
}
