/// What is scheduled for a booking, as it is called among the timers: the service that gives these commands and whoever looks
/// for a person's open bookings mean the same.
package enum PrazoDaReserva: String, Sendable {
    case expirar = "reservas.expirar"
    /// Asked for at every booking, for its end: while it stands, the booking may not be over.
    case concluir = "reservas.concluir"

    /// The policy that schedules them.
    package static let politica = "reservas.prazos"
}
