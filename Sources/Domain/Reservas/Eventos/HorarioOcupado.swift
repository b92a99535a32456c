/// A booking takes seats of a space. Each UTC day that the interval touches has one, with the whole interval.
package struct HorarioOcupado: Evento {
    package static let tipo = "reservas.HorarioOcupado"

    package let espaco: EspacoID
    /// The UTC day whose stream this is in.
    package let dia: DataCivil
    package let reserva: ReservaID
    /// Buffers included.
    package let intervalo: Intervalo
    package let lugares: Int
    package let em: Instante

    package init(
        espaco: EspacoID,
        dia: DataCivil,
        reserva: ReservaID,
        intervalo: Intervalo,
        lugares: Int,
        em: Instante
    ) {
        self.espaco = espaco
        self.dia = dia
        self.reserva = reserva
        self.intervalo = intervalo
        self.lugares = lugares
        self.em = em
    }
}

extension HorarioOcupado: LidoDaForma {
    init(_ ficha: Int, de carga: CargaCanonica) throws(ForaDaForma) {
        espaco = try carga.valor(CodingKeys.espaco, de: ficha)
        dia = try carga.valor(CodingKeys.dia, de: ficha)
        reserva = try carga.valor(CodingKeys.reserva, de: ficha)
        intervalo = try carga.valor(CodingKeys.intervalo, de: ficha)
        lugares = try carga.valor(CodingKeys.lugares, de: ficha)
        em = try carga.valor(CodingKeys.em, de: ficha)
    }
}
