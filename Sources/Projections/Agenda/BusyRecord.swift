package import Domain
import Postgres

/// Seats of a space that a booking takes.
package struct BusyRecord: Sendable, Equatable {
    package let space: EspacoID
    package let booking: ReservaID
    /// Buffers included.
    package let occupied: Intervalo
    /// As booked, without buffers.
    package let booked: Intervalo?
    package let seats: Int

    init(row: PostgresRow) throws {
        space = try row.id("space_id")
        booking = try row.id("booking_id")
        occupied = try row.interval("starts_at", "ends_at")
        booked =
            if let from: Instante = try row.instant("booked_from"), let to: Instante = try row.instant("booked_to") {
                Intervalo(inicio: from, fim: to)
            } else {
                nil
            }
        seats = Int(try row.get("seats", Int32.self))
    }
}
