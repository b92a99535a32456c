/// What is scheduled for a charge, as it is called among the timers.
package enum PrazoDaCobranca: String, Sendable {
    case expirar = "pagamentos.expirar"
    /// The provider is asked what became of it.
    case conferir = "pagamentos.conferir"
}
