/// A booking gives its seats back on one UTC day of a space.
package struct HorarioLiberado: Evento {
    package static let tipo = "reservas.HorarioLiberado"

    package let espaco: EspacoID
    /// The UTC day whose stream this is in.
    package let dia: DataCivil
    package let reserva: ReservaID
    package let em: Instante

    package init(
        espaco: EspacoID,
        dia: DataCivil,
        reserva: ReservaID,
        em: Instante
    ) {
        self.espaco = espaco
        self.dia = dia
        self.reserva = reserva
        self.em = em
    }
}
