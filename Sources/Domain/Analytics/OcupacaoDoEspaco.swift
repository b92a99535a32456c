/// A space on one local day. Times are seconds times seats.
package struct OcupacaoDoEspaco: Hashable, Sendable, Codable {
    package let espaco: EspacoID
    /// How long seats could be booked: opening hours less closures, as they were defined when the day ended.
    package let aberto: Int64
    /// How long bookings that stand take seats up, without buffers.
    package let ocupado: Int64
    /// Bookings that begin on the day and stand: confirmed or completed.
    package let reservas: Int
    /// Bookings that begin on the day and that nobody came to.
    package let faltas: Int
    /// Bookings for the day that were given up.
    package let canceladas: Int
    /// What the bookings that stand were priced at, and what is kept of those that were missed.
    package let valor: Dinheiro

    package init(
        espaco: EspacoID,
        aberto: Int64,
        ocupado: Int64,
        reservas: Int,
        faltas: Int,
        canceladas: Int,
        valor: Dinheiro
    ) {
        self.espaco = espaco
        self.aberto = aberto
        self.ocupado = ocupado
        self.reservas = reservas
        self.faltas = faltas
        self.canceladas = canceladas
        self.valor = valor
    }

    private enum CodingKeys: String, CodingKey {
        case espaco
        case aberto = "aberto_s"
        case ocupado = "ocupado_s"
        case reservas
        case faltas
        case canceladas
        case valor
    }
}
