/// What is scheduled for a presence, as it is called among the timers.
package enum PrazoDaPresenca: String, Sendable {
    /// The grace is over.
    case ausencia = "checkin.ausencia"
    /// Nobody said that they left.
    case encerrar = "checkin.encerrar"
}
