/// What a space is, as members see it.
package struct FichaDoEspaco: Hashable, Sendable, Codable {
    package let nome: String
    package let tipo: TipoDeEspaco
    /// People that fit.
    package let capacidade: Int
    /// Bookings of one seat that fit at a time: 1 for a room, which is booked whole; many for a hot-desk area.
    package let lugares: Int
    package let comodidades: [String]
    package let descricao: String

    package init(
        nome: String,
        tipo: TipoDeEspaco,
        capacidade: Int,
        lugares: Int,
        comodidades: [String],
        descricao: String
    ) {
        self.nome = nome
        self.tipo = tipo
        self.capacidade = capacidade
        self.lugares = lugares
        self.comodidades = comodidades
        self.descricao = descricao
    }
}
