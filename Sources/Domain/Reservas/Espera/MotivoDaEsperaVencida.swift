/// Why a wait ended without a booking.
package enum MotivoDaEsperaVencida: String, Sendable, Codable {
    /// The hold that was offered ran out.
    case ofertaExpirou = "oferta_expirou"
    /// The hold that was offered was given up.
    case ofertaCancelada = "oferta_cancelada"
    /// The span began, and was never free.
    case inicioPassou = "inicio_passou"
}
